/// Walks over the fields of one sentence, in order.
///
/// The pointers reach into the bytes that the decoder was given, and live no longer than one sentence.
struct NMEAFields {
  var next: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// Whether the last field was the sentence's last.
  var isOver = false

  /// Makes a walk that begins at the first field behind the address.
  @inline(__always)
  init(start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    next = start
    self.end = end
    isOver = start > end
  }

  /// The bytes that are left, for a message.
  var hasMore: Bool { !isOver }

  /// Passes over a field.
  @inline(__always)
  mutating func skip() {
    while next < end, next.pointee != UInt8(ascii: ",") { next += 1 }
    step()
  }

  /// Passes over several fields.
  @inline(__always)
  mutating func skip(_ count: Int) {
    for _ in 0..<count { skip() }
  }

  @inline(__always)
  private mutating func step() {
    if next < end { next += 1 } else { isOver = true }
  }

  /// Reads a field of one character; `nil` where it is empty or longer.
  @inline(__always)
  mutating func character() -> UInt8? {
    guard next < end, next.pointee != UInt8(ascii: ",") else {
      step()
      return nil
    }
    let character = next.pointee
    next += 1
    if next == end || next.pointee == UInt8(ascii: ",") {
      step()
      return character
    }
    skip()
    return nil
  }

  /// Reads a field as text in which a letter other than `N` stands, for modes of several systems.
  @inline(__always)
  mutating func modes() -> (isEmpty: Bool, isFix: Bool) {
    var isEmpty = true
    var isFix = false
    while next < end, next.pointee != UInt8(ascii: ",") {
      isEmpty = false
      if next.pointee != UInt8(ascii: "N") { isFix = true }
      next += 1
    }
    step()
    return (isEmpty, isFix)
  }

  /// Reads a field as a decimal number: sign, at most 7 digits, point, digits.
  @inline(__always)
  mutating func decimal() -> NMEAField<NMEADecimal> {
    if let number = usualDecimal() { return .value(number) }
    return oddDecimal()
  }

