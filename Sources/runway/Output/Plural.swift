/// Counted things.
enum Plural {
  /// `1 alert`, `2 alerts`.
  static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
