import Foundation

/// Real files of other projects, where `RUNWAY_CORPUS` names their folder.
enum Corpus {
  static let folder = ProcessInfo.processInfo.environment["RUNWAY_CORPUS"]
  static var isPresent: Bool { folder != nil }

  /// A line of a manifest, by the names of its columns.
  struct Row: Sendable, CustomStringConvertible {
    var columns: [String: String]

    subscript(column: String) -> String { columns[column] ?? "" }
    var file: String { self["file"].isEmpty ? self["input"] : self["file"] }
    var description: String { file }
  }

  /// The rows of a folder's manifest.
  static func manifest(_ kind: String) -> [Row] {
    guard let folder,
      let text = try? String(contentsOfFile: "\(folder)/\(kind)/MANIFEST.tsv", encoding: .utf8)
    else { return [] }
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { Row(columns: Dictionary(zip(names, $0)) { first, _ in first }) }
  }

  /// What became of every file of the corpus in one import of a folder: the JSON lines by file name.
  ///
  /// With `--force`, for some files hold the same recording; the date is for those that bear none.
  static let imported: [String: [JSONValue]] = importAll("--date", "2026-06-09T12:00Z")

  /// The same without a date.
  static let importedUndated: [String: [JSONValue]] = importAll()

  private static func importAll(_ options: String...) -> [String: [JSONValue]] {
    guard let folder, let book = try? LogbookOnDisk(),
      let result = try? book.runway(["import", "--json", "--force"] + options + [folder]),
      let lines = try? result.jsonLines()
    else { return [:] }
    return Dictionary(grouping: lines) { line in
      (line["path"].string ?? "").split(separator: "/").suffix(2).joined(separator: "/")
    }
  }

  static func lines(_ kind: String, _ row: Row, dated: Bool = true) -> [JSONValue] {
    (dated ? imported : importedUndated)["\(kind)/\(row.file)"] ?? []
  }
}

extension JSONValue: @unchecked Sendable {
  // `value` is a tree of immutable Foundation values that nobody else holds.
}