  /// Reads a decimal number as most are: a digit, few others, a comma behind them.
  @inline(__always)
  private mutating func usualDecimal() -> NMEADecimal? {
    // At most 12 bytes: no more decimals than count. The byte at `last` is still of the sentence.
    let last = min(next + 12, end - 1)
    var number = NMEADecimal()
    var position = next
    while position < last, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
      number.whole = number.whole &* 10 &+ Int(digit)
      position += 1
    }
    guard position > next, position <= last, number.whole <= 9_999_999 else { return nil }
    if position.pointee == UInt8(ascii: ".") {
      position += 1
      while position < last, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
        number.fraction = number.fraction &* 10 &+ Int(digit)
        number.scale = number.scale &* 10
        position += 1
      }
      guard position <= last else { return nil }
    }
    guard position.pointee == UInt8(ascii: ",") else { return nil }
    next = position + 1
    return number
  }

  @inline(never)
  private mutating func oddDecimal() -> NMEAField<NMEADecimal> {
    if next < end, next.pointee == UInt8(ascii: ",") {
      next += 1
      return .empty
    }
    var number = NMEADecimal()
    var position = next
    while position < end, position.pointee == UInt8(ascii: " ") { position += 1 }
    if position < end, position.pointee == UInt8(ascii: "-") {
      number.isNegative = true
      position += 1
    } else if position < end, position.pointee == UInt8(ascii: "+") {
      position += 1
    }
    let first = position
    while position < end, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
      number.whole = number.whole &* 10 &+ Int(digit)
      if number.whole > 9_999_999 { return unreadable() }
      position += 1
    }
    var hasDigits = position > first
    if position < end, position.pointee == UInt8(ascii: ".") {
      position += 1
      while position < end, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
        // Digits beyond the eleventh are below what a double of degrees holds.
        if number.scale < 100_000_000_000 {
          number.fraction = number.fraction &* 10 &+ Int(digit)
          number.scale = number.scale &* 10
        }
        hasDigits = true
        position += 1
      }
    }
    while position < end, position.pointee == UInt8(ascii: " ") { position += 1 }
    if position == end || position.pointee == UInt8(ascii: ",") {
      let isEmpty = position == next || position == first && !number.isNegative
      next = position
      step()
      return hasDigits ? .value(number) : isEmpty ? .empty : .unreadable
    }
    return unreadable()
  }

  private mutating func unreadable() -> NMEAField<NMEADecimal> {
    skip()
    return .unreadable
  }

  /// Reads a field as a number, absent where it is empty or unreadable.
  @inline(__always)
  mutating func number() -> Double? {
    if case .value(let number) = decimal() { number.value } else { nil }
  }

  /// Reads a field as a number times a fraction, absent where it is empty or unreadable.
  @inline(__always)
  mutating func number(times numerator: Double, over denominator: Double) -> Double? {
    guard case .value(let number) = decimal() else { return nil }
    return number.value(times: numerator, over: denominator)
  }

  /// Reads `dddmm.mmmm` and its hemisphere as degrees.
  ///
  /// The minutes are the two digits before the point, whatever the number of digits before them. The value is
  /// formed as one whole number of the smallest unit written and divided once, hence rounded once.
  @inline(__always)
  mutating func angle(positive: UInt8, negative: UInt8, limit: Int) -> NMEAField<Double> {
    if let angle = usualAngle(positive: positive, negative: negative, limit: limit) {
      return .value(angle)
    }
    return oddAngle(positive: positive, negative: negative, limit: limit)
  }

  /// Reads an angle as most are: all digits of degrees and minutes, 3 to 10 decimals, a hemisphere, a comma.
  @inline(__always)
  private mutating func usualAngle(positive: UInt8, negative: UInt8, limit: Int) -> Double? {
    // No byte behind these is looked at.
    guard end - next >= 24 else { return nil }
    var position = next
    var degrees = 0
    if limit > 99 {
      let hundreds = position.pointee &- UInt8(ascii: "0")
      guard hundreds < 10 else { return nil }
      degrees = Int(hundreds) &* 100
      position += 1
    }
    // `ddmm.mmm`, the point made a 0, falls apart into pairs of digits.
    let word = Self.word(at: position)
    let digits = word ^ UInt64(UInt8(ascii: ".") ^ UInt8(ascii: "0")) << 32
    guard UInt8(truncatingIfNeeded: word >> 32) == UInt8(ascii: "."), Self.areDigits(digits)
    else { return nil }
    let pairs = Self.pairs(digits)
    degrees &+= Int(pairs & 0xff)
    let minutes = Int(pairs >> 16 & 0xff)
    var fraction = Int(pairs >> 32 & 0xff) &* 100 &+ Int(pairs >> 48)
    var scale = 1_000
    position += 8
    let last = position + 7
    while position < last, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
      fraction = fraction &* 10 &+ Int(digit)
      scale = scale &* 10
      position += 1
    }
    let hemisphere = position[1]
    guard minutes < 60, position[0] == UInt8(ascii: ","), position[2] == UInt8(ascii: ","),
      hemisphere == positive || hemisphere == negative
    else { return nil }
    let units = (degrees &* 60 &+ minutes) &* scale &+ fraction
    let angle = Double(units) / Double(60 &* scale)
    guard angle <= Double(limit) else { return nil }
    next = position + 3
    return hemisphere == positive ? angle : -angle
  }

  @inline(never)
  private mutating func oddAngle(
    positive: UInt8, negative: UInt8, limit: Int
  ) -> NMEAField<Double> {
    let number = decimal()
    let hemisphere = character()
    switch number {
    case .empty: return .empty
    case .unreadable: return .unreadable
    case .value(let number):
      let minutes = number.whole % 100
      let degrees = number.whole / 100
      guard !number.isNegative, minutes < 60, degrees <= limit, let hemisphere else {
        return .unreadable
      }
      let units = (degrees &* 60 &+ minutes) &* number.scale &+ number.fraction
      let angle = Double(units) / Double(60 &* number.scale)
      guard angle <= Double(limit) else { return .unreadable }
      if hemisphere == positive { return .value(angle) }
      return hemisphere == negative ? .value(-angle) : .unreadable
    }
  }

  /// Reads latitude and longitude.
  @inline(__always)
  mutating func position() -> NMEAField<(latitude: Double, longitude: Double)> {
    let latitude = angle(positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
    let longitude = angle(positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
    switch (latitude, longitude) {
    case (.value(let latitude), .value(let longitude)): return .value((latitude, longitude))
    case (.empty, .empty): return .empty
    default: return .unreadable
    }
  }
}

// MARK: - Eight digits at once

extension NMEAFields {
  /// The eight bytes at a place, the first in the lowest bits; they must be of the sentence.
  @inline(__always)
  static func word(at place: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
  }

  /// Whether eight bytes are digits: those whose upper half is 3, also when 6 is added.
  @inline(__always)
  static func areDigits(_ word: UInt64) -> Bool {
    let upper: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
    return word & upper | ((word &+ 0x0606_0606_0606_0606) & upper) >> 4 == 0x3333_3333_3333_3333
  }

  /// The numbers that pairs of digits make, the first in the lowest of four 16-bit lanes.
  @inline(__always)
  static func pairs(_ digits: UInt64) -> UInt64 {
    let values = digits & 0x0f0f_0f0f_0f0f_0f0f
    // No byte exceeds 99, so that nothing is carried.
    return (values &* 10 &+ values >> 8) & 0x00ff_00ff_00ff_00ff
  }
}
