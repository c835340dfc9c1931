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
  /// What is no whole sentence.
  case broken(NMEABreak, next: Int)
}

/// Why a sentence is not whole.
enum NMEABreak: String {
  /// Another one, a control character or the source's end cuts it short.
  case cut
  /// It is longer than any that is looked at.
  case length
  /// No two hexadecimal digits stand behind its `*`.
  case checksum

  /// A clause that explains it.
  func reason(in name: String) -> String {
    switch self {
    case .cut: "\(name) is cut short"
    case .length: "\(name) is longer than \(NMEAFraming.longestSentence) bytes"
    case .checksum: "the checksum of \(name) is not two hexadecimal digits"
    }
  }
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
    let limit = min(bytes.count, start + longestSentence)
    var sum: UInt64 = 0
    let end = fieldsEnd(in: bytes, from: start + 1, to: limit, sum: &sum)
    if end == limit {
      if limit - start >= longestSentence { return .broken(.length, next: limit) }
      guard isLast else { return .incomplete }
      return isBare ? .sentence(end: end, next: end, check: .absent) : .broken(.cut, next: end)
    }
    switch bytes[end] {
    case UInt8(ascii: "*"):
      return checked(in: bytes, at: end, computed: folded(sum), isLast: isLast)
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return .sentence(end: end, next: end, check: .absent)
    default:
      return .broken(.cut, next: end)
    }
  }

  /// Whether a sentence's address follows the `$`: three to twelve capitals or digits, then a comma or the end.
  @inline(__always)
  static func hasAddress(in bytes: UnsafeRawBufferPointer, at start: Int, end: Int) -> Bool {
    if end - start >= 8, isUsualAddress(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    {
      return true
    }
    var index = start + 1
    while index < end, isAddressByte(bytes[index]) { index += 1 }
    let length = index - start - 1
    return (3...12).contains(length) && (index == end || bytes[index] == UInt8(ascii: ","))
  }

  /// Whether five capitals and a comma stand behind the first byte.
  ///
  /// Added to a byte below 0x80, 0x3f sets the high bit from `A` on, and 0x25 from behind `Z` on.
  @inline(__always)
  private static func isUsualAddress(_ bytes: UInt64) -> Bool {
    let word = UInt64(littleEndian: bytes)
    let letters: UInt64 = 0x0000_ffff_ffff_ff00 & 0x0101_0101_0101_0101
    let address = word & 0x0000_7f7f_7f7f_7f00
    let isLetter = (address &+ letters &* 0x3f) & ~(address &+ letters &* 0x25) & ~word
    let all = letters &* 0x80
    return isLetter & all == all && (word >> 48) & 0xff == 0x2c
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "A") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  /// Finds the first `*`, `$` or control character, and XORs the bytes before it.
  ///
  /// Sixteen bytes, then eight at a time pass where all lie between `+` and 0x7f, as nearly all do. The first that
  /// does not is looked at by itself.
  @inline(__always)
  private static func fieldsEnd(
    in bytes: UnsafeRawBufferPointer, from start: Int, to limit: Int, sum: inout UInt64
  ) -> Int {
    guard let base = bytes.baseAddress else { return limit }
    var index = start
    // No index overflows, and no load passes the limit: both are at most the number of bytes.
    while index &+ 16 <= limit {
      let first = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = base.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
      guard (hits(in: first) | hits(in: second)) & highs == 0 else { break }
      sum ^= first ^ second
      index &+= 16
    }
    while index &+ 8 <= limit {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = hits(in: word) & highs
      if hits == 0 {
        sum ^= word
        index &+= 8
        continue
      }
      let before = hits.trailingZeroBitCount & ~7
      sum ^= word & ((1 << UInt64(before)) &- 1)
      index &+= before / 8
      if isEnd(bytes[index]) { return index }
      sum ^= UInt64(bytes[index])
      index &+= 1
    }
    while index < limit {
      if isEnd(bytes[index]) { return index }
      sum ^= UInt64(bytes[index])
      index &+= 1
    }
    return limit
  }

  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Sets the high bit of each of eight bytes that does not lie between `+` and 0x7f; the other bits say nothing.
  ///
  /// Added to a byte below 0x80, 0x55 sets the high bit from `+` on. A higher byte may carry into the ones behind it,
  /// but is a hit itself: the first hit is always a true one.
  @inline(__always)
  private static func hits(in word: UInt64) -> UInt64 {
    word | ~(word &+ 0x5555_5555_5555_5555)
  }

  @inline(__always)
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "$") || byte < 0x20
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
    guard star + 1 < bytes.count else {
      return isLast ? .broken(.cut, next: star + 1) : .incomplete
    }
    guard let high = hexadecimal(bytes[star + 1]) else {
      // A mark that the line ends behind is a checksum left out.
      return isLineEnd(bytes[star + 1])
        ? .sentence(end: star, next: star + 1, check: .absent)
        : .broken(breakBehindMark(bytes[star + 1]), next: star + 1)
    }
    var stated = high
    var next = star + 2
    if next < bytes.count {
      if let low = hexadecimal(bytes[next]) {
        stated = high << 4 | low
        next += 1
      } else if high != computed {
        return .broken(
          isLineEnd(bytes[next]) ? .checksum : breakBehindMark(bytes[next]), next: next)
      }
    } else if !isLast {
      return .incomplete
    } else if high != computed {
      return .broken(.cut, next: next)
    }
    let check = stated == computed ? NMEACheck.right : .wrong(stated: stated, computed: computed)
    return .sentence(end: star, next: next, check: check)
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }

  /// What is wrong where a byte stands in a digit's place: a character is no digit, all else cuts the sentence.
  private static func breakBehindMark(_ byte: UInt8) -> NMEABreak {
    let beginsAnother = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
    return byte > 0x20 && byte < 0x7f && !beginsAnother ? .checksum : .cut
  }

  @inline(__always)
  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte &- UInt8(ascii: "0") < 10 { return byte &- UInt8(ascii: "0") }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}
