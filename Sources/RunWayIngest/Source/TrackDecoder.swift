public import RunWayModel

/// The front door for bytes: finds out what they are, inflates, and decodes GPX or NMEA.
///
/// Not `Sendable`, for it owns C parsers: use it from one task or actor at a time.
public struct TrackDecoder: LocationDecoder {
  /// How a source is read.
  public struct Options: Sendable, Hashable {
    /// The format; `nil` to tell it by the content.
    public var format: TrackFormat?
    /// Whether all tracks of a GPX document become one.
    public var join = false
    /// Dates NMEA that names no date: the first time of day is put within 12 hours of this moment.
    ///
    /// For a live stream that is now; for a recording the time it began, or the noon of its day.
    public var date: Timestamp?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - format: The format; `nil` to tell it by the content.
    ///   - join: Whether all tracks of a GPX document become one.
    ///   - date: Dates NMEA that names no date.
    public init(format: TrackFormat? = nil, join: Bool = false, date: Timestamp? = nil) {
      self.format = format
      self.join = join
      self.date = date
    }
  }

  /// So many bytes may stand before the first NMEA sentence.
  static let longestNoise = 16_777_216

  private let options: Options
  /// The first bytes of the source, while they don't show whether it is an archive.
  private var head: [UInt8] = []
  private var isOpen = false
  private var gunzip: Gunzip?
  /// Bytes of an archive that wait to be inflated.
  private var backlog: ArraySlice<UInt8> = []

  /// The first bytes of the content, while they don't show what it is.
  private var prefix: [UInt8] = []
  private var isEmpty = true
  private var gpx: GPXDecoder?
  /// Reads along with `nmea` while there is nothing but white space, which so need not be kept.
  private var gpxBehindBlanks: GPXDecoder?
  private var nmea: NMEADecoder?
  /// What the source is if no sentence is found in it, as a noun.
  private var otherwise: String?
  private var narrower: UTF16Narrower?
  private var narrowed: [UInt8] = []
  /// Bytes without a sentence.
  private var noise = 0
  private var failure: IngestError?

  /// Makes a decoder that has seen nothing.
  ///
  /// - Parameter options: How to read the source.
  public init(_ options: Options = Options()) {
    self.options = options
  }

  /// What the source is, once that is known.
  public var format: TrackFormat? {
    if let format = options.format { return format }
    if gpx != nil { return .gpx }
    return nmea?.isCertain == true ? .nmea : nil
  }

  /// What of the open track, or of the last one, was passed over so far.
  public var report: IngestReport { gpx?.report ?? nmea?.report ?? IngestReport() }

  /// Whether bytes that `consume` took still wait to be decoded.
  ///
  /// Only of an archive, whose bytes may inflate to a thousand times as many: `consumeBacklog` decodes them a
  /// bounded part at a time. Whoever does not ask has the rest decoded by the next `consume`, or by `finish`.
  public var hasBacklog: Bool { failure == nil && !backlog.isEmpty }

  /// Whether the times given so far are final: no `redated` follows any more.
  public var isDated: Bool { gpx != nil || nmea?.isDated == true }
}

// MARK: - LocationDecoder

extension TrackDecoder {
  public mutating func consume(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    try remembering { decoder throws(IngestError) in
      try decoder.inflateBacklog(into: &elements)
      try decoder.inflate(bytes, into: &elements)
    }
  }

  /// Decodes the next part of what waits: of an archive at most about 256 KiB of content.
  ///
  /// - Parameter elements: What was found is appended here; what stood before a fault is there even if the call throws.
  /// - Throws: An `IngestError` where the rest of the source cannot be read.
  public mutating func consumeBacklog(into elements: inout [TrackElement]) throws(IngestError) {
    try remembering { decoder throws(IngestError) in
      try decoder.inflatePart(into: &elements)
    }
  }

  /// Decodes the next bytes of a source, or a part of what waits of the last ones, so that memory stays bounded.
  ///
  /// - Parameters:
  ///   - chunks: The source.
  ///   - elements: What was found is appended here; what stood before a fault is there even if the call throws.
  /// - Returns: Whether there may be more; `false` at the source's end, of which the decoder is not yet told.
  /// - Throws: An `IngestError` where the rest of the source cannot be read.
  public mutating func consumeNext(
    of chunks: inout ByteChunks, into elements: inout [TrackElement]
  ) throws(IngestError) -> Bool {
    if hasBacklog {
      try consumeBacklog(into: &elements)
      return true
    }
    let more: Void? = try chunks.withNextChunk { bytes throws(IngestError) in
      try consume(bytes, into: &elements)
    }
    return more != nil
  }

