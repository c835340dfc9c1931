/// A decimal number as its digits: `whole` + `fraction` / `scale`.
struct NMEADecimal {
  var whole = 0
  var fraction = 0
  var scale = 1
  var isNegative = false

  /// The number, rounded once.
  @inline(__always)
  var value: Double {
    // At most 7 digits before the point and 11 behind it: below 10^18.
    let magnitude = Double(whole &* scale &+ fraction) / Double(scale)
    return isNegative ? -magnitude : magnitude
  }

  /// The number times a fraction, rounded once while it has no more than 12 digits.
  @inline(__always)
  func value(times numerator: Double, over denominator: Double) -> Double {
    let magnitude =
      Double(whole &* scale &+ fraction) * numerator / (Double(scale) * denominator)
    return isNegative ? -magnitude : magnitude
  }
}

/// What a field holds.
enum NMEAField<Value> {
  case empty
  case value(Value)
  case unreadable
}
