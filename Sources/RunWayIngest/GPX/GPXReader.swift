internal import CLibXML2
import RunWayModel

/// What the elements of a GPX document amount to: libxml2's events go in, tracks of locations come out.
///
/// Elements are told by their local name at the right place, and by namespace only where it matters: the
/// children of GPX elements must be GPX's own, and extensions may be of any namespace. libxml2 interns names,
/// so that they are compared by address. No event makes a `String` or an object, but for a track's name.
struct GPXReader {
  /// The innermost open element that means something; elements that mean nothing are counted in `skipped`.
  private enum Place {
    case document, gpx, route, track, trackExtensions, segment, point, pointExtensions
  }

  /// A value that stands as the text of an element, or as an attribute of a point.
  enum Field: UInt8 {
    case latitude, longitude
    case elevation, time, speed, course, hdop, heartRate, cadence, power
    case name, type, creator, calories, maxSpeed, date
    /// A text that means nothing.
    case ignored
  }

  /// How much of everything a document holds, for the error of one that holds no recording.
  struct Census: Equatable {
    var tracks = 0
    var segments = 0
    var points = 0
    var validPoints = 0
    var routes = 0
    var routePoints = 0
    var waypoints = 0
  }

  /// How many locations are handed out at once, at most: less memory than `malloc` asks the system for each time.
  static let batchSize = 512
  /// How deep elements may be nested: libxml2's own limit, which it checks only where it builds a tree.
  private static let deepestNesting = 256
  /// Bytes of a name or type that are kept.
  static let longestName = 4_096

  private let names: GPXNames
  private let joinsTracks: Bool
  /// The parser, for the line it is at.
  private let parser: xmlParserCtxtPtr

  private(set) var census = Census()
  /// What was found and not yet fetched.
  var elements: [TrackElement] = []
  private var batch: [Location] = []
  /// Why the document is none of ours.
  private(set) var failure: IngestError?
  /// The first fault libxml2 reported.
  var syntaxError: IngestError?
  /// Why the first unusable position is unusable.
  private var firstUnusable: IngestReport.Note?

  private var place = Place.document
  private var skipped = 0
  /// Elements open within a point's or track's extensions.
  private var extensionDepth = 0
  private var root: GPXElementName?
  private var creator: String?

  private var info = TrackInfo()
  private(set) var report = IngestReport()
  /// Whether `began` of the open track has been given.
  private var trackHasBegun = false
  private var segment: Int32 = -1
  private var point = Location(latitude: .nan, longitude: .nan)

  private var field: Field?
  private var text: FieldText
  private var clock = ISO8601Parser()
  private var lastNamespace: (uri: UnsafePointer<xmlChar>, isGarmin: Bool)?

  /// What is learned from the open point, while one is learned from.
  private var lesson: GPXPointLesson?
  /// The namespaces declared so far.
  private var namespaceCount = 0

  /// Whether only padding stands behind the document's end; the first byte of it has ended libxml2's work.
  private(set) var isPadded = false
  /// Whether the document has a type declaration, so that texts may hide in entities.
  var hasDoctype = false
  /// Whether the innermost open element is a segment.
  var isBetweenPoints: Bool { place == .segment && skipped == 0 }

  init(parser: xmlParserCtxtPtr, joinsTracks: Bool) {
    self.parser = parser
    self.joinsTracks = joinsTracks
    names = GPXNames(in: parser)
    text = FieldText()
  }

  /// Frees what the reader holds outside of Swift's care.
  mutating func destroy() {
    text.deallocate()
  }

  /// The name of the innermost open element, as it is written.
  var openElement: String? {
    parser.pointee.name.map { String(cString: $0) }
  }

  /// The line of the document that the parser is at, also while it reads an entity.
  var line: Int {
    guard parser.pointee.inputNr > 0, let input = parser.pointee.inputTab[0] else { return 1 }
    return Int(input.pointee.line)
  }

