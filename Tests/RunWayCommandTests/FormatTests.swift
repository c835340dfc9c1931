import RunWayModel
import Testing

@testable import runway

@Suite struct `Numbers for people` {
  static let durations: [(Double, String)] = [
    (0, "0:00"), (0.4, "0:00"), (59.4, "0:59"), (59.5, "1:00"), (59.999, "1:00"),
    (359.5, "6:00"), (359.49, "5:59"), (330, "5:30"), (3_599.4, "59:59"), (3_599.5, "1:00:00"),
    (3_600, "1:00:00"), (7_199.9, "2:00:00"), (-90, "−1:30"), (-0.2, "0:00"),
  ]

  @Test(arguments: durations)
  func `a duration is rounded before it is split`(seconds: Double, text: String) {
    #expect(UnitFormat.duration(seconds) == text)
  }

  @Test func `no second of any hour is ever written as sixty`() {
    for tenth in 0..<72_000 {
      let text = UnitFormat.duration(Double(tenth) / 10)
      #expect(!text.hasSuffix(":60"))
      #expect(!text.contains(":60:"))
    }
  }

  @Test func `what is not finite or beyond all measure is absent`() {
    #expect(UnitFormat.duration(.infinity) == "–")
    #expect(UnitFormat.duration(.nan) == "–")
    #expect(UnitFormat.duration(1e300) == "–")
    #expect(UnitFormat.fixed(.infinity, digits: 2) == "–")
    #expect(UnitFormat.fixed(1e300, digits: 2) == "–")
  }

  // 262.860 s/km × 1.609344 = 423.032 s/mile = 7:03; decimal minutes would print 7:05.
  @Test func `a pace per mile is minutes and seconds`() {
    let pace = Pace(secondsPerKilometer: 262.860)
    #expect(UnitFormat(system: .imperial).paceWithUnit(pace) == "7:03 /mi")
    #expect(UnitFormat(system: .metric).paceWithUnit(pace) == "4:23 /km")
    #expect(UnitFormat(system: .metric).paceWithUnit(nil) == "–")
  }

  static let fixed: [(Double, Int, String)] = [
    (0, 2, "0.00"), (9.9951, 2, "10.00"), (9.9949, 2, "9.99"), (-0.004, 2, "0.00"),
    (-1.5, 0, "−2"), (1_234.5, 1, "1234.5"), (0.05, 1, "0.1"),
  ]

  @Test(arguments: fixed)
  func `a number has just so many digits`(value: Double, digits: Int, text: String) {
    #expect(UnitFormat.fixed(value, digits: digits) == text)
  }
}

@Suite struct `Tables for people` {
  @Test func `columns are as wide as their widest cell, emoji counting two`() {
    var table = TextTable("NAME", "KM>")
    table.add("Lauf 🏃", "5.0")
    table.add("Tempo", "12.0")
    #expect(table.text == "NAME       KM\nLauf 🏃   5.0\nTempo    12.0\n")
  }

  @Test func `control characters of a file never reach the terminal`() {
    #expect(TextWidth.printable("a\u{1B}[2Jb\nc\u{9B}d") == "a [2Jb c d")
  }
}
