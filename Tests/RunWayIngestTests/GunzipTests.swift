import RunWayModel
import Testing

@testable import RunWayIngest

@Suite struct `Archives` {
  /// RFC 1952: a member whose data are stored, not deflated, blocks of at most 65,535 bytes.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    func little(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    let count = UInt32(bytes.count)
    var archive: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    archive += [1]
    archive += little(count, 2)
    archive += little(~count, 2)
    archive += bytes
    archive += little(crc(bytes), 4)
    archive += little(count, 4)
    return archive
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// What Python makes of it: `zlib.compress(b"$GPGGA," * 4)`.
  static let deflated: [UInt8] = [
    120, 156, 83, 113, 15, 112, 119, 119, 212, 81, 193, 70, 1, 0, 99, 76, 6, 217,
  ]

  func inflated(_ archive: [UInt8], chunk: Int) throws(IngestError) -> [UInt8] {
    guard let gunzip = Gunzip() else { return [] }
    var bytes: [UInt8] = []
    var start = 0
    while start < archive.count {
      let end = start + min(chunk, archive.count - start)
      try archive[start..<end].withUnsafeBufferPointer { slice throws(IngestError) in
        var rest = UnsafeRawBufferPointer(slice)
        while !rest.isEmpty {
          let count = try gunzip.inflate(rest) { piece throws(IngestError) in bytes += piece }
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
      }
      start = end
    }
    try gunzip.finish()
    return bytes
  }

  @Test(arguments: [1, 2, 3, 7, 64, Int.max])
  func `inflates one member, several, padding, zlib`(chunk: Int) throws {
    let text = Array("a text in an archive".utf8)
    let member = Self.gzip(text)
    #expect(try inflated(member, chunk: chunk) == text)
    #expect(try inflated(member + member, chunk: chunk) == text + text)
    #expect(try inflated(member + Self.gzip([]) + member, chunk: chunk) == text + text)
    #expect(try inflated(member + [0, 0, 0] + member + [0, 0], chunk: chunk) == text + text)
    #expect(try inflated(member + Array("rubbish".utf8), chunk: chunk) == text)
    #expect(
      try inflated(Self.deflated, chunk: chunk) == Array("$GPGGA,$GPGGA,$GPGGA,$GPGGA,".utf8))
  }

  @Test(arguments: [1, 7, Int.max])
  func `names a damaged archive and one cut short`(chunk: Int) {
    let member = Self.gzip(Array("a text in an archive".utf8))
    for count in [2, 9, 12, member.count - 1] {
      #expect(throws: IngestError(.malformed, reason: "the archive is cut short")) {
        try inflated(Array(member[..<count]), chunk: chunk)
      }
    }
    var damaged = member
    damaged[20] ^= 1
    #expect(
      throws: IngestError(.malformed, reason: "the archive is damaged: incorrect data check")
    ) {
      try inflated(damaged, chunk: chunk)
    }
  }

  @Test(arguments: [1, 2, 3, 64, Int.max])
  func `compressed tracks are read as they are`(chunk: Int) {
    let nmea = decode(Self.gzip(`Track decoder`.run), chunk: chunk, with: TrackDecoder())
    #expect(nmea.tracks == decodeNMEA(`Track decoder`.run).tracks)
    let gpx = decode(Self.gzip(`Track decoder`.document), chunk: chunk, with: TrackDecoder())
    #expect(gpx.locations.count == 1)
  }

  // A megabyte in one chunk, four times what is decoded at a stretch.
  @Test func `what inflates to much is decoded part by part, or whole by who does not ask`() throws
  {
    let points = (0..<25_000).map { "<trkpt lat=\"1.0\" lon=\"2.\($0)\"><ele>7</ele></trkpt>" }
    let content = Array(gpx(track: "<trkseg>\(points.joined())</trkseg>").utf8)
    // Members that follow each other are one content, RFC 1952 section 2.2.
    let archive = stride(from: 0, to: content.count, by: 60_000)
      .flatMap { Self.gzip(Array(content[$0...].prefix(60_000))) }
    let expected = decode(content, with: TrackDecoder())
    #expect(expected.locations.count == 25_000)
    #expect(decode(archive, with: TrackDecoder()) == expected)

    var decoder = TrackDecoder()
    var decoded = Decoded()
    var parts: [Int] = []
    func take(_ elements: [TrackElement]) {
      let before = decoded.locations.count
      decoded.take(elements)
      parts.append(decoded.locations.count - before)
    }
    var elements: [TrackElement] = []
    try archive.withUnsafeBytes { try decoder.consume($0, into: &elements) }
    take(elements)
    while decoder.hasBacklog {
      elements = []
      try decoder.consumeBacklog(into: &elements)
      take(elements)
    }
    elements = []
    try decoder.finish(into: &elements)
    take(elements)
    #expect(decoded.locations == expected.locations)
    #expect(parts.count > 3)
    #expect(parts.allSatisfy { $0 < 12_500 }, "\(parts)")
  }

  @Test func `what stands before the damage can be salvaged`() throws {
    var elements: [TrackElement] = []
    var decoder = TrackDecoder()
    let archive = Self.gzip(`Track decoder`.run).dropLast(4)
    try Array(archive).withUnsafeBytes { try decoder.consume($0, into: &elements) }
    #expect(throws: IngestError.self) { try decoder.finish(into: &elements) }
    decoder.salvage(into: &elements)
    var decoded = Decoded()
    decoded.take(elements)
    #expect(decoded.locations.count == 2)
    #expect(decoded.tracks.first?.info != nil)
  }
}