  /// The line that the bytes given to the parser end in.
  var lastLine: Int {
    guard let input = parser.pointee.input, let next = input.pointee.cur else { return line }
    let unread = UnsafeBufferPointer(start: next, count: max(0, input.pointee.end - next))
    return line + unread.count { $0 == UInt8(ascii: "\n") }
  }
}

/// An element's name, by the addresses of libxml2's interned strings.
struct GPXElementName {
  var local: UnsafePointer<xmlChar>
  var prefix: UnsafePointer<xmlChar>?
  var uri: UnsafePointer<xmlChar>?
}

// MARK: - Events

extension GPXReader {
  mutating func startElement(
    _ name: GPXElementName, namespaceCount: Int,
    attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    self.namespaceCount &+= namespaceCount
    lesson?.elementCount += 1
    if parser.pointee.nameNr > Self.deepestNesting { return failForDepth() }
    if skipped > 0 {
      skipped += 1
      return
    }
    let local = name.local
    switch place {
    case .segment:
      if local == names.trkpt, isOwn(name) {
        beginPoint(attributes, count)
      } else {
        skipped = 1
      }
    case .point:
      if isOwn(name) {
        if local == names.extensions {
          place = .pointExtensions
          extensionDepth = 1
        } else {
          capture(names.pointField(local))
        }
      } else {
        place = .pointExtensions
        extensionDepth = 0
        startPointExtension(name)
      }
    case .pointExtensions:
      startPointExtension(name)
    case .track:
      startTrackChild(name)
    case .trackExtensions:
      if names.isCalories(local) {
        capture(.calories)
      } else if local == names.creator, name.uri == names.runway {
        capture(.creator)
      } else if local == names.maxSpeed, name.uri == names.runway {
        capture(.maxSpeed)
      } else if local == names.date, name.uri == names.runway {
        capture(.date)
      } else {
        extensionDepth += 1
        // An export of ours says who wrote the source it came from, or that nobody did.
        if local == names.flight, name.uri == names.runway { info.creator = nil }
        if local == names.undated, name.uri == names.runway { info.isUndated = true }
      }
    case .gpx:
      startTopLevel(name)
    case .route:
      if local == names.rtept { census.routePoints += 1 }
      skipped = 1
    case .document:
      startRoot(name, attributes, count)
    }
  }

  mutating func endElement() {
    if skipped > 0 {
      skipped -= 1
      if skipped > 0 { return }
      if let field {
        self.field = nil
        lesson?.endValue(isEmpty: text.bytes.trimmingXMLWhiteSpace().isEmpty)
        take(text.bytes, as: field)
      }
      if place != .pointExtensions || extensionDepth > 0 { return }
      // The value stood in an extension right below the point.
      place = .point
      return
    }
    switch place {
    case .pointExtensions:
      extensionDepth -= 1
      if extensionDepth == 0 { place = .point }
    case .point:
      place = .segment
      endPoint()
    case .segment:
      place = .track
    case .trackExtensions:
      extensionDepth -= 1
      if extensionDepth == 0 { place = .track }
    case .track:
      place = .gpx
      if !joinsTracks { endTrack() }
    case .route:
      place = .gpx
    case .gpx, .document:
      place = .document
    }
  }

  @inline(__always)
  mutating func characters(_ bytes: UnsafePointer<xmlChar>, _ count: Int) {
    if field != nil { text.append(bytes, count) }
  }

  /// Notes that a value holds an entity that lies outside of the document, and so is not read.
  mutating func passOver(entity name: UnsafePointer<xmlChar>) {
    guard field != nil, let entity = xmlGetDocEntity(parser.pointee.myDoc, name),
      entity.pointee.etype == XML_EXTERNAL_GENERAL_PARSED_ENTITY
    else { return }
    report.reject("entity", line: line) {
      "the entity “\(String(cString: name))” lies outside of the document, and is not read"
    }
  }

  private mutating func failForDepth() {
    failure =
      failure
      ?? IngestError(
        .malformed, line: line,
        reason: "elements are nested more than \(Self.deepestNesting) deep")
    xmlStopParser(parser)
  }

