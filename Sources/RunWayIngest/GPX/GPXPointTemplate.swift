import Glibc
import RunWayModel

/// The bytes of one point as literal runs, each but the last followed by a hole for a value.
struct GPXPointTemplate {
  /// A literal run, and what follows it.
  private struct Step {
    var start: Int
    var count: Int
    /// What the hole behind the run holds; `nil` behind the last.
    var field: GPXReader.Field?
  }

  private let example: [UInt8]
  private let steps: [Step]
  /// The line ends in the literals.
  let lineCount: Int
}

extension GPXPointTemplate {
  /// Whether the same points match as do another template.
  func hasShape(of other: GPXPointTemplate) -> Bool {
    steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy {
        $0.field == $1.field && literal($0) == other.literal($1)
      }
  }

  private func literal(_ step: Step) -> ArraySlice<UInt8> {
    example[step.start..<step.start + step.count]
  }
}

// MARK: - Matching

extension GPXPointTemplate {
  /// Matches the bytes at the cursor.
  ///
  /// - Parameters:
  ///   - cursor: Where to begin; moved behind the point if it matches.
  ///   - end: Where the bytes end.
  ///   - clock: Reads times.
  ///   - point: Gets the values.
  /// - Returns: Whether the bytes begin with a point of this shape.
  @inline(__always)
  func match(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, clock: inout ISO8601Parser,
    into point: inout Location
  ) -> Bool {
    example.withUnsafeBufferPointer { example in
      steps.withUnsafeBufferPointer { steps in
        guard let literals = example.baseAddress else { return false }
        for step in steps {
          guard end - cursor >= step.count,
            memcmp(literals + step.start, cursor, step.count) == 0
          else { return false }
          cursor += step.count
          guard let field = step.field else { return true }
          guard Self.read(field, &cursor, end, &clock, &point) else { return false }
        }
        return false
      }
    }
  }

  @inline(__always)
  private static func read(
    _ field: GPXReader.Field, _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ clock: inout ISO8601Parser, _ point: inout Location
  ) -> Bool {
    switch field {
    case .time:
      guard let moment = clock.scan(&cursor, end: end) else { return false }
      point.time = moment
      return true
    case .ignored, .name, .type, .creator, .calories, .maxSpeed, .date:
      skipText(&cursor, end)
      return true
    default:
      guard let value = DecimalParser.scan(&cursor, end: end) else { return false }
      return set(field, to: value, of: &point)
    }
  }

  /// Stores a number, unless it needs a second thought, or a note.
  @inline(__always)
  private static func set(
    _ field: GPXReader.Field, to value: Double, of point: inout Location
  ) -> Bool {
    switch field {
    case .latitude:
      point.latitude = value
      return abs(value) <= 90
    case .longitude:
      point.longitude = value
      return abs(value) <= 180
    case .elevation:
      point.altitude = value
      return abs(value) <= GPXValueReader.largestMeasure
    case .course:
      point.course = value
      return value >= 0 && value < 360
    case .speed: point.speed = value
    case .hdop: point.hdop = value
    case .heartRate: point.heartRate = value
    case .cadence: point.cadence = value
    case .power: point.power = value
    case .time, .ignored, .name, .type, .creator, .calories, .maxSpeed, .date: return false
    }
    return value >= 0 && value <= GPXValueReader.largestMeasure
  }

  /// Passes over plain text: printable ASCII without a byte that XML gives a meaning.
  private static func skipText(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) {
    while cursor < end {
      let byte = cursor.pointee
      if byte < 0x20 || byte > 0x7e || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
        || byte == UInt8(ascii: "&")
      {
        return
      }
      cursor += 1
    }
  }
}

// MARK: - Learning

