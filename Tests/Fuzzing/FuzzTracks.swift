import RunWayIngest
import RunWayModel

/// Any bytes through the front door: both decoders and gzip, whole and in chunks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTracks(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  for date in [nil, Timestamp.latest] {
    let options = TrackDecoder.Options(date: date)
    let whole = Outcome(bytes, chunk: max(1, count), TrackDecoder(options))
    whole.requireSoundness()
    Outcome(bytes, chunk: chunkSize(bytes), TrackDecoder(options)).requireEquality(to: whole)
  }
  return 0
}
