import Foundation
import Testing

/// The README's own words.
enum Readme {
  static var text: String {
    get throws {
      let root = URL(fileURLWithPath: Fixture.folder).deletingLastPathComponent()
      return try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    }
  }

  /// The members that the table of JSON names gives for a thing.
  ///
  /// - Returns: The names by the member that they stand in; those of the thing itself by "".
  static func members(_ thing: String) throws -> [String: Set<String>] {
    let line = try text.split(separator: "\n").first { $0.hasPrefix("| \(thing) |") }
    let cell = try #require(line).dropFirst(thing.count + 5)
    var members: [String: Set<String>] = [:]
    var outer = ""
    var depth = 0
    for (index, piece) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    {
      if index.isMultiple(of: 2) {
        depth += piece.count { "[{(".contains($0) } - piece.count { "]})".contains($0) }
      } else if depth == 0 {
        outer = String(piece)
        members["", default: []].insert(outer)
      } else {
        members[outer, default: []].insert(String(piece))
      }
    }
    return members
  }

  static var flightMembers: Set<String> {
    get throws { try members("a flight")[""] ?? [] }
  }

  /// The statements of the example for the `sqlite3` shell.
  static var exampleSQL: String {
    get throws {
      let parts = try text.components(separatedBy: "<!-- example:sql -->\n```sql\n")
      try #require(parts.count == 2)
      return try #require(parts[1].components(separatedBy: "```").first)
    }
  }
}
