import RunWayModel

/// The sentences of one time of day, put together.
///
/// Absent numbers are NaN.
struct NMEAEpoch {
  enum State {
    /// No sentence with a time of day has come.
    case none
    /// Sentences are being added.
    case open
    /// The location is given; what comes later is ignored.
    case ended
  }

  var state = State.none
  /// Microseconds of the day.
  var timeOfDay: Int64 = -1
  /// Days since 1970-01-01, provisional until the stream names a date; set with the position.
  var day = 0
  /// The date that a sentence of this epoch named.
  var date: Int?
  var lastType = NMEAType.rmc
  /// Whether a sentence was rejected since the epoch began.
  var isDamaged = false

  var hasPosition = false
  var latitude = Double.nan
  var longitude = Double.nan
  var altitude = Double.nan
  var speed = Double.nan
  var course = Double.nan
  var hdop = Double.nan

  /// The location that the epoch makes.
  @inline(__always)
  var location: Location {
    Location(
      latitude: latitude, longitude: longitude,
      altitude: altitude.isNaN ? nil : altitude,
      // Midnights without end, or a day near the calendar's end, lead no further than to its end.
      time: Timestamp(microseconds: NMEAClock.microseconds(day: day, timeOfDay: timeOfDay))
        .shifted(byMicroseconds: 0),
      speed: speed.isNaN ? nil : speed,
      course: course.isNaN ? nil : course,
      hdop: hdop.isNaN ? nil : hdop)
  }
}

/// The epochs that ended last, by which a late sentence is known.
///
/// Three are enough for sentences that overtake one another, and few enough that a time of day which a
/// restarted receiver repeats is a new epoch.
struct NMEAEndedEpochs {
  private typealias Ended = (timeOfDay: Int64, date: Int?)

  /// The newest first.
  private var ended: (Ended, Ended, Ended) = ((-1, nil), (-1, nil), (-1, nil))

  mutating func add(_ epoch: NMEAEpoch) {
    ended = ((epoch.timeOfDay, epoch.date), ended.0, ended.1)
  }

  /// Whether one of them is of a time of day, and not of another date.
  ///
  /// - Parameters:
  ///   - timeOfDay: Microseconds of the day, not negative.
  ///   - date: The date that the sentence names, if it names one.
  /// - Returns: Whether a sentence of them is a late one.
  @inline(__always)
  func contain(_ timeOfDay: Int64, date: Int?) -> Bool {
    func isIt(_ epoch: Ended) -> Bool {
      epoch.timeOfDay == timeOfDay && (date == nil || epoch.date == nil || date == epoch.date)
    }
    return isIt(ended.0) || isIt(ended.1) || isIt(ended.2)
  }
}