  public mutating func finish(into elements: inout [TrackElement]) throws(IngestError) {
    try remembering { decoder throws(IngestError) in
      try decoder.inflateBacklog(into: &elements)
      try decoder.end(into: &elements)
    }
  }

  /// Fails for good where something fails once.
  private mutating func remembering(
    _ work: (inout TrackDecoder) throws(IngestError) -> Void
  ) throws(IngestError) {
    if let failure { throw failure }
    do throws(IngestError) {
      try work(&self)
    } catch {
      failure = error
      throw error
    }
  }

  public mutating func salvage(into elements: inout [TrackElement]) {
    gpx?.salvage(into: &elements)
    nmea?.salvage(into: &elements)
  }

  private mutating func end(into elements: inout [TrackElement]) throws(IngestError) {
    if !isOpen { try open(into: &elements) }
    try gunzip?.finish()
    if !isDecided { try decide(isLast: true, into: &elements) }
    try gpx?.finish(into: &elements)
    try finishNMEA(into: &elements)
  }

  private mutating func finishNMEA(into elements: inout [TrackElement]) throws(IngestError) {
    guard nmea != nil else { return }
    if options.format == nil, nmea?.isCertain == false { throw neither() }
    try nmea?.finish(into: &elements)
  }

  private func neither(_ detail: String = "") -> IngestError {
    let content = gunzip == nil ? "the source" : "its content"
    let detail = otherwise.map { ": \(content) is \($0)" } ?? detail
    return IngestError(.unknownFormat, reason: "neither GPX nor NMEA\(detail)")
  }
}

// MARK: - Archives

extension TrackDecoder {
  private mutating func inflate(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    guard !isOpen else { return try pass(bytes, into: &elements) }
    head += bytes
    if Gunzip.isArchive(head) == nil { return }
    try open(into: &elements)
  }

  /// Decides whether the source is an archive, and passes its first bytes on.
  private mutating func open(into elements: inout [TrackElement]) throws(IngestError) {
    isOpen = true
    if Gunzip.isArchive(head) == true {
      gunzip = Gunzip()
      if gunzip == nil { throw IngestError(systemError: 12) }
    }
    let first = head
    head = []
    try first.withUnsafeBufferPointer { bytes throws(IngestError) in
      try pass(UnsafeRawBufferPointer(bytes), into: &elements)
    }
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    guard gunzip != nil else { return try detect(bytes, into: &elements) }
    let count = try inflateSome(bytes, into: &elements)
    if count < bytes.count { backlog = ArraySlice(bytes[count...]) }
  }

  private mutating func inflateBacklog(into elements: inout [TrackElement]) throws(IngestError) {
    while hasBacklog { try inflatePart(into: &elements) }
  }

  private mutating func inflatePart(into elements: inout [TrackElement]) throws(IngestError) {
    let waiting = backlog
    let count = try waiting.withUnsafeBufferPointer { bytes throws(IngestError) in
      try inflateSome(UnsafeRawBufferPointer(bytes), into: &elements)
    }
    backlog = waiting.dropFirst(count)
  }

  private mutating func inflateSome(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) -> Int {
    guard let gunzip else { return 0 }
    return try gunzip.inflate(bytes) { piece throws(IngestError) in
      try detect(piece, into: &elements)
    }
  }
}

// MARK: - Formats

extension TrackDecoder {
  private mutating func detect(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if bytes.isEmpty { return }
    isEmpty = false
    var rest = bytes
    if !isDecided {
      rest = try passBlanks(rest, into: &elements)
      let length =
        gpxBehindBlanks == nil
        ? FormatDetector.prefixLength
        : FormatDetector.openingLength * (narrower == nil ? 1 : 2)
      let count = min(rest.count, length - prefix.count)
      prefix += rest[..<count]
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      try decide(isLast: false, into: &elements)
      // White space, it turned out; there may be more.
      if !isDecided { return try detect(rest, into: &elements) }
    }
    try decode(rest, into: &elements)
  }

  private var isDecided: Bool { gpxBehindBlanks == nil && (gpx != nil || nmea != nil) }

  /// Gives both decoders the white space that follows what they have had of it.
  ///
  /// - Returns: The bytes behind it.
  private mutating func passBlanks(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) -> UnsafeRawBufferPointer {
    guard gpxBehindBlanks != nil, prefix.isEmpty else { return bytes }
    let isSpace = narrower == nil ? FormatDetector.isSpace : FormatDetector.isSpace16
    let end = bytes.firstIndex { !isSpace($0) } ?? bytes.count
    try decodeBlanks(UnsafeRawBufferPointer(rebasing: bytes[..<end]), into: &elements)
    return UnsafeRawBufferPointer(rebasing: bytes[end...])
  }

