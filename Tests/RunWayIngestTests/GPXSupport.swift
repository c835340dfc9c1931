import RunWayModel
import Testing

@testable import RunWayIngest

#if canImport(Glibc)
  import Glibc
#endif

/// What a decoder made of a source, as one value to compare.
struct Decoded: Equatable {
  struct Track: Equatable {
    var began: TrackInfo
    var info: TrackInfo?
    var report = IngestReport()
    var locations: [Location] = []
    var redated: Int64 = 0
  }

  var tracks: [Track] = []
  var error: IngestError?
  var census = GPXReader.Census()

  var locations: [Location] { tracks.flatMap(\.locations) }

  /// Coordinates that can't be read are NaN, and NaN equals nothing: they are compared as 999.
  var comparable: Decoded {
    var copy = self
    for track in copy.tracks.indices {
      for index in copy.tracks[track].locations.indices {
        if copy.tracks[track].locations[index].latitude.isNaN {
          copy.tracks[track].locations[index].latitude = 999
        }
        if copy.tracks[track].locations[index].longitude.isNaN {
          copy.tracks[track].locations[index].longitude = 999
        }
      }
    }
    return copy
  }

  mutating func take(_ elements: [TrackElement]) {
    for element in elements {
      switch element {
      case .began(let info):
        tracks.append(Track(began: info))
      case .locations(let batch):
        tracks[tracks.count - 1].locations += batch
      case .redated(let shift):
        tracks[tracks.count - 1].redated += shift
      case .ended(let info, let report):
        tracks[tracks.count - 1].info = info
        tracks[tracks.count - 1].report = report
      }
    }
  }
}

/// Whether two outcomes are the same, to the last bit.
func same(_ left: Decoded, _ right: Decoded) -> Bool { left.comparable == right.comparable }

/// Decodes a document in chunks of one size; after a fault, what can be salvaged is taken too.
func decodeGPX(
  _ bytes: [UInt8], chunk: Int = .max, options: GPXDecoder.Options = GPXDecoder.Options(),
  salvaging: Bool = false, usesTemplates: Bool = true
) -> Decoded {
  let decoder = GPXDecoder(options: options, usesTemplates: usesTemplates)
  var decoded = Decoded()
  var elements: [TrackElement] = []
  do throws(IngestError) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start &+ min(chunk, bytes.count))
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
  decoded.take(elements)
  decoded.census = decoder.census
  return decoded
}

func decodeGPX(_ text: String, chunk: Int = .max, salvaging: Bool = false) -> Decoded {
  decodeGPX(Array(text.utf8), chunk: chunk, salvaging: salvaging)
}

/// A document around the children of one track.
func gpx(track: String, root: String = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\">")
  -> String
{
  "<?xml version=\"1.0\"?>\n\(root)\n<trk>\n\(track)\n</trk>\n</gpx>\n"
}

/// The sizes that every source is cut to.
let chunkSizes = [1, 2, 3, 7, 64, 4_096, Int.max]

// MARK: - The corpus

/// The folder that `RUNWAY_CORPUS` names, if it does.
let corpusFolder: String? = getenv("RUNWAY_CORPUS").map { String(cString: $0) }

func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// A row of a manifest, by the names of its columns.
struct ManifestRow: Sendable, CustomTestStringConvertible {
  var columns: [String: String]
  var file: String { columns["file"] ?? "" }
  var testDescription: String { file }
  subscript(column: String) -> String { columns[column] ?? "" }
}

func manifest(_ path: String) -> [ManifestRow] {
  guard let bytes = readFile(path) else { return [] }
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
    $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
  guard let header = lines.first else { return [] }
  return lines.dropFirst().map {
    ManifestRow(columns: Dictionary(zip(header, $0)) { first, _ in first })
  }
}