extension GPXPointTemplate {
  /// Cuts a point that libxml2 has accepted into literals and holes; fails where it has more than tags and texts.
  ///
  /// - Parameters:
  ///   - example: The point, from the end of what stood before it.
  ///   - lesson: What its elements mean.
  ///   - lineCount: The line ends libxml2 saw in it.
  init?(example: [UInt8], _ lesson: GPXPointLesson, lineCount: Int) {
    var cutter = GPXPointCutter(example)
    func lineEnds(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }
    // A point without a position would need a note each time.
    guard cutter.cut(lesson), cutter.holes.contains(where: { $0.field == .latitude }),
      cutter.holes.contains(where: { $0.field == .longitude }), lineCount == lineEnds(example),
      cutter.holes.allSatisfy({ lineEnds(example[$0.range]) == 0 })
    else { return nil }
    var steps: [Step] = []
    var start = 0
    for hole in cutter.holes {
      steps.append(Step(start: start, count: hole.range.lowerBound - start, field: hole.field))
      start = hole.range.upperBound
    }
    steps.append(Step(start: start, count: example.count - start, field: nil))
    self.example = example
    self.steps = steps
    self.lineCount = lineCount
  }
}

/// Finds the values in the bytes of one point.
private struct GPXPointCutter {
  private let bytes: [UInt8]
  private var next = 0
  private(set) var holes: [(range: Range<Int>, field: GPXReader.Field)] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Finds the holes, or says that the bytes hold more than elements and plain text.
  mutating func cut(_ lesson: GPXPointLesson) -> Bool {
    var element = 0
    var depth = 0
    while let tag = bytes[next...].firstIndex(of: UInt8(ascii: "<")) {
      next = tag + 1
      guard next < bytes.count else { return false }
      switch bytes[next] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        return false
      case UInt8(ascii: "/"):
        guard let end = bytes[next...].firstIndex(of: UInt8(ascii: ">")) else { return false }
        next = end + 1
        depth -= 1
      default:
        // Only the point itself may stand outside of the point.
        guard depth > 0 || element == 0 else { return false }
        element += 1
        guard let hasContent = passStartTag(isPoint: element == 1) else { return false }
        if hasContent {
          depth += 1
          passText(lesson.field(of: element))
        }
      }
      guard depth >= 0 else { return false }
    }
    // What stands behind the last tag would belong to no point; a reference could mean anything.
    return depth == 0 && next == bytes.count && element == lesson.elementCount
      && !bytes.contains(UInt8(ascii: "&"))
  }

  /// Passes a start tag, and says whether it has content; the point's own position becomes holes.
  private mutating func passStartTag(isPoint: Bool) -> Bool? {
    var name = next
    while next < bytes.count {
      switch bytes[next] {
      case UInt8(ascii: ">"):
        next += 1
        return bytes[next - 2] != UInt8(ascii: "/")
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = bytes[(next + 1)...].firstIndex(of: bytes[next]) else { return nil }
        let attribute = attributeName(in: name..<next)
        // Bindings made inside a point are beyond what a scope tells.
        if attribute.starts(with: "xmlns".utf8) { return nil }
        if isPoint, attribute.elementsEqual("lat".utf8) {
          holes.append((next + 1..<end, .latitude))
        } else if isPoint, attribute.elementsEqual("lon".utf8) {
          holes.append((next + 1..<end, .longitude))
        }
        next = end + 1
        name = next
      default:
        next += 1
      }
    }
    return nil
  }

  /// The last word before an equals sign.
  private func attributeName(in range: Range<Int>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
    var name = bytes[range]
    while let last = name.last, isSpace(last) || last == UInt8(ascii: "=") { name.removeLast() }
    return name[(name.lastIndex(where: isSpace).map { $0 + 1 } ?? name.startIndex)...]
  }

  /// Passes the text of an element without children; the white space around it is literal.
  private mutating func passText(_ field: GPXReader.Field) {
    guard let end = bytes[next...].firstIndex(of: UInt8(ascii: "<")), end + 1 < bytes.count,
      bytes[end + 1] == UInt8(ascii: "/")
    else { return }
    var text = bytes[next..<end]
    while let first = text.first, first <= 0x20 { text.removeFirst() }
    while let last = text.last, last <= 0x20 { text.removeLast() }
    if !text.isEmpty { holes.append((text.startIndex..<text.endIndex, field)) }
  }
}
