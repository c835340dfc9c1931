internal import CSQLite
public import RunWayModel

/// The main-actor persistence service over one SQLite file.
@MainActor public final class Logbook {
}