  private mutating func capture(_ field: Field) {
    skipped = 1
    if field == .ignored { return }
    self.field = field
    lesson?.beginValue(field)
    text.removeAll()
  }

  /// Whether an element belongs to GPX: it has the root's namespace or none, or the root's undeclared prefix.
  private func isOwn(_ name: GPXElementName) -> Bool {
    guard let uri = name.uri else { return name.prefix == nil || name.prefix == root?.prefix }
    return uri == root?.uri || uri == names.gpx10 || uri == names.gpx11
  }
}

// MARK: - Document and tracks

extension GPXReader {
  private mutating func startRoot(
    _ name: GPXElementName, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int
  ) {
    guard name.local == names.gpx else {
      let element = String(cString: name.local)
      failure = IngestError(
        .unknownFormat, line: line, reason: "its root element is <\(element)>, not <gpx>")
      xmlStopParser(parser)
      return
    }
    root = name
    place = .gpx
    forEachAttribute(attributes, count) { reader, local, value in
      guard local == reader.names.creator else { return }
      reader.creator = Self.string(value)
    }
  }

  private mutating func startTopLevel(_ name: GPXElementName) {
    let isOwn = isOwn(name)
    if name.local == names.trk, isOwn {
      place = .track
      beginTrack()
    } else if name.local == names.rte, isOwn {
      census.routes += 1
      place = .route
    } else {
      if name.local == names.wpt, isOwn { census.waypoints += 1 }
      skipped = 1
    }
  }

  private mutating func beginTrack() {
    census.tracks += 1
    if joinsTracks, census.tracks > 1 { return }
    info = TrackInfo(creator: creator)
    report = IngestReport()
    segment = -1
  }

  private mutating func startTrackChild(_ name: GPXElementName) {
    guard isOwn(name) else {
      skipped = 1
      return
    }
    if name.local == names.trkseg {
      place = .segment
      census.segments += 1
      segment &+= 1
    } else if name.local == names.extensions {
      place = .trackExtensions
      extensionDepth = 1
    } else if name.local == names.name, info.name == nil {
      capture(.name)
    } else if name.local == names.type, info.type == nil {
      capture(.type)
    } else {
      skipped = 1
    }
  }

  /// Ends the open track, if it has points.
  mutating func endTrack() {
    guard trackHasBegun else { return }
    flush()
    trackHasBegun = false
    elements.append(.ended(info, report))
  }

  /// Hands out the locations found so far.
  mutating func flush() {
    if batch.isEmpty { return }
    elements.append(.locations(batch))
    batch.removeAll(keepingCapacity: true)
  }

  private static func string(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let trimmed = text.trimmingXMLWhiteSpace()
    return trimmed.isEmpty ? nil : String(decoding: trimmed.prefix(longestName), as: UTF8.self)
  }
}

// MARK: - Points

extension GPXReader {
  private mutating func beginPoint(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) {
    place = .point
    point = emptyPoint
    var hasLatitude = false
    var hasLongitude = false
    forEachAttribute(attributes, count) { reader, local, value in
      if local == reader.names.lat {
        hasLatitude = true
        reader.take(value, as: .latitude)
      } else if local == reader.names.lon {
        hasLongitude = true
        reader.take(value, as: .longitude)
      }
    }
    if !hasLatitude { noteUnusable("its latitude is missing") }
    if !hasLongitude { noteUnusable("its longitude is missing") }
  }

  private mutating func startPointExtension(_ name: GPXElementName) {
    if name.local == names.longitude, name.uri == names.runway { return capture(.longitude) }
    let field = names.extensionField(name.local)
    switch field {
    case .ignored:
      extensionDepth += 1
    case .speed, .course:
      // Other namespaces have speeds in other units.
      capture(isOwn(name) || isGarmin(name) ? field : .ignored)
    default:
      capture(field)
    }
  }

