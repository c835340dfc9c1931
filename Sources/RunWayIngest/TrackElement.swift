public import RunWayModel

/// One piece of what a decoder finds, in the order of the source.
public enum TrackElement: Sendable, Hashable {
  /// A track begins.
  case began(TrackInfo)
  /// Locations of the open track; ones whose coordinates can't be used stand among them, not valid.
  case locations([Location])
  /// The date of the open track has become known: every time given so far moves by so many microseconds.
  case redated(byMicroseconds: Int64)
  /// The open track ends; the info is complete, and the report covers this track alone.
  case ended(TrackInfo, IngestReport)
}

/// What of a source could not be used.
public struct IngestReport: Sendable, Hashable {
  /// One thing that was passed over.
  public struct Note: Sendable, Hashable {
    /// The line of the source, counted from 1.
    public var line: Int
    /// A clause such as “latitude “49,97” is not a number”.
    public var reason: String

    /// Makes a note.
    public init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }
  }

  /// How many notes are kept.
  public static let noteLimit = 5

  /// What was rejected, counted by reason ("checksum", "time", "date", …).
  public var rejected: [String: Int] = [:]
  /// The first few, by line.
  public var notes: [Note] = []

  /// Makes a report of nothing.
  public init() {}

  /// Whether nothing was passed over.
  public var isEmpty: Bool { rejected.isEmpty && notes.isEmpty }

  /// Counts a rejection, and keeps its line while few are kept.
  ///
  /// - Parameters:
  ///   - kind: The reason to count it under, one word.
  ///   - line: The line of the source.
  ///   - reason: Makes the clause that explains it; called only if the note is kept.
  public mutating func reject(_ kind: String, line: Int, _ reason: () -> String) {
    rejected[kind, default: 0] += 1
    if notes.count < IngestReport.noteLimit {
      notes.append(Note(line: line, reason: reason()))
    }
  }
}
