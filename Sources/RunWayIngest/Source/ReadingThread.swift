internal import Glibc
internal import Synchronization

/// Reads chunks on a thread of its own, one for each call of `next`.
///
/// The thread begins with the first call, and ends with its owner or the source.
final class ReadingThread: Sendable {
  /// Who waits for the next chunk.
  typealias Waiter = CheckedContinuation<Result<[UInt8]?, IngestError>, Never>

  /// What the thread is asked to do.
  fileprivate enum Request: Sendable {
    case read(Waiter)
    case stop
  }

  private let requests = Requests()
  /// What to read, until the thread has taken it.
  private let source: Mutex<ByteChunks?>

  init(_ chunks: ByteChunks) {
    source = Mutex(chunks)
  }

  deinit { requests.append(.stop) }

  /// The next chunk, or `nil` at the end.
  func next() async throws(IngestError) -> [UInt8]? {
    if Task.isCancelled { return nil }
    let chunks = source.withLock { source in
      defer { source = nil }
      return source
    }
    if let chunks { try start(chunks) }
    return try await withCheckedContinuation { requests.append(.read($0)) }.get()
  }

  private func start(_ chunks: ByteChunks) throws(IngestError) {
    let work = Unmanaged.passRetained(Work(chunks: chunks, requests: requests))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      requests.close()
      throw IngestError(systemError: code)
    }
    pthread_detach(thread)
  }
}

/// What the thread owns.
private final class Work {
  private var chunks: ByteChunks?
  private let requests: Requests

  init(chunks: ByteChunks, requests: Requests) {
    self.chunks = chunks
    self.requests = requests
  }

  /// Answers requests until it is to stop; what has ended stays so, though a terminal would read on.
  func run() {
    while case .read(let waiter) = requests.next() {
      do throws(IngestError) {
        let bytes = try chunks?.next()
        if bytes == nil { chunks = nil }
        waiter.resume(returning: .success(bytes))
      } catch {
        chunks = nil
        waiter.resume(returning: .failure(error))
      }
    }
  }
}

/// Requests that wait for the thread.
private final class Requests: Sendable {
  private struct State {
    var waiting: [ReadingThread.Request] = []
    /// There is no thread, and never will be.
    var isClosed = false
  }

  private let state = Mutex(State())
  private let count = Semaphore()

  func append(_ request: ReadingThread.Request) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.waiting.append(request) }
      return state.isClosed
    }
    if !isClosed {
      count.signal()
    } else if case .read(let waiter) = request {
      waiter.resume(returning: .success(nil))
    }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Waits for the next request.
  func next() -> ReadingThread.Request {
    count.wait()
    return state.withLock { $0.waiting.isEmpty ? .stop : $0.waiting.removeFirst() }
  }
}

/// A POSIX semaphore.
///
/// `@unchecked Sendable`: the pointer never changes, POSIX lets any thread post and wait, and none waits any more when
/// the semaphore is destroyed, for whoever waits holds its owner.
private final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }
}