  /// Whether an element is of any version of Garmin's TrackPointExtension, or of no namespace known.
  private mutating func isGarmin(_ name: GPXElementName) -> Bool {
    guard let uri = name.uri else { return true }
    if let lastNamespace, lastNamespace.uri == uri { return lastNamespace.isGarmin }
    let isGarmin = String(cString: uri).hasPrefix(
      "http://www.garmin.com/xmlschemas/TrackPointExtension/")
    lastNamespace = (uri, isGarmin)
    return isGarmin
  }

  /// A point of the open segment that says nothing.
  var emptyPoint: Location {
    Location(latitude: .nan, longitude: .nan, segment: segment)
  }

  private mutating func endPoint() {
    add(point)
  }

  /// Takes a whole point of the open segment.
  @inline(__always)
  mutating func add(_ point: Location) {
    if !trackHasBegun {
      trackHasBegun = true
      elements.append(.began(info))
    }
    census.points += 1
    if point.isValid { census.validPoints += 1 }
    if batch.capacity == 0 { batch.reserveCapacity(Self.batchSize) }
    batch.append(point)
    if batch.count == Self.batchSize { flush() }
  }

  /// Takes the text of a field of the open point or track.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, as field: Field) {
    switch field {
    case .latitude: point.latitude = coordinate(bytes, "latitude", limit: 90)
    case .longitude: point.longitude = coordinate(bytes, "longitude", limit: 180)
    case .elevation:
      if point.altitude == nil { point.altitude = number(bytes, "elevation") }
    case .time:
      if point.time == nil { point.time = moment(bytes) }
    case .speed:
      if point.speed == nil { point.speed = magnitude(bytes, "speed") }
    case .course:
      if point.course == nil { point.course = direction(bytes) }
    case .hdop:
      if point.hdop == nil { point.hdop = magnitude(bytes, "hdop") }
    case .heartRate:
      if point.heartRate == nil { point.heartRate = magnitude(bytes, "heart rate") }
    case .cadence:
      if point.cadence == nil { point.cadence = magnitude(bytes, "cadence") }
    case .power:
      if point.power == nil { point.power = magnitude(bytes, "power") }
    case .name: info.name = Self.string(bytes)
    case .type: info.type = Self.string(bytes)
    case .creator: info.creator = Self.string(bytes)
    case .calories:
      if info.calories == nil { info.calories = magnitude(bytes, "calories") }
    case .maxSpeed:
      if let speed = magnitude(bytes, "maxSpeed"), speed > 0 { info.maxSpeed = speed }
    case .date: info.date = moment(bytes)
    case .ignored: break
    }
  }
}

// MARK: - Values

extension GPXReader {
  /// Numbers beyond are no measure of a run; sums of them would not stay finite.
  static let largestMeasure = 1e6

  @inline(__always)
  private mutating func coordinate(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString, limit: Double
  ) -> Double {
    guard let value = DecimalParser.parse(bytes) else {
      noteUnusable("\(name) \(Self.quoted(bytes)) is not a number")
      return .nan
    }
    if abs(value) > limit { noteUnusable("\(name) \(Self.quoted(bytes)) is out of range") }
    return value
  }

