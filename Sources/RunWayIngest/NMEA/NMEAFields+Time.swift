import RunWayModel

/// The date that was read last, and its bytes: most sentences repeat it.
struct NMEADateMemory {
  /// Seven bytes as `date` compares them; 0 before the first.
  var text: UInt64 = 0
  var days = 0
}

// MARK: - Times of day

extension NMEAFields {
  /// Reads `hhmmss.sss` as microseconds of the day.
  ///
  /// A leap second, `235960`, is the first moment of the next day.
  @inline(__always)
  mutating func timeOfDay() -> NMEAField<Int64> {
    if let time = usualTimeOfDay() { return .value(time) }
    return oddTimeOfDay()
  }

  /// Reads a time of day as most are: six digits, at most six decimals, a comma behind them.
  @inline(__always)
  private mutating func usualTimeOfDay() -> Int64? {
    // No byte behind these is looked at.
    guard end - next >= 16 else { return nil }
    let digits = Self.word(at: next) << 16 | 0x3030
    guard Self.areDigits(digits) else { return nil }
    let pairs = Self.pairs(digits)
    let hour = Int64(pairs >> 16 & 0xff)
    let minute = Int64(pairs >> 32 & 0xff)
    let second = Int64(pairs >> 48)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var micros: Int64 = 0
    var position = next + 6
    if position.pointee == UInt8(ascii: ".") {
      position += 1
      var unit: Int64 = 100_000
      while unit > 0, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
        micros &+= Int64(digit) &* unit
        unit /= 10
        position += 1
      }
    }
    guard position.pointee == UInt8(ascii: ",") else { return nil }
    next = position + 1
    return ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000 &+ micros
  }

  @inline(never)
  private mutating func oddTimeOfDay() -> NMEAField<Int64> {
    let start = next
    switch decimal() {
    case .empty: return .empty
    case .unreadable: return .unreadable
    case .value(let number):
      let hour = number.whole / 10_000
      let minute = number.whole / 100 % 100
      let second = number.whole % 100
      guard hour < 24, minute < 60, second <= 60, !number.isNegative,
        isTight(start, next)
      else { return .unreadable }
      var micros = number.fraction
      var scale = number.scale
      while scale < 1_000_000 {
        micros &*= 10
        scale &*= 10
      }
      while scale > 1_000_000 {
        micros /= 10
        scale /= 10
      }
      return .value(Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(micros))
    }
  }

  /// Whether a field that was read begins with five digits and ends with no space.
  ///
  /// A time of day is what tells epochs apart; what is not written as one is not guessed at.
  @inline(__always)
  private func isTight(_ start: UnsafePointer<UInt8>, _ next: UnsafePointer<UInt8>) -> Bool {
    let stop = isOver ? next : next - 1
    guard stop - start >= 5, stop[-1] != UInt8(ascii: " ") else { return false }
    for index in 0..<5 where start[index] &- UInt8(ascii: "0") > 9 { return false }
    return true
  }
}

// MARK: - Dates

extension NMEAFields {
  /// Reads `ddmmyy` or `ddmmyyyy` as days since 1970-01-01; two-digit years are 1980–2079.
  @inline(__always)
  mutating func date(_ last: inout NMEADateMemory) -> NMEAField<Int> {
    let start = next
    // Six bytes and a comma; the byte behind them is shifted out.
    let text = end - start >= 8 ? Self.word(at: start) << 8 : 0
    if text != 0, text == last.text {
      next = start + 7
      return .value(last.days)
    }
    let date = newDate()
    if case .value(let days) = date, next - start == 7, start[6] == UInt8(ascii: ",") {
      last = NMEADateMemory(text: text, days: days)
    }
    return date
  }

  @inline(never)
  private mutating func newDate() -> NMEAField<Int> {
    let start = next
    skip()
    let stop = isOver ? next : next - 1
    var digits = 0
    var count = 0
    for position in 0..<(stop - start) {
      let digit = start[position] &- UInt8(ascii: "0")
      guard digit < 10, count < 8 else { return .unreadable }
      digits = digits * 10 + Int(digit)
      count += 1
    }
    switch count {
    case 0: return .empty
    case 6:
      return Self.days(
        year: Self.fullYear(digits % 100), month: digits / 100 % 100, day: digits / 10_000)
    case 8:
      return Self.days(
        year: digits % 10_000, month: digits / 10_000 % 100, day: digits / 1_000_000)
    default: return .unreadable
    }
  }

  /// Reads day, month and year of ZDA as days since 1970-01-01.
  @inline(__always)
  mutating func separateDate() -> NMEAField<Int> {
    let day = decimal()
    let month = decimal()
    let year = decimal()
    switch (day, month, year) {
    case (.empty, .empty, .empty): return .empty
    case (.value(let day), .value(let month), .value(let year)):
      let full = year.whole < 100 ? Self.fullYear(year.whole) : year.whole
      return Self.days(year: full, month: month.whole, day: day.whole)
    default: return .unreadable
    }
  }

  private static func fullYear(_ year: Int) -> Int { year < 80 ? 2_000 + year : 1_900 + year }

  private static func days(year: Int, month: Int, day: Int) -> NMEAField<Int> {
    guard (1_980...2_199).contains(year), (1...12).contains(month),
      (1...Timestamp.daysInMonth(month, year: year)).contains(day)
    else { return .unreadable }
    return .value(Timestamp.days(year: year, month: month, day: day))
  }
}
