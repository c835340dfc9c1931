/// One file of `Fixtures/`.
struct Fixture {
  /// The path within `Fixtures/`.
  var path: String
  /// What it holds, in one line.
  var summary: String
  var bytes: [UInt8]
}

extension Fixture {
  /// Files of the folder that the generator does not write.
  static let others = [
    ("expected.json", "what the runs amount to, computed by `Tests/Tools/reference.py`"),
    ("logbook-v1.sql", "a logbook of the first released schema"),
  ]

  /// The index of all fixtures, a fixture itself.
  static func index(of fixtures: [Fixture]) -> Fixture {
    var text = """
      # Fixtures

      Tracks of our own making: nobody ran them. `swift run runway-fixtures` writes them anew, the same
      bytes each time.

      | file | what it holds |
      |---|---|

      """
    for fixture in fixtures {
      text += "| `\(fixture.path)` | \(fixture.summary) |\n"
    }
    for (path, summary) in others { text += "| `\(path)` | \(summary) |\n" }
    return Fixture(path: "README.md", summary: "", bytes: Array(text.utf8))
  }
}
