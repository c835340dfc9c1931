import Glibc
import RunWayModel
import Testing

@testable import RunWayIngest

@Suite struct `Byte chunks` {
  /// Two ends of a pipe; the reading one is closed at the end.
  final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      _ = pipe(&ends)
      (reading, writing) = (ends[0], ends[1])
    }

    deinit { close(reading) }

    func put(_ bytes: [UInt8]) { _ = write(writing, bytes, bytes.count) }
    func end() { close(writing) }
  }

  @Test func `a pipe gives what is there`() throws {
    let pipe = Pipe()
    var chunks = try ByteChunks(descriptor: pipe.reading)
    pipe.put([1, 2, 3])
    #expect(try chunks.next() == [1, 2, 3])
    pipe.put([4])
    pipe.put([5])
    #expect(try chunks.next() == [4, 5])
    pipe.end()
    #expect(try chunks.next() == nil)
  }

  @Test func `a stop descriptor ends a read, before bytes that wait`() throws {
    let pipe = Pipe()
    let stop = Pipe()
    var chunks = try ByteChunks(descriptor: pipe.reading, stopDescriptor: stop.reading)
    pipe.put([1])
    #expect(try chunks.next() == [1])
    stop.put([0])
    #expect(try chunks.next() == nil)
    pipe.put([2])
    #expect(try chunks.next() == nil)
    pipe.end()
    stop.end()
  }

  @Test func `a descriptor that does not block is waited for`() throws {
    let pipe = Pipe()
    _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
    let stop = Pipe()
    stop.put([0])
    var chunks = try ByteChunks(descriptor: pipe.reading, stopDescriptor: stop.reading)
    #expect(try chunks.next() == nil)
    pipe.end()
    stop.end()
  }

  @Test func `what cannot be opened says why`() {
    let cases: [(String, Int32, String)] = [
      ("/nowhere/run.gpx", ENOENT, "No such file or directory"),
      ("/", EISDIR, "Is a directory"),
      ("", ENOENT, "No such file or directory"),
      ("a\0b", ENOENT, "No such file or directory"),
    ]
    for (path, number, reason) in cases {
      #expect(throws: IngestError(.io(errno: number), reason: reason)) {
        try ByteChunks(path: path)
      }
    }
    #expect(throws: IngestError(.io(errno: EBADF), reason: "Bad file descriptor")) {
      try ByteChunks(descriptor: 9_999)
    }
  }

  @Test func `a file is read whole`() throws {
    let expected = try #require(readFile(#filePath))
    var chunks = try ByteChunks(path: #filePath)
    var bytes: [UInt8] = []
    while let chunk = try chunks.next() { bytes += chunk }
    #expect(bytes == expected)
  }

  @Test func `an asynchronous reader of a silent pipe blocks nobody`() async throws {
    // More readers than the machine has cores: were they to block the pool, the writer would never run.
    let pipes = (0..<24).map { _ in Pipe() }
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for pipe in pipes {
        group.addTask {
          var bytes: [UInt8] = []
          for try await chunk in try ByteChunks(descriptor: pipe.reading).async() { bytes += chunk }
          return bytes
        }
      }
      group.addTask {
        for pipe in pipes {
          pipe.put([7])
          pipe.end()
        }
        return [7]
      }
      for try await bytes in group { #expect(bytes == [7]) }
    }
  }

  @Test func `tracks come batch by batch, a fault after what stood before it`() async throws {
    let pipe = Pipe()
    let run = `Track decoder`.run
    var iterator = try ByteChunks(descriptor: pipe.reading).async().trackElements()
      .makeAsyncIterator()
    pipe.put(run)
    var decoded = Decoded()
    decoded.take(try await iterator.next() ?? [])
    // The second RMC ends the first epoch, and shows that an RMC is what ends one.
    #expect(decoded.locations.count == 2)
    pipe.end()
    while let elements = try await iterator.next() { decoded.take(elements) }
    #expect(decoded.locations.count == 2)
    #expect(try await iterator.next() == nil)

    let archive = Array(Archives.gzip(run).dropLast(4))
    let other = Pipe()
    other.put(archive)
    other.end()
    var damaged = try ByteChunks(descriptor: other.reading).async().trackElements()
      .makeAsyncIterator()
    #expect(try await damaged.next()?.isEmpty == false)
    var fault: IngestError?
    do {
      _ = try await damaged.next()
    } catch {
      fault = error as? IngestError
    }
    #expect(fault == IngestError(.malformed, reason: "the archive is cut short"))
    #expect(try await damaged.next() == nil)
  }
}
