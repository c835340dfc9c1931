/// Reads decimal numbers from bytes, correctly rounded.
///
/// A number is an optional sign, digits with at most one decimal point, and an optional exponent;
/// XML white space may surround it. Anything else is no number: a decimal comma, hexadecimal digits,
/// `nan`, `inf`, nothing at all. What is beyond the range of a `Double` is no number either.
enum DecimalParser {
  /// Longer texts are refused unread, so that a hostile one costs nothing.
  static let longestText = 4_096

  /// Reads one number that fills the bytes.
  ///
  /// - Parameter text: The bytes.
  /// - Returns: The `Double` nearest to the number, or `nil` where the bytes are no number.
  @inline(__always)
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let start = text.baseAddress else { return nil }
    var cursor = start
    guard let value = scan(&cursor, end: start + text.count), cursor == start + text.count else {
      // White space and numbers that need the slow way are rare.
      return parseOddly(text)
    }
    return value
  }

  /// Reads a number of at most 19 digits without an exponent, from the cursor to the first other byte.
  ///
  /// - Parameters:
  ///   - cursor: Where to begin; moved past what was read.
  ///   - end: Where the bytes end.
  /// - Returns: The number, or `nil` where there is none, or one that only `parse` can read.
  @inline(__always)
  static func scan(_ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Double? {
    var next = cursor
    guard next < end else { return nil }
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative || next.pointee == UInt8(ascii: "+") { next += 1 }

    let integer = next
    var digits: UInt64 = 0
    readDigits(&digits, &next, end)
    var count = next - integer
    var places = 0
    if next < end, next.pointee == UInt8(ascii: ".") {
      next += 1
      let fraction = next
      readDigits(&digits, &next, end)
      places = next - fraction
      count += places
    }
    // 19 digits always fit into 64 bits; with more, `digits` may have wrapped around.
    guard count > 0, count <= 19 else { return nil }
    cursor = next
    let magnitude = quotient(digits, places)
    return isNegative ? -magnitude : magnitude
  }

  @inline(__always)
  private static func readDigits(
    _ digits: inout UInt64, _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) {
    while next < end {
      let digit = next.pointee &- UInt8(ascii: "0")
      if digit > 9 { break }
      digits = digits &* 10 &+ UInt64(digit)
      next += 1
    }
  }

  /// The `Double` nearest to `digits / 10^places`, for `places` up to 19.
  @inline(__always)
  private static func quotient(_ digits: UInt64, _ places: Int) -> Double {
    // Both operands are exact, so that IEEE division rounds once and correctly: W. D. Clinger,
    // "How to Read Floating Point Numbers Accurately", 1990.
    if digits <= 1 << 53 {
      return Double(digits) / powersOfTen.double(places)
    }
    return longQuotient(digits, places)
  }

  /// The same where the digits have more bits than a `Double`.
  ///
  /// One division of 128 by 64 bits gives at least 63 bits of the quotient; whether anything is left
  /// over goes into the lowest of them, and rounding those to 53 bits is then right.
  @inline(never)
  private static func longQuotient(_ digits: UInt64, _ places: Int) -> Double {
    let power = powersOfTen.integer(places)
    let digitShift = digits.leadingZeroBitCount
    let powerShift = power.leadingZeroBitCount
    let divisor = power << powerShift
    let dividend = digits << digitShift
    // The quotient has to fit into 64 bits: the high word must lie below the divisor.
    let high = dividend >> 1
    let low = dividend << 63
    let (quotient, remainder) = divisor.dividingFullWidth((high, low))
    let bits = remainder == 0 ? quotient : quotient | 1
    return Double(sign: .plus, exponent: powerShift - digitShift - 63, significand: Double(bits))
  }

  /// The powers of ten that are exact, as tables that need no start-up.
  private enum powersOfTen {
    @inline(__always)
    static func double(_ exponent: Int) -> Double {
      table[exponent]
    }

    static func integer(_ exponent: Int) -> UInt64 {
      var power: UInt64 = 1
      for _ in 0..<exponent { power &*= 10 }
      return power
    }

    private static let table: InlineArray<20, Double> = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
      1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    ]
  }
}

// MARK: - White space, exponents, more digits

extension DecimalParser {
  @inline(never)
  private static func parseOddly(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let number = text.trimmingXMLWhiteSpace()
    guard number.count <= longestText, isDecimal(number) else { return nil }
    // The standard library converts by the C library's `strtod_l` or its equal: correctly rounded, in no locale.
    guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private static func isDecimal(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    func dropSign() {
      if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        rest.removeFirst()
      }
    }
    func dropDigits() -> Int {
      let digits = rest.prefix { $0 &- UInt8(ascii: "0") <= 9 }
      rest = rest[digits.endIndex...]
      return digits.count
    }
    dropSign()
    var digitCount = dropDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digitCount += dropDigits()
    }
    guard digitCount > 0 else { return false }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      dropSign()
      guard dropDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes without the XML white space around them.
  func trimmingXMLWhiteSpace() -> UnsafeBufferPointer<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
    var slice = self[...]
    while let first = slice.first, isSpace(first) { slice.removeFirst() }
    while let last = slice.last, isSpace(last) { slice.removeLast() }
    return UnsafeBufferPointer(rebasing: slice)
  }
}
