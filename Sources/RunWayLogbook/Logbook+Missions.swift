public import RunWayModel

// MARK: - Saved missions

extension Logbook {
  /// Saves a mission by name, in place of one that has that name.
  ///
  /// - Throws: A `LogbookError`: `invalidName` where the name is blank.
  public func saveMission(_ mission: Mission, named name: String) throws(LogbookError) {
    let name = try checkedName(name, of: "a mission")
    try write {
      let pace = mission.pace.secondsPerKilometer
      if let key = try connection.key(of: .mission, named: name) {
        try connection.run(
          "UPDATE mission SET pace = ?2, tolerance = ?3, distance = ?4 WHERE key = ?1",
          key, pace, mission.tolerance, mission.distance?.meters)
      } else {
        try connection.run(
          "INSERT INTO mission (name, pace, tolerance, distance) VALUES (?, ?, ?, ?)",
          name, pace, mission.tolerance, mission.distance?.meters)
      }
    }
  }

  /// The mission that was saved by a name.
  ///
  /// - Throws: A `LogbookError`: `notFound`.
  public func mission(named name: String) throws(LogbookError) -> Mission {
    try savedMission(named: name).mission
  }

  /// A saved mission.
  public struct SavedMission: Sendable, Hashable {
    /// The name it was saved by.
    public var name: String
    /// What it demands.
    public var mission: Mission
    /// The flights flown with it.
    public var flightCount: Int
  }

  /// All saved missions in alphabetical order, each with the number of flights flown with it.
  ///
  /// - Throws: A `LogbookError` where the logbook cannot be read.
  public func missions() throws(LogbookError) -> [SavedMission] {
    try reporting { try savedMissions("ORDER BY \(NameComparison.key(of: "name"))", []) }
  }

  /// The saved mission of a name, with the number of flights flown with it.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is none.
  public func savedMission(named name: String) throws(LogbookError) -> SavedMission {
    try reporting {
      let key = try connection.key(of: .mission, named: name)
      guard let mission = try savedMissions("WHERE key = ?", [key]).first else {
        throw LogbookError(.notFound, "there is no mission “\(name)”")
      }
      return mission
    }
  }

  private func savedMissions(
    _ tail: String, _ values: [(any Bindable)?]
  ) throws -> [SavedMission] {
    var missions: [SavedMission] = []
    try connection.forEachRow(
      """
      SELECT pace, tolerance, distance, name,
        (SELECT count(*) FROM flight WHERE flight.mission = mission.key)
      FROM mission \(tail)
      """, values
    ) {
      missions.append(
        SavedMission(
          name: $0.text(3),
          mission: Mission(
            pace: Pace(secondsPerKilometer: $0.double(0)), tolerance: $0.double(1),
            distance: $0.optionalDouble(2).map { .meters($0) }),
          flightCount: $0.int(4)))
    }
    return missions
  }

  /// Gives a saved mission another name; the flights flown with it tell the new one.
  ///
  /// - Parameters:
  ///   - name: The name it has, whatever the case of its letters.
  ///   - newName: Its name from now on; it may differ by the case of its letters alone.
  /// - Throws: A `LogbookError`: `notFound` where there is none of that name, `invalidName` where the new one is
  ///   blank, or another mission's.
  public func renameMission(_ name: String, to newName: String) throws(LogbookError) {
    try rename(.mission, name, to: newName)
  }

  /// Deletes a saved mission; the flights flown with it keep its numbers.
  ///
  /// - Throws: A `LogbookError`: `notFound` where there is none of that name.
  public func deleteMission(named name: String) throws(LogbookError) {
    try delete(.mission, name)
  }
}
