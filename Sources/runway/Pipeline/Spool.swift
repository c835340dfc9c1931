internal import FoundationEssentials
internal import Glibc
internal import RunWayIngest

/// A copy of a pipe's content, so that the logbook is not locked for as long as the pipe's writer takes.
///
/// The copy has no name: however the process ends, nothing of it stays behind.
@MainActor final class Spool {
  /// The copy, under the name of what was copied.
  private(set) var input: TrackInput
  private let descriptor: Int32

  /// Reads a pipe to its end, or to where it turns out to be no track, so that endless noise ends too.
  ///
  /// - Parameters:
  ///   - pipe: What to read.
  ///   - options: How it will be decoded.
  /// - Throws: A `CommandError` where the copy cannot be written. Where the pipe cannot be read, the input
  ///   is left as it was, and fails when it is opened.
  init(of pipe: TrackInput, decoding options: TrackDecoder.Options) throws {
    input = pipe
    let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    var template = Array("\(folder ?? "/tmp")/runway-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw CommandError(
        "cannot make a temporary file: \(SystemError.text(errno))", status: .inputOutput)
    }
    unlink(template)
    guard var chunks = try? ByteChunks(path: pipe.path) else { return }
    if try copy(&chunks, probe: TrackDecoder(options)) {
      // Opened by this name it is read from its beginning: https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html
      input.path = "/proc/self/fd/\(descriptor)"
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Copies a pipe.
  ///
  /// - Returns: Whether it could be read.
  /// - Throws: A `CommandError` where the copy cannot be written.
  private func copy(_ chunks: inout ByteChunks, probe: TrackDecoder) throws(CommandError) -> Bool {
    var probe = probe
    var isTrack = true
    while isTrack {
      var fault: CommandError?
      do {
        let more: Void? = try chunks.withNextChunk { (bytes) throws(IngestError) -> Void in
          do throws(CommandError) {
            try FileOutput.writeAll(bytes, to: descriptor, name: "the temporary file")
          } catch {
            fault = error
          }
          // The copy is decoded again, and fails at the same byte.
          isTrack = probe.reads(bytes)
        }
        if more == nil { return true }
      } catch {
        return false
      }
      if let fault { throw fault }
    }
    return true
  }
}

extension TrackDecoder {
  /// Whether the next bytes of a source can be read; what is found in them is let go.
  fileprivate mutating func reads(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do {
      var elements: [TrackElement] = []
      try consume(bytes, into: &elements)
      while hasBacklog {
        elements.removeAll(keepingCapacity: true)
        try consumeBacklog(into: &elements)
      }
      return true
    } catch {
      return false
    }
  }
}