  @inline(__always)
  private mutating func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString
  ) -> Double? {
    if let value = DecimalParser.parse(bytes), abs(value) <= Self.largestMeasure { return value }
    reject(bytes, name)
    return nil
  }

  /// A number that is absent where it is negative.
  @inline(__always)
  private mutating func magnitude(
    _ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString
  ) -> Double? {
    guard let value = number(bytes, name) else { return nil }
    return value >= 0 ? value : nil
  }

  private mutating func direction(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let value = magnitude(bytes, "course") else { return nil }
    return value < 360 ? value : value == 360 ? 0 : nil
  }

  @inline(__always)
  private mutating func moment(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    if let moment = clock.parse(bytes) { return moment }
    reject(bytes, "time")
    return nil
  }

  /// Counts a value that can't be read; an empty element is merely absent.
  @inline(never)
  private mutating func reject(_ bytes: UnsafeBufferPointer<UInt8>, _ name: StaticString) {
    if bytes.trimmingXMLWhiteSpace().isEmpty { return }
    report.reject("\(name)", line: line) {
      name.description == "time"
        ? "time \(Self.quoted(bytes)) can't be read" : "\(name) \(Self.quoted(bytes)) is not usable"
    }
  }

  /// Notes why the open point has no usable position; it is counted where flights are measured.
  @inline(never)
  private mutating func noteUnusable(_ reason: @autoclosure () -> String) {
    if firstUnusable != nil, report.notes.count >= IngestReport.noteLimit { return }
    let note = IngestReport.Note(line: line, reason: reason())
    firstUnusable = firstUnusable ?? note
    if report.notes.count < IngestReport.noteLimit { report.notes.append(note) }
  }

  private static func quoted(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let shown = String(decoding: bytes.trimmingXMLWhiteSpace().prefix(40), as: UTF8.self)
    return "“\(shown)\(bytes.count > 40 ? "…" : "")”"
  }

  @inline(__always)
  private mutating func forEachAttribute(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int,
    _ body: (inout GPXReader, UnsafePointer<xmlChar>, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let attributes else { return }
    // libxml2 gives five pointers an attribute: local name, prefix, URI, the value's start and end.
    for index in 0..<count {
      let attribute = attributes + index * 5
      guard attribute[1] == nil, let local = attribute[0], let start = attribute[3],
        let end = attribute[4]
      else { continue }
      let value = UnsafeBufferPointer(start: start, count: end - start)
      if value.contains(UInt8(ascii: "&")),
        let text = GPXAttributeText.resolve(value, in: parser.pointee.myDoc)
      {
        text.withUnsafeBufferPointer { body(&self, local, $0) }
      } else {
        body(&self, local, value)
      }
    }
  }
}

// MARK: - Padding

extension GPXReader {
  /// Whether a byte says nothing behind a document: NUL, with which watches lay out a file, ^Z, or white space.
  static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0 || byte == 0x1a || byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Takes what libxml2 has called extra content, if it is padding.
  mutating func notePadding() {
    guard root != nil, place == .document, let input = parser.pointee.input,
      let next = input.pointee.cur
    else { return }
    let unread = UnsafeBufferPointer(start: next, count: max(0, input.pointee.end - next))
    isPadded = unread.allSatisfy(Self.isPadding)
  }
}

// MARK: - Lessons

extension GPXReader {
  /// The namespace bindings in force, as a value that changes whenever they do.
  var scope: GPXNamespaceScope {
    GPXNamespaceScope(declared: namespaceCount, open: parser.pointee.nsNr)
  }

  /// Begins to note which elements of the next point mean what.
  mutating func beginLesson() { lesson = GPXPointLesson() }

  /// Ends that.
  mutating func endLesson() -> GPXPointLesson? {
    defer { lesson = nil }
    return lesson
  }
}

// MARK: - Verdict

extension GPXReader {
  /// Why a well-formed document is no recording, if it is none.
  var missingRecording: IngestError? {
    if census.validPoints > 0 { return nil }
    if census.points > 0 {
      let why = firstUnusable.map { ": \($0.reason)" } ?? ""
      let points =
        census.points == 1 ? "its only point has no" : "none of its \(census.points) points has a"
      return IngestError(
        .notARecording, line: firstUnusable?.line, reason: "\(points) usable position\(why)")
    }
    func amount(_ count: Int, _ noun: String) -> String {
      "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    var contents: [String] = []
    if census.tracks > 0 {
      contents.append(
        census.tracks == 1 ? "a track without points" : "\(census.tracks) tracks without points")
    }
    if census.routes > 0 {
      contents.append(
        "\(census.routes == 1 ? "a route" : "\(census.routes) routes") of \(amount(census.routePoints, "point"))"
      )
    }
    if census.waypoints > 0 { contents.append(amount(census.waypoints, "waypoint")) }
    if contents.isEmpty { return IngestError(.notARecording, reason: "it holds no track") }
    let list = contents.joined(separator: " and ")
    let lack = census.tracks > 0 ? "" : ", but no track"
    return IngestError(.notARecording, reason: "it holds \(list)\(lack)")
  }
}
