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
  private var reader: UnsafeMutablePointer<GPXReader>?
  /// What may not be given to libxml2 yet: bytes behind the last `>`.
  private var held: [UInt8] = []
  private var isEmpty = true
  private var failure: IngestError?
  private var isFinished = false

  /// Makes a decoder that has seen nothing.
  ///
  /// - Parameter options: How to read the document.
  public init(options: Options = Options()) {
    self.options = options
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
    try pushHeld()
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
  /// The most that is held back, and the most that libxml2 is given at once.
  private static let sliceSize = 65_536

  /// Gives libxml2 the bytes up to the last `>`, so that how a source is cut makes no difference to it.
  private func feed(_ bytes: UnsafeRawBufferPointer) throws(IngestError) {
    guard let last = bytes.lastIndex(of: UInt8(ascii: ">")) else {
      return try hold(bytes)
    }
    let complete = UnsafeRawBufferPointer(rebasing: bytes[...last])
    if held.isEmpty {
      try pushSlices(complete)
    } else {
      // Only the piece that was begun is copied.
      let first = complete.firstIndex(of: UInt8(ascii: ">")) ?? last
      held += complete[...first]
      try pushHeld()
      try pushSlices(UnsafeRawBufferPointer(rebasing: complete[(first + 1)...]))
    }
    try hold(UnsafeRawBufferPointer(rebasing: bytes[(last + 1)...]))
  }

  private func hold(_ bytes: UnsafeRawBufferPointer) throws(IngestError) {
    held += bytes
    if held.count < Self.sliceSize { return }
    try pushHeld()
  }

  private func pushHeld() throws(IngestError) {
    try held.withUnsafeBufferPointer { bytes throws(IngestError) in
      try pushSlices(UnsafeRawBufferPointer(bytes))
    }
    held.removeAll(keepingCapacity: true)
  }

  private func pushSlices(_ bytes: UnsafeRawBufferPointer) throws(IngestError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try push(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.sliceSize)))
      rest = rest.dropFirst(Self.sliceSize)
    }
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
    let start = bytes.bindMemory(to: CChar.self).baseAddress
    xmlParseChunk(parser, start, CInt(bytes.count), isLast ? 1 : 0)
    // Not the returned code: an undeclared prefix sets it, and is no fault that ends a document.
    if parser.pointee.wellFormed != 0, parser.pointee.disableSAX == 0 { return }
    throw fail(error(of: parser))
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
    handler.startElementNs = { context, local, prefix, uri, _, _, count, _, attributes in
      guard let reader = GPXDecoder.reader(context), let local else { return }
      reader.pointee.startElement(
        GPXElementName(local: local, prefix: prefix, uri: uri), attributes: attributes,
        count: Int(count))
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
    handler.reference = nil
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
    guard error.pointee.level == XML_ERR_FATAL, reader.pointee.syntaxError == nil,
      reader.pointee.failure == nil
    else { return }
    reader.pointee.syntaxError = IngestError(
      .malformed, line: Int(error.pointee.line), reason: reason(of: error))
  }

  private static func reason(of error: xmlErrorPtr) -> String {
    guard let message = error.pointee.message else { return "it is not well-formed XML" }
    let line = String(cString: message).split(separator: "\n").first ?? ""
    // libxml2 names its compile-time options to the user.
    return String(line.prefix(200)).replacing(" use XML_PARSE_HUGE option", with: "")
  }
}
