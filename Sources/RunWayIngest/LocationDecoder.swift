/// A synchronous machine that turns bytes into tracks of locations.
///
/// The chunks may be cut anywhere: what is found, and the line an error names, is the same for every
/// way to cut a source.
public protocol LocationDecoder {
  /// Takes the next bytes of the source.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes; not kept.
  ///   - elements: What was found is appended here; what stood before a fault is there even if the call throws.
  /// - Throws: An `IngestError` where the rest of the source cannot be read.
  mutating func consume(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError)

  /// Takes the end of the source, and closes the open track.
  ///
  /// - Parameter elements: What was found is appended here.
  /// - Throws: An `IngestError` where the source ends too early or holds no recording.
  mutating func finish(into elements: inout [TrackElement]) throws(IngestError)

  /// Closes the open track after a fault, and gives what of it stands before the fault.
  ///
  /// - Parameter elements: What was found is appended here.
  mutating func salvage(into elements: inout [TrackElement])
}
