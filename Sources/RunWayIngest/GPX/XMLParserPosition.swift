internal import CLibXML2

/// Where libxml2's parser is in its document.
extension UnsafeMutablePointer where Pointee == xmlParserCtxt {
  /// The name of the innermost open element, as it is written.
  var openElement: String? {
    pointee.name.map { String(cString: $0) }
  }

  /// The line of the document that the parser is at, also while it reads an entity.
  var line: Int {
    guard pointee.inputNr > 0, let input = pointee.inputTab[0] else { return 1 }
    return Int(input.pointee.line)
  }

  /// Whether the start tag whose attributes have been read ends as it should.
  var isAtTagEnd: Bool {
    guard let input = pointee.input, let next = input.pointee.cur else { return false }
    return next < input.pointee.end
      && (next.pointee == UInt8(ascii: ">") || next.pointee == UInt8(ascii: "/"))
  }

  /// The line that the bytes given to the parser end in.
  var lastLine: Int {
    guard let input = pointee.input, let next = input.pointee.cur else { return line }
    let unread = UnsafeBufferPointer(start: next, count: max(0, input.pointee.end - next))
    return line + unread.count { $0 == UInt8(ascii: "\n") }
  }
}
