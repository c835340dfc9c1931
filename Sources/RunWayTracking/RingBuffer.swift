/// A queue in one block of memory, whose elements keep their index while they are in it.
struct RingBuffer<Element: Sendable>: Sendable {
  private var storage: ContiguousArray<Element> = []
  /// A power of two less one, or −1 without storage.
  private var mask = -1
  /// The index of the first element: how many were removed before it.
  private(set) var startIndex = 0
  /// One more than the last element's index.
  private(set) var endIndex = 0

  var isEmpty: Bool { startIndex == endIndex }
  var count: Int { endIndex - startIndex }
  var first: Element? { isEmpty ? nil : self[startIndex] }
  var last: Element? { isEmpty ? nil : self[endIndex - 1] }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= startIndex && index < endIndex)
      return storage[index & mask]
    }
    @inline(__always) set { storage[index & mask] = newValue }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count > mask { grow(filling: element) }
    storage[endIndex & mask] = element
    endIndex += 1
  }

  /// Removes the elements before an index, which is at most `endIndex`.
  @inline(__always)
  mutating func removeFirst(upTo index: Int) {
    startIndex = max(startIndex, index)
  }

  /// Removes everything and counts from 0 again; the memory is kept.
  mutating func removeAll() {
    startIndex = 0
    endIndex = 0
  }

  private mutating func grow(filling element: Element) {
    let capacity = max(16, (mask + 1) * 2)
    var larger = ContiguousArray(repeating: element, count: capacity)
    for index in startIndex..<endIndex {
      larger[index & (capacity - 1)] = self[index]
    }
    storage = larger
    mask = capacity - 1
  }
}
