internal import Glibc

/// The sentences that are used; all others are passed over.
enum NMEAType: UInt8 {
  case rmc, gga, gll, gns, vtg, zda

  /// Recognises a type by the three letters behind the talker.
  @inline(__always)
  init?(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    switch UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third) {
    case 0x52_4d_43: self = .rmc
    case 0x47_47_41: self = .gga
    case 0x47_4c_4c: self = .gll
    case 0x47_4e_53: self = .gns
    case 0x56_54_47: self = .vtg
    case 0x5a_44_41: self = .zda
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .rmc: "RMC"
    case .gga: "GGA"
    case .gll: "GLL"
    case .gns: "GNS"
    case .vtg: "VTG"
    case .zda: "ZDA"
    }
  }
}

/// What stands at a `$` or `!`.
enum NMEAFrame {
  /// More bytes are needed to say.
  case incomplete
  /// A whole sentence; its fields end at `end`.
  case sentence(end: Int, next: Int, check: NMEACheck)
  /// A sentence that another one, a control character or the source's end cuts short.
  case cut(next: Int)
}

/// What a sentence's checksum says.
enum NMEACheck {
  case absent
  case right
  case wrong(stated: UInt8, computed: UInt8)
}

/// Finds where sentences end, and holds their checksums against their bytes.
enum NMEAFraming {
  /// The longest sentence that is looked at, in bytes from the `$` to the end of its fields.
  ///
  /// The standard allows 82; receivers that write more decimals exceed it. The bound is what keeps
  /// an endless line from growing the memory.
  static let longestSentence = 1_024

  /// What stands behind the fields at most: `*` and two digits.
  static let tail = 3

  /// Looks at the sentence that begins at `start`.
  ///
  /// What is found depends on the bytes up to the returned index alone, never on how many more there are, so
  /// that any way to cut the source gives the same.
  ///
  /// - Parameters:
  ///   - bytes: The bytes at hand.
  ///   - start: The index of the `$` or `!`.
  ///   - isLast: Whether the source ends with these bytes.
  ///   - isBare: Whether a sentence without a checksum may end with the source.
  /// - Returns: What stands there.
  @inline(__always)
  static func frame(
    in bytes: UnsafeRawBufferPointer, at start: Int, isLast: Bool, isBare: Bool
  ) -> NMEAFrame {
    if let frame = usualFrame(in: bytes, at: start) { return frame }
    let limit = min(bytes.count, start + longestSentence)
    var sum: UInt64 = 0
    let end = fieldsEnd(in: bytes, from: start + 1, to: limit, sum: &sum)
    if end == limit {
      if limit - start >= longestSentence { return .cut(next: limit) }
      guard isLast else { return .incomplete }
      return isBare ? .sentence(end: end, next: end, check: .absent) : .cut(next: end)
    }
    switch bytes[end] {
    case UInt8(ascii: "*"):
      return checked(in: bytes, at: end, computed: folded(sum), isLast: isLast)
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return .sentence(end: end, next: end, check: .absent)
    default:
      return .cut(next: end)
    }
  }

  /// Frames a sentence as most are: whole at hand, of usual length, with two digits behind its `*`.
  ///
  /// The C library finds the `*`, and the loop over the words before it has no exit, so that the
  /// compiler makes vectors of it. Whatever is unusual is left to the exact way.
  @inline(__always)
  private static func usualFrame(in bytes: UnsafeRawBufferPointer, at start: Int) -> NMEAFrame? {
    let window = min(bytes.count - start - tail, 128)
    guard window > 0, let base = bytes.baseAddress,
      let star = memchr(base + start, 0x2a, window)
    else { return nil }
    let end = UnsafeRawPointer(star) - base
    guard end - start > 8 else { return nil }
    var sum: UInt64 = 0
    var ends: UInt64 = 0
    var index = start + 1
    while index + 8 <= end {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      sum ^= word
      ends |= endMarks(word)
      index += 8
    }
    if index < end {
      // The last word is read again up to the star; what it overlaps is shifted out.
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
      let rest = word >> UInt64(8 * (8 - (end - index)))
      sum ^= rest
      // The bytes shifted in are 0, which would look like ends.
      ends |= endMarks(rest | ~0 << UInt64(8 * (end - index)))
    }
    guard ends & 0x8080_8080_8080_8080 == 0, let high = hexadecimal(bytes[end + 1]),
      let low = hexadecimal(bytes[end + 2])
    else { return nil }
    let stated = high << 4 | low
    let computed = folded(sum)
    let check = stated == computed ? NMEACheck.right : .wrong(stated: stated, computed: computed)
    return .sentence(end: end, next: end + tail, check: check)
  }

