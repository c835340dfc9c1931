import RunWayIngest
import RunWayModel

/// Any bytes as NMEA, also where the front door would see something else.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  for date in [nil, Timestamp.latest] {
    let options = NMEADecoder.Options(date: date)
    let whole = Outcome(bytes, chunk: max(1, count), NMEADecoder(options: options))
    whole.requireSoundness()
    Outcome(bytes, chunk: chunkSize(bytes), NMEADecoder(options: options))
      .requireEquality(to: whole)
  }
  return 0
}
