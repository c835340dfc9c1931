import RunWayModel

@testable import RunWayIngest

/// GPX with and without the fast path in front of libxml2, which must give the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTemplates(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let slow = Outcome(
    bytes, chunk: max(1, count), GPXDecoder(options: .init(), usesTemplates: false))
  slow.requireSoundness()
  let fast = Outcome(
    bytes, chunk: chunkSize(bytes), GPXDecoder(options: .init(), usesTemplates: true))
  fast.requireEquality(to: slow)
  return 0
}
