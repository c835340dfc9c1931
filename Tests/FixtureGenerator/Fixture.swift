/// One file of `Fixtures/`.
struct Fixture {
  /// The path within `Fixtures/`.
  var path: String
  /// What it holds, in one line.
  var summary: String
  var bytes: [UInt8]
}

extension Fixture {
  /// The index of all fixtures, a fixture itself.
  static func index(of fixtures: [Fixture]) -> Fixture {
    var text = """
      # Fixtures

      Tracks of our own making: nobody ran them. `swift run runway-fixtures` writes this folder anew, the same
      bytes each time; `expected.json` is computed from it by `Tests/Tools/reference.py`.

      | file | what it holds |
      |---|---|

      """
    for fixture in fixtures {
      text += "| `\(fixture.path)` | \(fixture.summary) |\n"
    }
    return Fixture(path: "README.md", summary: "", bytes: Array(text.utf8))
  }
}
