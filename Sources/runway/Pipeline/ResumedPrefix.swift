internal import RunWayIngest
internal import RunWayModel

/// Tells what of a stream an interrupted flight already holds.
///
/// A file replayed again begins with the same locations, which are passed over; a receiver's stream goes
/// on somewhere else, and begins a segment of its own, for nobody knows what lies between.
struct ResumedPrefix {
  private let locations: [Location]
  private let rejectedBefore: [String: Int]
  private var matched = 0
  private var segmentShift: Int32?

  init(_ flight: InterruptedFlight = InterruptedFlight()) {
    locations = flight.locations
    rejectedBefore = flight.rejected
  }

  /// What could not be used in all, given what of the stream could not.
  ///
  /// A stream replayed from its start tells again what was told before; another one tells more.
  func rejected(with counts: [String: Int]) -> [String: Int] {
    let isOtherStream = (segmentShift ?? 0) != 0
    return counts.merging(rejectedBefore) { isOtherStream ? $0 + $1 : max($0, $1) }
  }

  var isEmpty: Bool { locations.isEmpty }

  /// The locations of a batch that are new.
  mutating func continuation(of batch: [Location]) -> [Location] {
    var new: [Location] = []
    for location in batch {
      if segmentShift == nil {
        guard location.isValid else { continue }
        if matched < locations.count, location.isSame(as: locations[matched]) {
          matched += 1
          continue
        }
        // Having matched from the start to the end, the stream simply goes on.
        let isSameSource = matched == locations.count
        segmentShift = isSameSource ? 0 : (locations.last?.segment ?? 0) &+ 1
      }
      var location = location
      location.segment = location.segment &+ (segmentShift ?? 0)
      new.append(location)
    }
    return new
  }
}

/// Holds the head of a resumed stream back until its date is known.
///
/// A stream that begins in the middle of an epoch tells a time of day first and its date later. In a
/// new flight all times move then; here they stand behind times that are right already.
struct ResumedHead {
  private var held: [TrackElement] = []

  /// A receiver that names no date is not waited for much longer than one that does.
  private static let mostLocations = 8

  /// Takes what was decoded, and gives back what can be flown.
  ///
  /// - Parameters:
  ///   - elements: What was decoded; then what can be flown.
  ///   - isDated: Whether the times are final.
  /// - Returns: What to go on with; `nil` once nothing is held back any more.
  func settle(_ elements: inout [TrackElement], isDated: Bool) -> ResumedHead? {
    var head = self
    for element in elements {
      guard case .redated(let shift) = element else {
        head.held.append(element)
        continue
      }
      head.held = head.held.map { ResumedHead.moved($0, byMicroseconds: shift) }
    }
    let count = head.held.reduce(0) { count, element in
      guard case .locations(let batch) = element else { return count }
      return count + batch.count
    }
    let isSettled = isDated || count >= ResumedHead.mostLocations
    elements = isSettled ? head.held : []
    return isSettled ? nil : head
  }

  private static func moved(
    _ element: TrackElement, byMicroseconds shift: Int64
  ) -> TrackElement {
    guard case .locations(var batch) = element else { return element }
    for index in batch.indices {
      batch[index].time = batch[index].time?.shifted(byMicroseconds: shift)
    }
    return .locations(batch)
  }
}