  /// Sets the high bit of some byte where a byte is a `$` or a control character.
  @inline(__always)
  private static func endMarks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let dollar = word ^ (ones &* 0x24)
    return (word &- ones &* 0x20) & ~word | (dollar &- ones) & ~dollar
  }

  /// Whether a sentence's address follows the `$`: three to twelve capitals or digits, then a comma or the end.
  @inline(__always)
  static func hasAddress(in bytes: UnsafeRawBufferPointer, at start: Int, end: Int) -> Bool {
    var index = start + 1
    while index < end, isAddressByte(bytes[index]) { index += 1 }
    let length = index - start - 1
    return (3...12).contains(length) && (index == end || bytes[index] == UInt8(ascii: ","))
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "A") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  /// Finds the first `*`, `$` or control character, and XORs the bytes before it.
  ///
  /// Eight bytes at a time: a byte is below 0x20, or equal to a pattern, where the subtraction borrows
  /// into its high bit and the byte itself has none. A borrow can only spill into the bytes behind a hit, so
  /// that the first hit is always a true one.
  @inline(__always)
  private static func fieldsEnd(
    in bytes: UnsafeRawBufferPointer, from start: Int, to limit: Int, sum: inout UInt64
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while index + 8 <= limit {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let star = word ^ (ones &* 0x2a)
      let hits = (endMarks(word) | (star &- ones) & ~star) & highs
      if hits != 0 {
        let before = hits.trailingZeroBitCount & ~7
        sum ^= word & ((1 << UInt64(before)) &- 1)
        return index + before / 8
      }
      sum ^= word
      index += 8
    }
    while index < limit {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x2a || byte == 0x24 { return index }
      sum ^= UInt64(byte)
      index += 1
    }
    return limit
  }

  @inline(__always)
  private static func folded(_ sum: UInt64) -> UInt8 {
    var sum = sum
    sum ^= sum >> 32
    sum ^= sum >> 16
    sum ^= sum >> 8
    return UInt8(truncatingIfNeeded: sum)
  }

  /// Reads the one or two digits behind the `*`; one digit is what a receiver writes that drops leading zeros.
  @inline(__always)
  private static func checked(
    in bytes: UnsafeRawBufferPointer, at star: Int, computed: UInt8, isLast: Bool
  ) -> NMEAFrame {
    guard star + 1 < bytes.count else { return isLast ? .cut(next: star + 1) : .incomplete }
    guard let high = hexadecimal(bytes[star + 1]) else { return .cut(next: star + 1) }
    var stated = high
    var next = star + 2
    if next < bytes.count {
      if let low = hexadecimal(bytes[next]) {
        stated = high << 4 | low
        next += 1
      } else if high != computed {
        return .cut(next: next)
      }
    } else if !isLast {
      return .incomplete
    } else if high != computed {
      return .cut(next: next)
    }
    let check = stated == computed ? NMEACheck.right : .wrong(stated: stated, computed: computed)
    return .sentence(end: star, next: next, check: check)
  }

  @inline(__always)
  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte &- UInt8(ascii: "0") < 10 { return byte &- UInt8(ascii: "0") }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}
