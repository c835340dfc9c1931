/// What the splits of a flight are measured in.
public enum SplitUnit: String, Sendable, Hashable, CaseIterable, Codable {
  case kilometer
  case mile
}
