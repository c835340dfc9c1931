extension GPXReader {
  /// How much of everything a document holds, for the error of one that holds no recording.
  struct Census: Equatable {
    var tracks = 0
    var segments = 0
    var points = 0
    var validPoints = 0
    var routes = 0
    var routePoints = 0
    var waypoints = 0

    /// Why a well-formed document is no recording, if it is none.
    ///
    /// - Parameter firstUnusable: Why the first unusable position is unusable.
    /// - Returns: The reason, or `nil` where it is one.
    func missingRecording(firstUnusable: IngestReport.Note?) -> IngestError? {
      if validPoints > 0 { return nil }
      if points > 0 {
        let why = firstUnusable.map { ": \($0.reason)" } ?? ""
        let lack = points == 1 ? "its only point has no" : "none of its \(points) points has a"
        return IngestError(
          .notARecording, line: firstUnusable?.line, reason: "\(lack) usable position\(why)")
      }
      func amount(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
      }
      var contents: [String] = []
      if tracks > 0 {
        contents.append(
          tracks == 1 ? "a track without points" : "\(tracks) tracks without points")
      }
      if routes > 0 {
        contents.append(
          "\(routes == 1 ? "a route" : "\(routes) routes") of \(amount(routePoints, "point"))"
        )
      }
      if waypoints > 0 { contents.append(amount(waypoints, "waypoint")) }
      if contents.isEmpty { return IngestError(.notARecording, reason: "it holds no track") }
      let list = contents.joined(separator: " and ")
      let lack = tracks > 0 ? "" : ", but no track"
      return IngestError(.notARecording, reason: "it holds \(list)\(lack)")
    }
  }
}
