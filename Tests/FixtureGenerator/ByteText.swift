import RunWayModel

/// Text of a file under construction, as bytes: a million points want no `String` each.
struct ByteText {
  var bytes: [UInt8] = []

  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: some StringProtocol) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a whole number with at least so many digits.
  mutating func write(_ value: Int, digits: Int = 1) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < digits
    bytes[start...].reverse()
  }

  /// Writes a number with so many digits after the point, and at least so many before it.
  mutating func write(_ value: Double, decimals: Int, digits: Int = 1) {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: scale)
    write(whole, digits: digits)
    if decimals > 0 {
      bytes.append(UInt8(ascii: "."))
      write(fraction, digits: decimals)
    }
  }
}
