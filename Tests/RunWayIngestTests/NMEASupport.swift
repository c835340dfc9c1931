import RunWayModel

@testable import RunWayIngest

/// Feeds a decoder in chunks of one size; with its locations’ final times.
///
/// After a fault, what can be salvaged is taken too where that is asked for.
func decode(
  _ bytes: [UInt8], chunk: Int = .max, with decoder: some LocationDecoder,
  salvaging: Bool = false
) -> Decoded {
  var decoder = decoder
  var decoded = Decoded()
  var elements: [TrackElement] = []
  do throws(IngestError) {
    var start = 0
    while start < bytes.count {
      let end = start + min(chunk, bytes.count - start)
      try bytes[start..<end].withUnsafeBufferPointer { slice throws(IngestError) in
        try decoder.consume(UnsafeRawBufferPointer(slice), into: &elements)
      }
      start = end
    }
    try decoder.finish(into: &elements)
  } catch {
    decoded.error = error
    if salvaging { decoder.salvage(into: &elements) }
  }
  decoded.takeRedating(elements)
  return decoded
}

func decodeNMEA(
  _ bytes: [UInt8], chunk: Int = .max, date: Timestamp? = nil
) -> Decoded {
  decode(bytes, chunk: chunk, with: NMEADecoder(options: NMEADecoder.Options(date: date)))
}

extension Decoded {
  /// Takes elements, and moves the locations given before a date became known.
  mutating func takeRedating(_ elements: [TrackElement]) {
    for element in elements {
      take([element])
      guard case .redated(let shift) = element, let last = tracks.indices.last else { continue }
      for index in tracks[last].locations.indices {
        tracks[last].locations[index].time = tracks[last].locations[index].time?
          .shifted(byMicroseconds: shift)
      }
    }
  }
}

/// A sentence with its `$` and checksum, ended by CR and LF.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(UInt8(0), ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
}

/// Sentences with their checksums, as bytes.
func log(_ bodies: String...) -> [UInt8] {
  bodies.flatMap { Array(sentence($0).utf8) }
}
