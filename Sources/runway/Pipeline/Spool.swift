internal import FoundationEssentials
internal import Glibc
internal import RunWayIngest

/// A copy of a pipe's content, so that the logbook is not locked for as long as the pipe's writer takes.
@MainActor struct Spool {
  /// The copy, under the name of what was copied.
  private(set) var input: TrackInput

  /// Reads a pipe to its end.
  ///
  /// - Parameter pipe: What to read.
  /// - Throws: A `CommandError` where the copy cannot be written. Where the pipe cannot be read, the input
  ///   is left as it was, and fails when it is opened.
  init(of pipe: TrackInput) throws {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    var template = Array("\(folder ?? "/tmp")/runway-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw CommandError(
        "cannot make a temporary file: \(SystemError.text(errno))", status: .inputOutput)
    }
    defer { close(descriptor) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    input = TrackInput(name: pipe.name, path: path, isSpool: true)
    do {
      let unreadable = try Spool.copy(pipe.path, to: descriptor, name: path)
      guard unreadable else { return }
    } catch {
      unlink(path)
      throw error
    }
    unlink(path)
    input = pipe
  }

  /// Copies a pipe.
  ///
  /// - Returns: Whether the pipe could not be read.
  /// - Throws: A `CommandError` where the copy cannot be written.
  private static func copy(
    _ pipe: String, to descriptor: Int32, name: String
  ) throws(CommandError) -> Bool {
    guard var chunks = try? ByteChunks(path: pipe) else { return true }
    while true {
      var fault: CommandError?
      do {
        let more: Void? = try chunks.withNextChunk { (bytes) throws(IngestError) -> Void in
          fault = writingFault(bytes, descriptor, name)
        }
        if more == nil { return false }
      } catch {
        return true
      }
      if let fault { throw fault }
    }
  }

  private static func writingFault(
    _ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ name: String
  ) -> CommandError? {
    do throws(CommandError) {
      try FileOutput.writeAll(bytes, to: descriptor, name: name)
      return nil
    } catch {
      return error
    }
  }

  func remove() {
    if input.isSpool { unlink(input.path) }
  }
}
