internal import CLibXML2
import Glibc
import RunWayModel

/// Turns GPX 1.0 and 1.1 into tracks of locations, through libxml2's push parser.
///
/// Each `<trk>` that has points becomes one track, each `<trkseg>` a segment. Nothing is fetched, external
/// entities are not read, and memory does not grow with the document.
///
/// A class because it owns a parser of libxml2; use it from one task at a time.
public final class GPXDecoder: LocationDecoder {
  /// How a document is read.
  public struct Options: Sendable, Hashable {
    /// Whether all tracks of the document become one, their segments numbered on.
    public var join: Bool

    /// Makes options.
    ///
    /// - Parameter join: Whether all tracks of the document become one.
    public init(join: Bool = false) {
      self.join = join
    }
  }

  private let options: Options
  private var parser: xmlParserCtxtPtr?
  /// Where libxml2's callbacks find what they work on: a struct behind a pointer costs them less than a class.
  ///
  /// It lives from the parser's making to `deinit`, which frees both. Callbacks come within `push` only, on its caller's
  /// thread, and nobody holds on to `pointee` while `push` runs, so that no two accesses overlap.
  private var reader: UnsafeMutablePointer<GPXReader>?
  /// What points look like, so that most need no XML parser.
  private(set) var templates: GPXPointTemplates
  /// What can't be read yet: a piece of a point, or bytes behind the last `>`.
  private var held: [UInt8] = []
  private var isEmpty = true
  private var failure: IngestError?
  private var isFinished = false

  /// Makes a decoder that has seen nothing.
  ///
  /// - Parameter options: How to read the document.
  public convenience init(options: Options = Options()) {
    self.init(options: options, usesTemplates: true)
  }

  /// Makes a decoder, with or without the fast path in front of libxml2.
  init(options: Options, usesTemplates: Bool) {
    self.options = options
    templates = GPXPointTemplates(isEnabled: usesTemplates)
  }

  deinit {
    reader?.pointee.destroy()
    reader?.deinitialize(count: 1)
    reader?.deallocate()
    if let parser {
      // The document holds no more than the entities of an internal subset; the parser does not free it.
      xmlFreeDoc(parser.pointee.myDoc)
      xmlFreeParserCtxt(parser)
    }
  }

  /// What of the open track, or of the last one, was passed over so far.
  var report: IngestReport { reader?.pointee.report ?? IngestReport() }

  /// How much of everything the document held so far.
  var census: GPXReader.Census { reader?.pointee.census ?? GPXReader.Census() }
}

// MARK: - LocationDecoder

extension GPXDecoder {
  public func consume(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if let failure { throw failure }
    if isFinished || bytes.isEmpty { return }
    isEmpty = false
    defer { fetch(into: &elements) }
    try feed(bytes)
  }

  public func finish(into elements: inout [TrackElement]) throws(IngestError) {
    if let failure { throw failure }
    if isFinished { return }
    isFinished = true
    defer { fetch(into: &elements) }
    if isEmpty { throw fail(IngestError(.unknownFormat, line: 1, reason: "the source is empty")) }
    try held.withUnsafeBufferPointer { held throws(IngestError) in
      try push(UnsafeRawBufferPointer(held))
    }
    held = []
    try push(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    if let missing = reader?.pointee.missingRecording { throw fail(missing) }
    reader?.pointee.endTrack()
  }

  public func salvage(into elements: inout [TrackElement]) {
    isFinished = true
    held = []
    reader?.pointee.endTrack()
    fetch(into: &elements)
  }

  private func fetch(into elements: inout [TrackElement]) {
    guard let reader else { return }
    reader.pointee.flush()
    elements += reader.pointee.elements
    reader.pointee.elements.removeAll(keepingCapacity: true)
  }

  private func fail(_ error: IngestError) -> IngestError {
    failure = error
    return error
  }
}

// MARK: - Cutting

extension GPXDecoder {
  /// The longest piece that libxml2 is given.
  private static let longestPiece = 65_536
  /// So many bytes may stand between the beginnings of two elements: more than libxml2 takes for one text.
  private static let longestText = 16_777_216
  /// So many different names of elements, attributes and namespaces a document may have; real ones have fewer than a
  /// hundred.
  private static let mostNames: CInt = 16_384

  private func feed(_ bytes: UnsafeRawBufferPointer) throws(IngestError) {
    var rest = bytes
    while !held.isEmpty {
      // Only the piece that was begun is copied, and read when it is whole.
      let end = rest.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? rest.count
      held += rest[..<end]
      rest = UnsafeRawBufferPointer(rebasing: rest[end...])
      if held.withUnsafeBytes({ GPXPointTemplates.endsPoint($0) })
        || held.count >= Self.longestPiece
      {
        let used = try held.withUnsafeBufferPointer { held throws(IngestError) in
          try advance(through: UnsafeRawBufferPointer(held))
        }
        held.removeFirst(used)
      }
      if rest.isEmpty { return }
    }
    let used = try advance(through: rest)
    held += rest[used...]
  }

