import RunWayModel

/// Reads moments by ISO 8601 from bytes, exact to the microsecond.
///
/// `2026-06-09T06:30:00.25+09:00` and what people's files make of it: the basic form `20260609T063000`, `t` or a space for
/// the `T`, a decimal comma, a point without digits, seconds left out, one digit for two as in `2026-6-9T6:30:0Z`,
/// `Z` or `z`, `±hh:mm`, `±hhmm`, `±hh`, `UTC`, or no zone, which is taken as UTC. A zone name in brackets behind an
/// offset says nothing more. Digits beyond the sixth of a fraction are cut off.
/// Hour 24 ends a day; second 60 is the next minute's first. A date alone is no moment.
///
/// The day of the last date is kept, for the next moment mostly lies in it.
struct ISO8601Parser {
  private var cachedDate: (head: UInt64, tail: UInt16) = (0, 0)
  /// Microseconds from 1970 to the beginning of the cached date.
  private var cachedDay: Int64 = 0

  /// Reads one moment that fills the bytes, but for XML white space around it.
  ///
  /// - Parameter text: The bytes.
  /// - Returns: The moment, of a year from 1 to 9999, or `nil` where the bytes are none.
  @inline(__always)
  mutating func parse(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if let start = text.baseAddress, text.count >= 19 {
      var cursor = start
      let end = start + text.count
      if let moment = scan(&cursor, end: end), cursor == end { return moment }
    }
    return parseOddly(text)
  }

