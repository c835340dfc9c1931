/// The observations that wait for changes of a logbook.
@MainActor final class ObserverRegistry {
  func tablesChanged(_ tables: Set<String>) {}
}