  /// Reads the whole pieces that the bytes begin with.
  ///
  /// libxml2 decides some things by how much it sees of what follows. Where a piece ends depends on the document alone,
  /// so that it makes no difference how a source is cut, nor which points need no libxml2.
  ///
  /// - Parameter bytes: What comes next in the document, from the beginning of a piece.
  /// - Returns: How many of them were read.
  /// - Throws: The `IngestError` that ends the document.
  private func advance(through bytes: UnsafeRawBufferPointer) throws(IngestError) -> Int {
    var rest = bytes
    while true {
      if isBetweenPoints, let reader, let parser {
        let lineCount = templates.takePoints(from: &rest, into: reader)
        // To libxml2 it is as if it had read these lines.
        parser.pointee.input.pointee.line &+= CInt(truncatingIfNeeded: lineCount)
      }
      guard let count = pieceLength(rest) else { return bytes.count - rest.count }
      try pushAndLearn(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// The length of the next piece: to the end of a point, or as much as a piece may be long.
  private func pieceLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.longestPiece))
    if let end = GPXPointTemplates.endOfPoint(in: piece) { return end }
    return bytes.count >= Self.longestPiece ? Self.longestPiece : nil
  }

  private func pushAndLearn(_ piece: UnsafeRawBufferPointer) throws(IngestError) {
    guard isBetweenPoints, let reader, templates.wantsLesson() else { return try push(piece) }
    let pointCount = reader.pointee.census.points
    let line = reader.pointee.line
    reader.pointee.beginLesson()
    try push(piece)
    let lesson = reader.pointee.endLesson()
    guard let lesson, isBetweenPoints, reader.pointee.census.points == pointCount + 1 else {
      return
    }
    templates.learn(
      from: piece, lesson, scope: reader.pointee.scope, lineCount: reader.pointee.line - line)
  }

  /// Whether libxml2 has read all it was given, and stands inside a segment and outside of points.
  ///
  /// Only then may points be read without it; and only in UTF-8, where its bytes are ours, and without a
  /// document type, with which bytes might mean something else.
  private var isBetweenPoints: Bool {
    guard templates.isEnabled, let reader, let parser, let input = parser.pointee.input
    else { return false }
    return reader.pointee.isBetweenPoints && !reader.pointee.hasDoctype
      && parser.pointee.instate == XML_PARSER_CONTENT && parser.pointee.inputNr == 1
      && input.pointee.cur == input.pointee.end && input.pointee.buf != nil
      && input.pointee.buf.pointee.encoder == nil
  }
}

// MARK: - libxml2

extension GPXDecoder {
  /// Gives libxml2 bytes, and takes its verdict.
  private func push(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool = false
  ) throws(IngestError) {
    if bytes.isEmpty, !isLast { return }
    let parser = try openParser()
    reader?.pointee.bytesWithoutElement += bytes.count
    if reader?.pointee.isPadded == true {
      guard bytes.allSatisfy(GPXReader.isPadding) else { throw fail(error(of: parser)) }
      return try refuseExcess(of: parser)
    }
    let start = bytes.bindMemory(to: CChar.self).baseAddress
    hearingEncoders { xmlParseChunk(parser, start, CInt(bytes.count), isLast ? 1 : 0) }
    // Not the returned code: an undeclared prefix sets it, and is no fault that ends a document.
    if parser.pointee.wellFormed != 0, parser.pointee.disableSAX == 0 {
      return try refuseExcess(of: parser)
    }
    if reader?.pointee.isPadded == true { return }
    throw fail(error(of: parser))
  }

  /// Refuses what is more than any recording has, and would be read for very long.
  private func refuseExcess(of parser: xmlParserCtxtPtr) throws(IngestError) {
    guard let reader else { return }
    if reader.pointee.bytesWithoutElement > Self.longestText {
      throw fail(
        IngestError(
          .malformed, line: reader.pointee.lastLine, reason: "no element begins within 16 MiB"))
    }
    // The more names, the longer libxml2 takes to look one up.
    if xmlDictSize(parser.pointee.dict) > Self.mostNames {
      throw fail(
        IngestError(
          .malformed, line: reader.pointee.line,
          reason: "it has more than \(Self.mostNames) different names"))
    }
  }

  private func openParser() throws(IngestError) -> xmlParserCtxtPtr {
    if let parser { return parser }
    GPXDecoder.prepareLibrary
    var handler = GPXDecoder.makeHandler()
    guard let created = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
      throw fail(IngestError(.io(errno: ENOMEM), reason: "there is no memory for the XML parser"))
    }
    // No entities are replaced from outside, no external subset is loaded: that is the default, and
    // the options that would change it are not set.
    xmlCtxtUseOptions(created, CInt(XML_PARSE_NONET.rawValue))
    let reader = UnsafeMutablePointer<GPXReader>.allocate(capacity: 1)
    reader.initialize(to: GPXReader(parser: created, joinsTracks: options.join))
    created.pointee._private = UnsafeMutableRawPointer(reader)
    self.reader = reader
    parser = created
    return created
  }

