/// The identity of a recording, by its content.
///
/// Two recordings are the same where the sequences of segment, latitude, longitude, time and
/// altitude of their valid locations are; mission, name and options do not matter. Segments are
/// told apart by where they change, not by their numbers, so that empty segments do not matter.
@frozen public struct RecordingFingerprint: Sendable, Hashable {
  /// The first half of 128 bits.
  public var high: UInt64
  /// The second half.
  public var low: UInt64

  /// Makes a fingerprint from its two halves.
  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The fingerprint as 32 hexadecimal digits.
  public var hexadecimal: String {
    func digits(_ half: UInt64) -> String {
      let text = String(half, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }
}

/// Builds a recording's fingerprint, location by location.
///
/// Times are hashed as differences from the first one, which is mixed in at the end: a track whose
/// date becomes known late is only moved, and its fingerprint with it, without a second pass.
/// The mixing step is the 64×64→128-bit multiply-and-fold of wyhash, on two independent lanes.
@frozen public struct RecordingFingerprinter: Sendable {
  @usableFromInline var first: UInt64 = 0x9e37_79b9_7f4a_7c15
  @usableFromInline var second: UInt64 = 0xbf58_476d_1ce4_e5b9
  @usableFromInline var count: UInt64 = 0
  @usableFromInline var origin: Timestamp?
  @usableFromInline var lastSegment: Int32 = -1
  @usableFromInline var segmentOrdinal: UInt64 = 0

  /// Makes a fingerprinter that has seen nothing.
  @inlinable public init() {}

  @inlinable static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inlinable mutating func mix(_ left: UInt64, _ right: UInt64) {
    first = Self.fold(first ^ left, right ^ 0xa076_1d64_78bd_642f) &+ right
    second = Self.fold(second ^ right, left ^ 0xe703_7ed1_a0b4_28db) &+ left
  }

  /// Takes the next valid location of the recording.
  @inlinable public mutating func update(with location: Location) {
    if location.segment != lastSegment {
      lastSegment = location.segment
      segmentOrdinal &+= 1
    }
    // Adding 0 makes −0 and 0 one.
    mix((location.latitude + 0).bitPattern, (location.longitude + 0).bitPattern)
    var time: UInt64 = 0x8000_0000_0000_0000
    if let moment = location.time {
      let start = origin ?? moment
      origin = start
      time = UInt64(bitPattern: moment.microseconds &- start.microseconds)
    }
    let altitude = location.altitude.map { ($0 + 0).bitPattern } ?? 0x7ff8_dead_0000_0000
    mix(time, altitude &+ segmentOrdinal &* 0x9e37_79b9_7f4a_7c15)
    count &+= 1
  }

  /// Moves every time seen so far.
  public mutating func redate(byMicroseconds shift: Int64) {
    origin = origin?.shifted(byMicroseconds: shift)
  }

  /// The fingerprint of what was taken so far.
  public var fingerprint: RecordingFingerprint {
    var last = self
    let start = origin.map { UInt64(bitPattern: $0.microseconds) } ?? 0x8000_0000_0000_0000
    last.mix(count, start)
    last.mix(start, count)
    return RecordingFingerprint(high: last.first, low: last.second)
  }
}
