/// What the splits of a flight are measured in.
public enum SplitUnit: String, Sendable, Hashable, CaseIterable, Codable {
  /// 1000 m.
  case kilometer
  /// The international mile, 1609.344 m.
  case mile
}