  private mutating func decodeBlanks(
    _ blanks: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    // What is no white space to XML is a fault of a document, which its decoder tells again, and none of a log.
    do throws(IngestError) { try gpxBehindBlanks?.consume(blanks, into: &elements) } catch {}
    try decodeText(blanks, into: &elements)
  }

  /// Chooses a decoder as soon as the prefix shows which, and gives it the prefix.
  private mutating func decide(
    isLast: Bool, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if isEmpty { throw IngestError(.unknownFormat, reason: "the source is empty") }
    let kind =
      gpxBehindBlanks == nil
      ? FormatDetector.kind(of: prefix, isLast: isLast)
      : FormatDetector.kind(ofOpening: opening, isLast: isLast)
    guard let kind else { return }
    switch (options.format, kind) {
    case (.gpx, _), (nil, .xml):
      gpx = gpxBehindBlanks ?? GPXDecoder(options: GPXDecoder.Options(join: options.join))
      nmea = nil
    case (nil, .foreign(let noun)):
      otherwise = noun
      throw neither()
    case (nil, .blank(let count)):
      return try waitBehindBlanks(count, into: &elements)
    case (nil, .blank16(let count, let isBigEndian)):
      narrower = UTF16Narrower(isBigEndian: isBigEndian)
      return try waitBehindBlanks(count, into: &elements)
    case (_, .text16(let isBigEndian)), (_, .blank16(_, let isBigEndian)):
      narrower = UTF16Narrower(isBigEndian: isBigEndian)
    case (_, .text(let noun)):
      otherwise = noun
    case (.nmea, _): break
    }
    gpxBehindBlanks = nil
    if gpx == nil, nmea == nil { nmea = makeNMEADecoder() }
    let first = prefix
    prefix = []
    try first.withUnsafeBufferPointer { bytes throws(IngestError) in
      try decode(UnsafeRawBufferPointer(bytes), into: &elements)
    }
  }

  /// What stands behind white space, of UTF-16 the bytes that Latin letters have.
  private var opening: ArraySlice<UInt8> {
    guard narrower != nil else { return prefix[...] }
    // The first byte that is not white space is such a one, whatever the order.
    return stride(from: 0, to: prefix.count, by: 2).map { prefix[$0] }[...]
  }

  /// Gives both decoders the white space that the prefix begins with, and goes on looking.
  private mutating func waitBehindBlanks(
    _ count: Int, into elements: inout [TrackElement]
  ) throws(IngestError) {
    gpxBehindBlanks = GPXDecoder(options: GPXDecoder.Options(join: options.join))
    nmea = makeNMEADecoder()
    let blanks = prefix[..<count]
    prefix.removeFirst(count)
    try blanks.withUnsafeBufferPointer { blanks throws(IngestError) in
      try decodeBlanks(UnsafeRawBufferPointer(blanks), into: &elements)
    }
  }

  private func makeNMEADecoder() -> NMEADecoder {
    NMEADecoder(options: NMEADecoder.Options(date: options.date))
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if let gpx { return try gpx.consume(bytes, into: &elements) }
    try decodeText(bytes, into: &elements)
  }

  /// Gives bytes to the NMEA decoder, those of UTF-16 narrowed.
  private mutating func decodeText(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    guard narrower != nil else { return try decodeNMEA(bytes, into: &elements) }
    narrowed.removeAll(keepingCapacity: true)
    narrower?.append(bytes, to: &narrowed)
    let text = narrowed
    try text.withUnsafeBufferPointer { bytes throws(IngestError) in
      try decodeNMEA(UnsafeRawBufferPointer(bytes), into: &elements)
    }
  }

  /// Gives bytes to the NMEA decoder, and gives up on an endless source without a sentence.
  private mutating func decodeNMEA(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if nmea?.isCertain == true {
      try nmea?.consume(bytes, into: &elements)
      return
    }
    // The bound falls on the same byte however the source is cut.
    let count = min(bytes.count, Self.longestNoise - noise)
    noise += count
    try nmea?.consume(UnsafeRawBufferPointer(rebasing: bytes[..<count]), into: &elements)
    if nmea?.isCertain == false, noise == Self.longestNoise {
      throw neither(" in the first 16 MiB")
    }
    try nmea?.consume(UnsafeRawBufferPointer(rebasing: bytes[count...]), into: &elements)
  }
}
