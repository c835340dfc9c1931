public import RunWayModel

/// Serialises the tracking of one flight at a time.
public actor RunningCenter {
}
