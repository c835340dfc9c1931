internal import CLibXML2
import RunWayModel

/// What the elements of a GPX document amount to: libxml2's events go in, tracks of locations come out.
///
/// Elements are told by their local name at the right place, and by namespace only where it matters: the
/// children of GPX elements must be GPX's own, and extensions may be of any namespace. libxml2 interns names,
/// so that they are compared by address. No event makes a `String` or an object, but for a track's name.
struct GPXReader {
  /// The innermost open element that means something; elements that mean nothing are counted in `skipped`.
  enum Place {
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

  /// How many locations are handed out at once, at most: less memory than `malloc` asks the system for each time.
  static let batchSize = 512
  /// How deep elements may be nested: libxml2's own limit, which it checks only where it builds a tree.
  private static let deepestNesting = 256

  let names: GPXNames
  let joinsTracks: Bool
  let parser: xmlParserCtxtPtr

  var census = Census()
  /// What was found and not yet fetched.
  var elements: [TrackElement] = []
  var batch: [Location] = []
  /// Why the document is none of ours.
  var failure: IngestError?
  /// The first fault libxml2 reported.
  var syntaxError: IngestError?

  var place = Place.document
  var skipped = 0
  /// Bytes that libxml2 was given since an element began.
  var bytesWithoutElement = 0
  /// Elements open within a point's or track's extensions.
  var extensionDepth = 0
  var root: GPXElementName?
  var creator: String?

  var info = TrackInfo()
  /// Reads texts, and keeps the open track's report.
  var values: GPXValueReader
  /// Whether `began` of the open track has been given.
  var trackHasBegun = false
  var segment: Int32 = -1
  var point = Location(latitude: .nan, longitude: .nan)

  private var field: Field?
  private var text: FieldText
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
    values = GPXValueReader(parser: parser)
  }

  /// Frees what the reader holds outside of Swift's care.
  mutating func destroy() {
    text.deallocate()
  }

  /// What of the open track, or of the last one, was passed over so far.
  var report: IngestReport { values.report }

  /// Why a well-formed document is no recording, if it is none.
  var missingRecording: IngestError? {
    census.missingRecording(firstUnusable: values.firstUnusable)
  }

  /// The name of the innermost open element, as it is written.
  var openElement: String? { parser.openElement }
  /// The line of the document that the parser is at, also while it reads an entity.
  var line: Int { parser.line }
  /// The line that the bytes given to the parser end in.
  var lastLine: Int { parser.lastLine }
}

// MARK: - Events

extension GPXReader {
  mutating func startElement(
    _ name: GPXElementName, namespaceCount: Int,
    attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
  ) {
    self.namespaceCount &+= namespaceCount
    bytesWithoutElement = 0
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
    values.reject(entity: name)
  }

  private mutating func failForDepth() {
    failure =
      failure
      ?? IngestError(
        .malformed, line: line,
        reason: "elements are nested more than \(Self.deepestNesting) deep")
    xmlStopParser(parser)
  }

  mutating func capture(_ field: Field) {
    skipped = 1
    if field == .ignored { return }
    self.field = field
    lesson?.beginValue(field)
    text.removeAll()
  }

  /// Whether an element belongs to GPX: it has the root's namespace or none, or the root's undeclared prefix.
  func isOwn(_ name: GPXElementName) -> Bool {
    guard let uri = name.uri else { return name.prefix == nil || name.prefix == root?.prefix }
    return uri == root?.uri || uri == names.gpx10 || uri == names.gpx11
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
