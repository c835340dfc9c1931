internal import CZlib

/// Inflates a gzip archive of any number of members, or a zlib stream, chunk by chunk.
///
/// A class because it owns a `z_stream`, whose address zlib keeps; use it from one task at a time.
final class Gunzip {
  private enum State {
    /// Inside a member.
    case inside
    /// Behind a member: another one, padding or rubbish may follow.
    case behind
    /// In what follows the last member, which gzip(1) ignores too.
    case rubbish
  }

  /// `inflate` stops behind so many bytes: deflate packs up to 1,032 into one, which would fill the memory
  /// if what a chunk inflates to were decoded at a stretch.
  private static let outputLimit = 262_144

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var state = State.inside

  /// Makes an inflater, or `nil` where there is no memory for one.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    output = .allocate(capacity: 65_536)
    // All stored properties are set: `deinit` runs, and `inflateEnd` takes a stream that was never begun.
    guard runway_inflateInitAutomatic(stream) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
    output.deallocate()
  }

  /// Whether the first bytes of a source are those of an archive; `nil` where more are needed.
  static func isArchive(_ bytes: some Collection<UInt8>) -> Bool? {
    guard let first = bytes.first else { return nil }
    guard first == 0x1f || first == 0x78 else { return false }
    guard let second = bytes.dropFirst().first else { return nil }
    // RFC 1952; RFC 1950 with the window and levels that zlib writes.
    return first == 0x1f ? second == 0x8b : [0x01, 0x5e, 0x9c, 0xda].contains(second)
  }

  /// Inflates the next bytes, or as many of them as bound what comes of them.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - body: Takes what they inflate to, piece by piece; the pieces must not be kept.
  /// - Returns: How many bytes were used; the rest is to be given again.
  /// - Throws: An `IngestError` of code `malformed` where the archive is damaged, and what `body` throws.
  func inflate(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(IngestError) -> Void
  ) throws(IngestError) -> Int {
    var rest = bytes[...]
    var room = Self.outputLimit
    while !rest.isEmpty, room > 0 {
      switch state {
      case .rubbish: return bytes.count
      case .behind:
        let first = rest[rest.startIndex]
        if first == 0 {
          rest = rest.dropFirst()
        } else if first == 0x1f, inflateReset(stream) == Z_OK {
          state = .inside
        } else {
          state = .rubbish
        }
      case .inside:
        try inflateMember(&rest, &room, body)
      }
    }
    return bytes.count - rest.count
  }

  /// Inflates up to the end of the bytes, of the member or of the room for what they inflate to.
  private func inflateMember(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ room: inout Int,
    _ body: (UnsafeRawBufferPointer) throws(IngestError) -> Void
  ) throws(IngestError) {
    // zlib counts in 32 bits.
    let input = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
    // zlib does not write to its input, only its older headers do not say so.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    var code = Z_OK
    // What zlib holds back for want of room is given out before the last byte counts as used.
    repeat {
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      code = CZlib.inflate(stream, Z_NO_FLUSH)
      let count = output.count - Int(stream.pointee.avail_out)
      if count > 0 { try body(UnsafeRawBufferPointer(start: output.baseAddress, count: count)) }
      room -= count
    } while code == Z_OK
      && (stream.pointee.avail_in > 0 ? room > 0 : stream.pointee.avail_out == 0)
    rest = rest.dropFirst(input.count - Int(stream.pointee.avail_in))
    switch code {
    // No progress: all input is used, and more of it is needed.
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: state = .behind
    default:
      let message = stream.pointee.msg.map { String(cString: $0) } ?? "error \(code)"
      throw IngestError(.malformed, reason: "the archive is damaged: \(message)")
    }
  }

  /// Takes the end of the source.
  ///
  /// - Throws: An `IngestError` of code `malformed` where the archive is cut short.
  func finish() throws(IngestError) {
    if state == .inside {
      throw IngestError(.malformed, reason: "the archive is cut short")
    }
  }
}