  /// Runs libxml2 so that faults of encoders, which know no parser, are taken too, and not printed.
  private func hearingEncoders(_ body: () -> Void) {
    // All three belong to the thread; a program that embeds RunWay may use them as well.
    let printer = runway_muteLibXML()
    let handler = __xmlStructuredError().pointee
    let context = __xmlStructuredErrorContext().pointee
    xmlSetStructuredErrorFunc(reader) { context, error in
      guard let reader = context?.assumingMemoryBound(to: GPXReader.self), let error else { return }
      GPXDecoder.take(error, into: reader)
    }
    body()
    xmlSetStructuredErrorFunc(context, handler)
    runway_unmuteLibXML(printer)
  }

  private func error(of parser: xmlParserCtxtPtr) -> IngestError {
    if let failure = reader?.pointee.failure { return failure }
    return reader?.pointee.syntaxError
      ?? IngestError(
        .malformed, line: reader?.pointee.line,
        reason: "its bytes are not of the encoding that it declares")
  }

  /// Initialises libxml2 once, before two threads could do so at a time.
  private static let prepareLibrary: Void = xmlInitParser()

  private static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    // The defaults look after entities; they would also build a tree, in the callbacks that are replaced here.
    xmlSAXVersion(&handler, 2)
    handler.startElementNs = {
      context, local, prefix, uri, namespaceCount, _, count, _, attributes in
      guard let reader = GPXDecoder.reader(context), let local else { return }
      reader.pointee.startElement(
        GPXElementName(local: local, prefix: prefix, uri: uri),
        namespaceCount: Int(namespaceCount), attributes: attributes, count: Int(count))
    }
    handler.endElementNs = { context, _, _, _ in
      GPXDecoder.reader(context)?.pointee.endElement()
    }
    handler.characters = { context, bytes, count in
      guard let bytes else { return }
      GPXDecoder.reader(context)?.pointee.characters(bytes, Int(count))
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.internalSubset = { context, name, externalID, systemID in
      GPXDecoder.reader(context)?.pointee.hasDoctype = true
      xmlSAX2InternalSubset(context, name, externalID, systemID)
    }
    handler.serror = { context, error in
      guard let reader = GPXDecoder.reader(context), let error else { return }
      GPXDecoder.take(error, into: reader)
    }
    handler.comment = nil
    handler.processingInstruction = nil
    handler.reference = { context, name in
      guard let name else { return }
      GPXDecoder.reader(context)?.pointee.passOver(entity: name)
    }
    handler.externalSubset = nil
    handler.resolveEntity = nil
    handler.warning = nil
    handler.error = nil
    handler.fatalError = nil
    return handler
  }

  @inline(__always)
  private static func reader(
    _ context: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<GPXReader>? {
    // libxml2 passes its parser, also the one it makes to read an entity, with a copy of `_private`.
    context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private?
      .assumingMemoryBound(to: GPXReader.self)
  }

  /// Keeps the first fault that ends a document.
  private static func take(_ error: xmlErrorPtr, into reader: UnsafeMutablePointer<GPXReader>) {
    let isFatal =
      error.pointee.level == XML_ERR_FATAL || error.pointee.domain == CInt(XML_FROM_I18N.rawValue)
    guard isFatal, reader.pointee.syntaxError == nil,
      reader.pointee.failure == nil
    else { return }
    // Not the error's line, which is counted from the beginning of an entity inside one.
    let line = reader.pointee.line
    if error.pointee.code == XML_ERR_DOCUMENT_EMPTY.rawValue {
      reader.pointee.syntaxError = IngestError(
        .unknownFormat, line: line, reason: "it is not XML: it does not begin with “<”")
    } else if error.pointee.code == XML_ERR_DOCUMENT_END.rawValue,
      let open = reader.pointee.openElement
    {
      // libxml2 says “Extra content” here, and there is none.
      reader.pointee.syntaxError = IngestError(
        .malformed, line: reader.pointee.lastLine, reason: "the document ends inside <\(open)>")
    } else {
      reader.pointee.syntaxError = IngestError(
        .malformed, line: line, reason: reason(of: error))
      if error.pointee.code == XML_ERR_DOCUMENT_END.rawValue { reader.pointee.notePadding() }
    }
  }

  private static func reason(of error: xmlErrorPtr) -> String {
    guard let message = error.pointee.message else { return "it is not well-formed XML" }
    let line = String(cString: message).split(separator: "\n").first ?? ""
    return String(line.prefix(200))
  }
}
