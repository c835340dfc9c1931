internal import CLibXML2
import RunWayModel

/// What stands outside of points: the document's root, its tracks and their segments.
extension GPXReader {
  mutating func startRoot(
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
      reader.creator = GPXValueReader.string(value)
    }
  }

  mutating func startTopLevel(_ name: GPXElementName) {
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

  mutating func beginTrack() {
    census.tracks += 1
    if joinsTracks, census.tracks > 1 { return }
    info = TrackInfo(creator: creator)
    values.beginTrack()
    segment = -1
  }

  mutating func startTrackChild(_ name: GPXElementName) {
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
    // Few are copied: the batch has room for many, and whoever keeps a short track is not to keep that too.
    let isShort = batch.count < Self.batchSize / 4
    elements.append(.locations(isShort ? batch.withUnsafeBufferPointer { Array($0) } : batch))
    batch.removeAll(keepingCapacity: true)
  }
}
