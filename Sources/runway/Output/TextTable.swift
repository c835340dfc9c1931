/// Rows for people, in columns as wide as they need.
struct TextTable {
  enum Alignment { case left, right }

  private var alignments: [Alignment]
  private var rows: [[String]] = []

  /// Makes a table with a head; a title ends in `>` where its column stands to the right.
  init(_ titles: String...) {
    alignments = titles.map { $0.hasSuffix(">") ? .right : .left }
    rows = [titles.map { $0.hasSuffix(">") ? String($0.dropLast()) : $0 }]
  }

  /// Appends a row.
  mutating func add(_ cells: String...) {
    rows.append(cells)
  }

  /// Appends a row.
  mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  var isEmpty: Bool { rows.count < 2 }

  /// The table as text, every line ended.
  var text: String {
    let widths = alignments.indices.map { column in
      rows.map { $0.indices.contains(column) ? TextWidth.of($0[column]) : 0 }.max() ?? 0
    }
    var text = ""
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - TextWidth.of(cell))
        line += alignments[column] == .left ? cell + space : space + cell
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}

/// The room that text takes on a terminal.
enum TextWidth {
  /// Counts the columns: two for East Asian wide characters and emoji.
  static func of(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
    if character.unicodeScalars.contains(where: { $0.properties.isEmojiPresentation }) { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }

  /// Makes text from a file safe to print: control characters, which could steer the terminal, become spaces.
  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        }))
  }

  /// Cuts text to so many columns.
  static func shortened(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
      used += width(character)
      if used >= columns { break }
      result.append(character)
    }
    return result + "…"
  }
}
