/// Why a source, or the rest of it, cannot be read.
public struct IngestError: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Code: Sendable, Hashable {
    /// The source is malformed: broken XML, a damaged archive.
    case malformed
    /// The source is well formed and holds no recording.
    case notARecording
    /// The content is of no format that RunWay reads.
    case unknownFormat
    /// The source has times of day and no date.
    case noDate
    /// The source cannot be opened or read.
    case io(errno: Int32)
  }

  /// The kind of fault.
  public var code: Code
  /// The line of the source, counted from 1, where one can be named.
  public var line: Int?
  /// A clause that says what is wrong.
  public var reason: String

  /// Makes an error.
  public init(_ code: Code, line: Int? = nil, reason: String) {
    self.code = code
    self.line = line
    self.reason = reason
  }

  /// The error in one sentence for the terminal: `file:line: reason`.
  ///
  /// - Parameter path: The source’s name.
  /// - Returns: One line, without a line end.
  public func description(in path: String) -> String {
    line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
  }
}
