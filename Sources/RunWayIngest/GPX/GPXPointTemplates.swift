import Glibc
import RunWayModel

/// A fast path in front of libxml2, for points whose bytes have the shape of one it has read before.
///
/// Devices write every point alike: the same tags and white space, other digits. A template is one such
/// point that libxml2 has read, cut into literal runs and the holes between them. A later point matches if each of its bytes
/// equals the literal's or belongs to a plain number, time or text in a hole. Markup can only stand in literals, so that
/// libxml2 would report the same elements, in the same namespaces, and the values are read by the same
/// functions. At the first other byte libxml2 takes the point over, whatever it may be.
struct GPXPointTemplates {
  /// Whether any template is used.
  let isEnabled: Bool
  private(set) var templates: [GPXPointTemplate] = []
  /// The bindings the templates were learned under; prefixes may mean something else under others.
  private var scope: GPXNamespaceScope?
  private var clock = ISO8601Parser()
  /// Points left to libxml2 since the last one that matched.
  private var misses = 0

  /// Points with and without some sensor's value alternate; four shapes cover that.
  private static let limit = 4
  /// Longer points are left to libxml2.
  private static let longestPoint = 16_384

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Takes as many points as match.
  ///
  /// - Parameters:
  ///   - bytes: What follows a point or a segment's start; what was taken is cut off.
  ///   - reader: Gets the points.
  /// - Returns: The line ends in them.
  mutating func takePoints(
    from bytes: inout UnsafeRawBufferPointer, into reader: UnsafeMutablePointer<GPXReader>
  ) -> Int {
    guard !templates.isEmpty, scope == reader.pointee.scope,
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
    else { return 0 }
    var lineCount = 0
    let end = start + bytes.count
    var cursor = start
    let empty = reader.pointee.emptyPoint

    points: while cursor < end {
      for index in templates.indices {
        var point = empty
        var next = cursor
        guard templates[index].match(&next, end: end, clock: &clock, into: &point) else { continue }
        cursor = next
        misses = 0
        lineCount += templates[index].lineCount
        reader.pointee.add(point)
        // The likeliest shape is tried first.
        if index > 0 { templates.swapAt(0, index) }
        continue points
      }
      break
    }
    bytes = UnsafeRawBufferPointer(rebasing: bytes[(cursor - start)...])
    return lineCount
  }

  /// The end of the first point in the bytes, by its end tag.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: How many bytes lie before it, or `nil` where none ends.
  static func endOfPoint(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var next = 0
    while let found = memchr(start + next, CInt(UInt8(ascii: ">")), bytes.count - next) {
      next = UnsafeRawPointer(found) - start + 1
      if endsPoint(UnsafeRawBufferPointer(start: start, count: next)) { return next }
    }
    return nil
  }

  /// Whether bytes end with the end tag of a point, whatever its prefix.
  @inline(__always)
  static func endsPoint(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let tag: StaticString = "trkpt>"
    let start = bytes.count - tag.utf8CodeUnitCount
    guard start >= 0, let base = bytes.baseAddress else { return false }
    return memcmp(base + start, tag.utf8Start, tag.utf8CodeUnitCount) == 0
  }

  /// Whether the next point is worth learning from.
  ///
  /// Where learning has been in vain for some points, only every sixteenth is.
  mutating func wantsLesson() -> Bool {
    misses &+= 1
    return misses <= 8 || misses % 16 == 0
  }

  /// Learns a shape from a point that libxml2 has read.
  ///
  /// - Parameters:
  ///   - bytes: The point, from the end of what stood before it.
  ///   - lesson: Which of its elements mean what.
  ///   - scope: The bindings it was read under.
  ///   - lineCount: The line ends libxml2 saw in it.
  mutating func learn(
    from bytes: UnsafeRawBufferPointer, _ lesson: GPXPointLesson, scope: GPXNamespaceScope,
    lineCount: Int
  ) {
    guard bytes.count <= Self.longestPoint,
      let template = GPXPointTemplate(example: Array(bytes), lesson, lineCount: lineCount)
    else { return }
    if self.scope != scope {
      self.scope = scope
      templates.removeAll()
    }
    // A point of a known shape was read by libxml2 for the sake of one of its values.
    if templates.contains(where: { $0.hasShape(of: template) }) { return }
    if templates.count == Self.limit { templates.removeLast() }
    templates.insert(template, at: 0)
  }
}

/// The namespace bindings in force at one place of a document, as a value to compare.
///
/// Bindings change where one is declared, and where the element ends that declared it.
struct GPXNamespaceScope: Equatable {
  /// The bindings declared so far.
  var declared: Int
  /// The bindings in force.
  var open: Int32
}

/// What libxml2's events told of one point’s elements.
struct GPXPointLesson {
  /// The elements begun so far, the point itself being the first.
  var elementCount = 0
  private var fields: [(element: Int, field: GPXReader.Field)] = []

  /// Notes that the element just begun may hold a value.
  mutating func beginValue(_ field: GPXReader.Field) {
    fields.append((elementCount, field))
  }

  /// Notes that it has ended: an empty one said nothing, and of several the first is the one that counts.
  mutating func endValue(isEmpty: Bool) {
    guard let last = fields.popLast(), !isEmpty, !fields.contains(where: { $0.field == last.field })
    else { return }
    fields.append(last)
  }

  /// What the text of an element stands for.
  func field(of element: Int) -> GPXReader.Field {
    fields.first { $0.element == element }?.field ?? .ignored
  }
}
