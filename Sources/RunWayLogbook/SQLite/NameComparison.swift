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

  /// Makes the comparisons known to a connection, as `sameName(name, other)` and `nameHas(name, part)`.
  static func register(on connection: OpaquePointer) {
    // It can only fail for a misuse, or where memory is short; then the queries that need it fail.
    register("sameName", on: connection) { context, _, values in
      NameComparison.answer(context, values, by: NameComparison.isSame)
    }
    register("nameHas", on: connection) { context, _, values in
      NameComparison.answer(context, values, by: NameComparison.has)
    }
  }

  private typealias Function =
    @convention(c) (
      OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  private static func register(
    _ name: String, on connection: OpaquePointer, _ function: Function
  ) {
    sqlite3_create_function_v2(
      connection, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function,
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
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
