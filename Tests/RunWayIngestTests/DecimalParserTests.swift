import RunWayModel
import Testing

@testable import RunWayIngest

struct `Decimal parser` {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalParser.parse($0) }
  }

  @Test(arguments: [
    "0", "-0", "1", "+1", "12.", ".5", "-.5", "44.68095", "-179.9999999", "007", "1e3", "1E-7",
    "-2.5e+2", "0.1", "0.30000000000000004", "9007199254740993", "9007199254740992.5",
    "44.680950000000001", "-0.272320314426107", "1.7976931348623157e308", "5e-324",
    "123456789012345678", "1234567890123456789", "12345678901234567890", "0.1234567890123456789",
    "9999999999999999999", "0.0000000000000000001", "99999999999999999.9",
    "50.123456789012345678901234567890", "8.999999999999999999", "4503599627370496.5",
    "4503599627370497.5",
  ])
  func `a number is the nearest double`(text: String) throws {
    let value = try #require(parse(text))
    // The standard library rounds correctly; it takes no trailing or leading point.
    let expected = try #require(Double(text.hasSuffix(".") ? text + "0" : text))
    #expect(value.bitPattern == expected.bitPattern)
  }

  @Test
  func `random numbers of up to 19 digits are rounded correctly`() throws {
    var random = SplitMix(state: 7)
    for _ in 0..<200_000 {
      let digits = 1 + Int(random.next() % 19)
      let places = Int(random.next() % UInt64(digits + 1))
      var text = ""
      for index in 0..<digits {
        if index == digits - places { text += index == 0 ? "0." : "." }
        text += "\(random.next() % 10)"
      }
      let value = try #require(parse(text))
      #expect(value == Double(text), "\(text)")
    }
  }

  @Test
  func `halfway cases go to the even neighbour`() throws {
    // (2^53 + 1 + 2k) lies between two doubles; with one unit more in the 19th digit it does not.
    for k in 0..<50 {
      let odd = (1 << 53) + 1 + 2 * k
      #expect(parse("\(odd)") == Double(odd))
      #expect(parse("\(odd).001") == Double("\(odd).001"))
    }
  }

  @Test(arguments: [
    "", " ", "undefined", "49,97", "0x10", "nan", "NaN", "inf", "-INF", "infinity", "1e", "1e+",
    "e5",
    ".", "-", "+", "--1", "1-", "1 2", "1.2.3", "١", "1e999", "-1e400", "1_000", "5°",
  ])
  func `anything else is no number`(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(arguments: [" 1.5", "1.5\n", "\t\r\n 1.5 \t"])
  func `XML white space around a number does not matter`(text: String) {
    #expect(parse(text) == 1.5)
  }

  @Test
  func `a thousand digits are read and a million refused`() {
    #expect(parse(String(repeating: "0", count: 1_000) + "12") == 12)
    #expect(parse("0." + String(repeating: "3", count: 1_000)) == 1.0 / 3)
    #expect(parse(String(repeating: "9", count: 1_000)) == nil)
    #expect(parse(String(repeating: "1", count: 1_000_000)) == nil)
  }
}

/// A generator of reproducible numbers: SplitMix64.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
