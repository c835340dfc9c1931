internal import CSQLite

/// How names are compared: whatever the case of their letters, and in whichever of Unicode's ways a letter is
/// composed.
///
/// SQLite's own NOCASE, which the tables' indexes go by, folds the 26 letters of ASCII alone:
/// https://sqlite.org/datatype3.html#collating_sequences
enum NameComparison {
  /// Whether two names are one.
  static func isSame(_ name: String, _ other: String) -> Bool {
    folded(name) == folded(other)
  }

  /// Whether a name has a part.
  static func has(_ name: String, _ part: String) -> Bool {
    let (name, part) = (folded(name), folded(part))
    // By characters, for which “é” is “é” however it is composed; and by bytes, for what someone types may end
    // within a character, as it does in Devanagari.
    return name.contains(part) || name.utf8.contains(part.utf8)
  }

  /// A text in which letters have one case.
  ///
  /// Up and down again, for some letters meet only above: “ß” and “ss” in “SS”, “ς” and “σ” in “Σ”.
  private static func folded(_ text: String) -> String { text.uppercased().lowercased() }

  // MARK: In SQL

  /// What to sort by where names are to stand in order.
  ///
  /// No table or index is made with it: other programs could not use them.
  static func key(of column: String) -> String { "foldedName(\(column)) COLLATE canonical" }

  /// Makes the comparisons known to a connection, as `sameName(name, other)`, `nameHas(name, part)`,
  /// `foldedName(name)`, and the collation `canonical`.
  static func register(on connection: OpaquePointer) {
    // It can only fail for a misuse, or where memory is short; then the queries that need it fail.
    register("sameName", on: connection) { context, _, values in
      NameComparison.answer(context, values, by: NameComparison.isSame)
    }
    register("nameHas", on: connection) { context, _, values in
      NameComparison.answer(context, values, by: NameComparison.has)
    }
    // A list is sorted by many comparisons; folding, which takes long, comes once for each name.
    register("foldedName", arguments: 1, on: connection) { context, _, values in
      guard let name = values.flatMap({ NameComparison.text($0[0]) }) else {
        return sqlite3_result_null(context)
      }
      let folded = NameComparison.folded(name)
      runway_sqlite3_result_text(context, folded, UInt64(folded.utf8.count))
    }
    sqlite3_create_collation_v2(
      connection, "canonical", SQLITE_UTF8, nil,
      { _, count, text, otherCount, other in
        let left = NameComparison.text(text, count: count)
        let right = NameComparison.text(other, count: otherCount)
        return left < right ? -1 : left == right ? 0 : 1
      }, nil)
  }

  private typealias Function =
    @convention(c) (
      OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  private static func register(
    _ name: String, arguments: Int32 = 2, on connection: OpaquePointer, _ function: Function
  ) {
    sqlite3_create_function_v2(
      connection, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      function,
      nil, nil, nil)
  }

  /// Answers a call from SQL: NULL where either text is.
  private static func answer(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    by compare: (String, String) -> Bool
  ) {
    guard let values, let name = text(values[0]), let other = text(values[1]) else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_int(context, compare(name, other) ? 1 : 0)
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    guard let start = sqlite3_value_text(value) else { return nil }
    return text(UnsafeRawPointer(start), count: sqlite3_value_bytes(value))
  }

  private static func text(_ start: UnsafeRawPointer?, count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