  /// Reads `yyyy-mm-ddThh:mm:ss`, a fraction if there is one, and `Z` or `±hh:mm`, at the cursor.
  ///
  /// - Parameters:
  ///   - cursor: Where to begin; moved past what was read.
  ///   - end: Where the bytes end.
  /// - Returns: The moment, or `nil` where there is none, or one in another form.
  @inline(__always)
  mutating func scan(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> Timestamp? {
    guard end - cursor >= 20 else { return nil }
    let text = cursor
    guard text[10] == UInt8(ascii: "T"), let day = day(text) else { return nil }
    guard text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let hour = Self.twoDigits(text + 11), hour < 24,
      let minute = Self.twoDigits(text + 14), minute < 60,
      let second = Self.twoDigits(text + 17), second < 60
    else { return nil }

    var next = text + 19
    var fraction: Int64 = 0
    if next.pointee == UInt8(ascii: ".") {
      next += 1
      guard let microseconds = Self.fraction(&next, end) else { return nil }
      fraction = microseconds
    }
    guard next < end else { return nil }
    var seconds = (hour &* 60 &+ minute) &* 60 &+ second
    if next.pointee == UInt8(ascii: "Z") {
      next += 1
    } else {
      guard end - next >= 6, next[3] == UInt8(ascii: ":"),
        let offset = Self.offset(UnsafeBufferPointer(start: next, count: 6))
      else { return nil }
      next += 6
      seconds &-= offset
    }
    let moment = Timestamp(microseconds: day &+ seconds &* 1_000_000 &+ fraction)
    guard moment >= .earliest, moment <= .latest else { return nil }
    cursor = next
    return moment
  }

  /// Microseconds from 1970 to the date in the next ten bytes, which the caller has seen to be there.
  ///
  /// They are loaded as two integers, at whatever address, only to be compared with the last date's: as `memcmp`,
  /// which is not inlined for the length of ten.
  @inline(__always)
  private mutating func day(_ text: UnsafePointer<UInt8>) -> Int64? {
    let raw = UnsafeRawPointer(text)
    let head = raw.loadUnaligned(as: UInt64.self)
    let tail = raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    if head == cachedDate.head, tail == cachedDate.tail { return cachedDay }
    return readDay(text, head, tail)
  }

  @inline(never)
  private mutating func readDay(
    _ text: UnsafePointer<UInt8>, _ head: UInt64, _ tail: UInt16
  ) -> Int64? {
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let century = Self.twoDigits(text), let yearOfCentury = Self.twoDigits(text + 2),
      let month = Self.twoDigits(text + 5), let day = Self.twoDigits(text + 8)
    else { return nil }
    let year = Int(century * 100 + yearOfCentury)
    guard year >= 1, 1...12 ~= month, day >= 1,
      Int(day) <= Timestamp.daysInMonth(Int(month), year: year)
    else { return nil }
    cachedDate = (head, tail)
    cachedDay =
      Int64(Timestamp.days(year: year, month: Int(month), day: Int(day)))
      * Timestamp.microsecondsPerDay
    return cachedDay
  }

  @inline(__always)
  private static func twoDigits(_ text: UnsafePointer<UInt8>) -> Int64? {
    let tens = text[0] &- UInt8(ascii: "0")
    let ones = text[1] &- UInt8(ascii: "0")
    guard tens <= 9, ones <= 9 else { return nil }
    return Int64(tens) &* 10 &+ Int64(ones)
  }

  /// The digits at the cursor as a fraction of a second; at least one.
  @inline(__always)
  private static func fraction(
    _ next: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Int64? {
    var unit: Int64 = 100_000
    var microseconds: Int64 = 0
    let start = next
    while next < end {
      let digit = next.pointee &- UInt8(ascii: "0")
      if digit > 9 { break }
      microseconds &+= Int64(digit) &* unit
      unit /= 10
      next += 1
    }
    return next > start ? microseconds : nil
  }
}

// MARK: - The other forms

extension ISO8601Parser {
  @inline(never)
  private mutating func parseOddly(_ whole: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let text = whole.trimmingXMLWhiteSpace()
    if let extended = Self.extended(text) {
      return extended.withUnsafeBufferPointer { parseExtended($0) }
    }
    return parseExtended(text)
      ?? Self.padded(text).flatMap { padded in
        padded.withUnsafeBufferPointer { parseExtended($0) }
      }
  }

  /// Puts the marks into the basic form, `yyyymmddThhmm` and what follows it; `nil` where the bytes are not of it.
  private static func extended(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    func areDigits(_ range: Range<Int>) -> Bool {
      range.upperBound <= text.count && text[range].allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    }
    guard areDigits(0..<8), areDigits(9..<13) else { return nil }
    let (dash, colon) = ([UInt8(ascii: "-")], [UInt8(ascii: ":")])
    let date = text[..<4] + dash + text[4..<6] + dash + text[6..<8]
    let time = text[8..<11] + colon + text[11..<13] + (areDigits(13..<15) ? colon : [])
    return date + time + text[13...]
  }

  /// Puts a zero before each part behind the year that has one digit; `nil` where none has.
  private static func padded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var padded = Array(text.prefix(4))
    var rest = text.dropFirst(4)
    for marks in ["-", "-", "Tt ", ":", ":"] {
      guard let mark = rest.first, marks.utf8.contains(mark) else { break }
      let digits = rest.dropFirst().prefix { $0 &- UInt8(ascii: "0") < 10 }
      padded.append(mark)
      if digits.count == 1 { padded.append(UInt8(ascii: "0")) }
      padded += digits
      rest = rest[digits.endIndex...]
    }
    return padded.count + rest.count > text.count ? padded + rest : nil
  }

  private mutating func parseExtended(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard let start = text.baseAddress, text.count >= 16 else { return nil }
    let end = start + text.count
    guard let day = day(start), [UInt8(ascii: "T"), UInt8(ascii: "t"), 0x20].contains(start[10]),
      start[13] == UInt8(ascii: ":"),
      let hour = Self.twoDigits(start + 11), let minute = Self.twoDigits(start + 14)
    else { return nil }

    var next = start + 16
    var second: Int64 = 0
    var fraction: Int64 = 0
    if end - next >= 3, next.pointee == UInt8(ascii: ":") {
      guard let seconds = Self.twoDigits(next + 1) else { return nil }
      second = seconds
      next += 3
      if next < end, next.pointee == UInt8(ascii: ".") || next.pointee == UInt8(ascii: ",") {
        next += 1
        fraction = Self.fraction(&next, end) ?? 0
      }
    }
    guard minute < 60, second <= 60,
      hour < 24 || (hour == 24 && minute == 0 && second == 0 && fraction == 0),
      let offset = Self.offset(UnsafeBufferPointer(start: next, count: end - next))
    else { return nil }
    let seconds = (hour * 60 + minute) * 60 + second - offset
    let moment = Timestamp(microseconds: day + seconds * 1_000_000 + fraction)
    // An offset, or hour 24, may lead out of the calendar.
    return moment >= .earliest && moment <= .latest ? moment : nil
  }

  /// Seconds that a zone is ahead of UTC.
  private static func offset(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var zone = text[...]
    if zone.isEmpty { return 0 }
    if zone.first == 0x20 { zone.removeFirst() }
    if zone.last == UInt8(ascii: "]") {
      guard let bracket = zone.firstIndex(of: UInt8(ascii: "[")) else { return nil }
      zone = zone[..<bracket]
    }
    let bytes = UnsafeBufferPointer(rebasing: zone)
    guard let start = bytes.baseAddress, let first = bytes.first else { return nil }
    if bytes.elementsEqual("UTC".utf8) || bytes.elementsEqual("GMT".utf8) { return 0 }
    switch first {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      return bytes.count == 1 ? 0 : nil
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let minuteOffset: Int
      switch bytes.count {
      case 3: minuteOffset = 0
      case 5: minuteOffset = 3
      case 6 where bytes[3] == UInt8(ascii: ":"): minuteOffset = 4
      default: return nil
      }
      guard let hours = twoDigits(start + 1), hours <= 23,
        let minutes = minuteOffset == 0 ? 0 : twoDigits(start + minuteOffset), minutes < 60
      else { return nil }
      let seconds = (hours * 60 + minutes) * 60
      return first == UInt8(ascii: "-") ? -seconds : seconds
    default:
      return nil
    }
  }
}
