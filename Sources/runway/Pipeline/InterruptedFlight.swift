internal import RunWayIngest
internal import RunWayModel

/// What an interrupted flight holds, and which track of a stream goes on with it.
struct InterruptedFlight: Sendable {
  /// All that is stored of it.
  let locations: [Location]
  /// What of its source could not be used, by reason.
  let rejected: [String: Int]
  /// The track of a file that it was flown from, counted from 0; `nil` where none is known to be.
  private var track: Int?

  init(locations: [Location] = [], rejected: [String: Int] = [:]) {
    self.locations = locations.filter(\.isValid)
    self.rejected = rejected
  }

  /// What begins so many seconds after the flight's last location is another run.
  private static let longestBreak = 86_400.0

  /// So many locations without a time tell no more of a track than the first.
  private static let mostUndated = 8

  /// What of the beginning of a track tells whether it goes on with a flight.
  ///
  /// - Parameters:
  ///   - locations: What has been read of the track.
  ///   - isWhole: Whether no more comes.
  /// - Returns: Its first valid locations, up to the first that bears a time; `nil` where more must be read.
  static func head(of locations: [Location], isWhole: Bool) -> [Location]? {
    var head: [Location] = []
    for location in locations where location.isValid {
      head.append(location)
      if location.time != nil || head.count == mostUndated { return head }
    }
    return isWhole ? head : nil
  }

  /// Whether a track goes on with the flight.
  ///
  /// A file replayed again holds the flight's own locations. A stream that went on in the meantime holds
  /// others, which are later, by a day at the most; what was run before the flight began is another run.
  ///
  /// - Parameters:
  ///   - number: Which track of its source it is, counted from 0.
  ///   - head: Its first valid locations, up to the first that bears a time.
  ///   - format: What its source is. A receiver's log is one track, whatever it begins with.
  /// - Returns: Whether it does.
  func goesOn(inTrack number: Int, from head: [Location], of format: TrackFormat?) -> Bool {
    if let track { return number == track }
    guard let origin = locations.first, let first = head.first, !first.isSame(as: origin),
      let time = head.first(where: { $0.time != nil })?.time,
      let start = locations.first(where: { $0.time != nil })?.time,
      let end = locations.last(where: { $0.time != nil })?.time
    else { return true }
    let isLater = format == .nmea || time >= start
    return isLater && time.seconds(since: end) <= InterruptedFlight.longestBreak
  }

  /// Looks through a file for the track that the flight was flown from: that which begins with the most of
  /// its locations.
  ///
  /// - Parameters:
  ///   - path: A file, which is read from its start.
  ///   - options: How it is decoded. A log of sentences is a single track, and is not looked through.
  mutating func findTrack(in path: String, options: TrackDecoder.Options) {
    // What is wrong with the file is told when it is flown.
    guard var chunks = try? ByteChunks(path: path) else { return }
    var decoder = TrackDecoder(options)
    var search = TrackSearch(locations)
    var isAtEnd = false
    while !isAtEnd, !search.isDecided, decoder.format != .nmea {
      var elements: [TrackElement] = []
      do throws(IngestError) {
        isAtEnd = try !decoder.consumeNext(of: &chunks, into: &elements)
      } catch {
        isAtEnd = true
        decoder.salvage(into: &elements)
      }
      for element in elements { search.take(element) }
    }
    track = search.best
  }
}

/// Finds the track that begins with the most of some locations.
private struct TrackSearch {
  let locations: [Location]
  /// The track found so far, counted from 0.
  private(set) var best: Int?
  private var most = 0
  private var track = -1
  private var matched = 0
  private var hasDiffered = false

  init(_ locations: [Location]) {
    self.locations = locations
  }

  /// Whether a track was found that no other can better.
  var isDecided: Bool { most == locations.count }

  mutating func take(_ element: TrackElement) {
    switch element {
    case .began:
      track += 1
      matched = 0
      hasDiffered = false
    case .locations(let batch):
      for location in batch where location.isValid && !hasDiffered && matched < locations.count {
        if location.isSame(as: locations[matched]) {
          matched += 1
        } else {
          hasDiffered = true
        }
      }
      if matched > most { (most, best) = (matched, track) }
    case .redated, .ended:
      break
    }
  }
}

extension Location {
  /// Whether it is the same fix, as a recording is known by.
  func isSame(as other: Location) -> Bool {
    latitude == other.latitude && longitude == other.longitude && time == other.time
      && altitude == other.altitude
  }
}
