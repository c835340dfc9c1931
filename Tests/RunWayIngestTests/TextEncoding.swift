import Glibc

/// What the C library makes of a text in another encoding.
///
/// - Returns: The bytes; `nil` where it does not know the encoding, or that lacks a letter.
func encoded(_ text: String, as encoding: String) -> [UInt8]? {
  let converter = iconv_open(encoding, "UTF-8")
  guard converter != iconv_t(bitPattern: -1) else { return nil }
  defer { iconv_close(converter) }
  var source = text.utf8.map { CChar(bitPattern: $0) }
  var result = [CChar](repeating: 0, count: source.count * 8)
  let length = source.withUnsafeMutableBufferPointer { source in
    result.withUnsafeMutableBufferPointer { result -> Int? in
      var (input, output) = (source.baseAddress, result.baseAddress)
      var (length, left) = (source.count, result.count)
      // What has states ends in its first.
      guard iconv(converter, &input, &length, &output, &left) == 0,
        iconv(converter, nil, nil, &output, &left) == 0
      else { return nil }
      return result.count - left
    }
  }
  return length.map { result[..<$0].map { UInt8(bitPattern: $0) } }
}
