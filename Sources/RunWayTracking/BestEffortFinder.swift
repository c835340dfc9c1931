internal import RunWayModel

/// Finds the fastest stretch of each length while a flight goes by.
///
/// Time is a piecewise linear function of distance, so that the fastest stretch of a length begins or ends at a
/// location. One window over distance serves all lengths: it holds a vertex for each distinct distance, with the
/// first and the last moment there, back to the longest length.
struct BestEffortFinder: Sendable {
  private struct Vertex: Sendable {
    var distance: Double
    var arrival: Double
    var departure: Double
  }

  private struct Search: Sendable {
    var length: Double
    /// The first vertex that lies less than the length behind the newest.
    var index = 0
    var best = Double.greatestFiniteMagnitude
    var start = 0.0

    var isFound: Bool { best < .greatestFiniteMagnitude }

    /// Moves on to a new vertex; `false` where the flight is not yet that long, nor any longer one.
    ///
    /// Whether a stretch is faster is asked without dividing; the quotient is taken for the fastest alone.
    @inline(__always)
    mutating func advance(
      to vertex: Vertex, from newest: Vertex, in vertices: RingBuffer<Vertex>
    ) -> Bool {
      let begin = vertex.distance - length
      guard begin >= vertices[vertices.startIndex].distance else { return false }
      index = max(index, vertices.startIndex)

      // Stretches that begin at a vertex and end in the step that leads here.
      let step = vertex.distance - newest.distance
      let stepTime = vertex.arrival - newest.departure
      while index < vertices.endIndex, vertices[index].distance <= begin {
        let first = vertices[index]
        let whole = newest.departure - first.departure
        let part = max(0, first.distance + length - newest.distance)
        if part * stepTime < (best - whole) * step {
          best = whole + part / step * stepTime
          start = first.distance
        }
        index += 1
      }
      // The stretch that ends here, and begins in the step before the first vertex that is too near.
      guard index > vertices.startIndex else { return true }
      let before = vertices[index - 1]
      let next = index < vertices.endIndex ? vertices[index] : vertex
      let firstStep = next.distance - before.distance
      let firstTime = next.arrival - before.departure
      let whole = vertex.arrival - before.departure
      let part = begin - before.distance
      if (whole - best) * firstStep < part * firstTime {
        best = whole - part / firstStep * firstTime
        start = begin
      }
      return true
    }
  }

  /// A marathon at 1 Hz has at most 25,000 vertices; beyond this many, every other one is dropped.
  private static let limit = 1 << 16

  private var vertices = RingBuffer<Vertex>()
  /// Vertices closer to the last one than this are left out; 0 before the limit was met.
  private var spacing = 0.0
  private var searches = ContiguousArray(
    BestEffortDistance.allCases.map { Search(length: $0.distance.meters) })

  /// Forgets where the runner was, as a step back in time demands, and keeps what was found.
  mutating func restart() {
    vertices.removeAll()
    for index in searches.indices { searches[index].index = 0 }
  }

  /// Takes the next location.
  ///
  /// - Parameters:
  ///   - distance: Metres run; never less than the last one's.
  ///   - time: Seconds on any clock; never less than the last one's.
  mutating func add(distance: Double, time: Double) {
    guard let newest = vertices.last else {
      vertices.append(Vertex(distance: distance, arrival: time, departure: time))
      return
    }
    if distance - newest.distance <= spacing {
      // Standing: only the moment of leaving is put off. Where vertices are thinned, a little way is added to it.
      if distance == newest.distance {
        vertices[vertices.endIndex - 1].departure = time
        return
      }
      if spacing > 0 { return }
    }
    let vertex = Vertex(distance: distance, arrival: time, departure: time)
    for index in searches.indices {
      guard searches[index].advance(to: vertex, from: newest, in: vertices) else { break }
    }
    append(vertex)
  }

  /// The efforts found, shortest first.
  var bestEfforts: [BestEffort] {
    zip(BestEffortDistance.allCases, searches).compactMap { kind, search in
      guard search.isFound else { return nil }
      return BestEffort(
        kind: kind, elapsedTime: search.best, startDistance: .meters(search.start))
    }
  }

  private mutating func append(_ vertex: Vertex) {
    if vertices.count == BestEffortFinder.limit { thin() }
    vertices.append(vertex)
    // One vertex before the longest length's first one is still needed to interpolate.
    if let longest = searches.last, longest.index > vertices.startIndex {
      vertices.removeFirst(upTo: longest.index - 1)
    }
  }

  private mutating func thin() {
    var thinned = RingBuffer<Vertex>()
    for index in stride(from: vertices.startIndex, to: vertices.endIndex, by: 2) {
      thinned.append(vertices[index])
    }
    let longest = searches.last?.length ?? 0
    spacing = max(spacing * 2, longest / Double(BestEffortFinder.limit / 2))
    vertices = thinned
    for index in searches.indices {
      let start = vertices[vertices.endIndex - 1].distance - searches[index].length
      var place = vertices.startIndex
      while place < vertices.endIndex, vertices[place].distance <= start { place += 1 }
      searches[index].index = place
    }
  }
}
