import CZlib

/// Compresses bytes as `gzip -9 -n` does.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var length = compressBound(uLong(bytes.count))
  var stream = [UInt8](repeating: 0, count: Int(length))
  precondition(
    compress2(&stream, &length, bytes, uLong(bytes.count), 9) == Z_OK,
    "the buffer is as large as zlib asks for")
  // zlib's format is a header of 2 bytes, the deflated bytes, and a checksum of 4.
  let deflated = stream[2..<(Int(length) - 4)]
  // Magic, deflate, no flags, no time, slowest, Unix: RFC 1952.
  let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3]
  let check = UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
  return header + deflated + littleEndian(check) + littleEndian(UInt32(bytes.count))
}

private func littleEndian(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
