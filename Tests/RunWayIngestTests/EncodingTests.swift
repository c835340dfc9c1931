import CLibXML2
import Glibc
import RunWayModel
import Testing

@testable import RunWayIngest

/// Documents in every encoding that the C library knows, read beside libxml2's own tree of them.
@Suite struct `Encodings` {
  /// The names that `iconv -l` lists.
  private static func names() -> [String] {
    guard let pipe = popen("iconv -l", "r") else { return [] }
    defer { pclose(pipe) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self).split { " \n/,".contains($0) }.map(String.init)
  }

  /// A document that declares an encoding, in it, with the first of some names that it has the letters for.
  private static func document(in encoding: String) -> [UInt8]? {
    for name in ["Größe", "Žďár", "Трасса", "Διαδρομή", "מסלול", "مسار", "道のり", "길", "run"] {
      let text = """
        <?xml version="1.0" encoding="\(encoding)"?>
        <gpx version="1.1" creator="tests"><trk><name>\(name)</name><trkseg>
        <trkpt lat="55.86" lon="-4.25"><time>2024-05-18T06:30:00Z</time></trkpt>
        <trkpt lat="55.8601" lon="-4.2502"><time>2024-05-18T06:30:05Z</time></trkpt>
        </trkseg></trk></gpx>

        """
      if let bytes = encoded(text, as: encoding) { return bytes }
    }
    return nil
  }

  /// A name and positions.
  private struct Reading: Equatable {
    var name: String?
    var positions: [[Double?]]
  }

  /// What libxml2 makes of a document when it builds a tree; `nil` where it refuses it.
  private static func tree(of bytes: [UInt8]) -> Reading? {
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let document = bytes.withUnsafeBytes {
      xmlReadMemory(
        $0.bindMemory(to: CChar.self).baseAddress, CInt($0.count), nil, nil, CInt(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    var reading = Reading(name: nil, positions: [])
    collect(xmlDocGetRootElement(document), into: &reading)
    return reading
  }

  private static func collect(_ first: xmlNodePtr?, into reading: inout Reading) {
    var next = first
    while let node = next {
      next = node.pointee.next
      guard node.pointee.type == XML_ELEMENT_NODE else { continue }
      switch node.pointee.name.map({ String(cString: $0) }) {
      case "name": reading.name = text(xmlNodeGetContent(node))
      case "trkpt":
        reading.positions.append(
          (["lat", "lon"] as [String]).map { text(xmlGetNoNsProp(node, $0)).flatMap { Double($0) } }
        )
      default: collect(node.pointee.children, into: &reading)
      }
    }
  }

  private static func text(_ owned: UnsafeMutablePointer<xmlChar>?) -> String? {
    // What `xmlFree` is, a variable that Swift lets nobody read.
    defer { free(owned) }
    return owned.map { String(cString: $0) }
  }

  @Test func `whatever libxml2 reads is read, and alike`() {
    var count = 0
    for encoding in Self.names() {
      guard let bytes = Self.document(in: encoding), let expected = Self.tree(of: bytes) else {
        continue
      }
      count += 1
      for size in [61, Int.max] {
        let found = decode(bytes, chunk: size, with: TrackDecoder())
        let reading = Reading(
          name: found.tracks.first?.info?.name,
          positions: found.locations.map { [$0.latitude, $0.longitude] })
        #expect(reading == expected, "\(encoding), chunks of \(size): \(found.error?.reason ?? "")")
      }
    }
    // Of more than a thousand names; few encodings are nothing that XML can be read in.
    #expect(count > 500)
  }
}
