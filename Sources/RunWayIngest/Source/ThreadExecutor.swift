internal import Glibc
internal import Synchronization

/// Runs an actor's jobs on one thread of its own, which may block.
final class ThreadExecutor: SerialExecutor {
  private let queue = JobQueue()
  private let hasThread = Mutex(false)

  func enqueue(_ job: consuming ExecutorJob) {
    queue.append(.run(UnownedJob(job), self))
    hasThread.withLock { hasThread in
      if hasThread { return }
      hasThread = true
      startThread()
    }
  }

  /// Ends the thread after the jobs that wait.
  func stop() {
    queue.append(.stop)
  }

  private func startThread() {
    var thread = pthread_t()
    // The thread keeps the queue and not the executor, so that the actor's end can end it.
    let context = Unmanaged.passRetained(queue).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let queue = Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue()
        while case .run(let job, let executor) = queue.next() {
          job.runSynchronously(on: executor.asUnownedSerialExecutor())
        }
        return nil
      }, context)
    // Without a thread nothing could ever be read; the process is out of a basic resource.
    precondition(code == 0, "the system gives no thread to read on")
    pthread_detach(thread)
  }
}

/// Jobs that wait for a thread.
private final class JobQueue: Sendable {
  enum Item: Sendable {
    /// The executor is kept while its job runs, for the job may release the actor that owns it.
    case run(UnownedJob, ThreadExecutor)
    case stop
  }

  private let items = Mutex<[Item]>([])
  private let count = Semaphore()

  func append(_ item: Item) {
    items.withLock { $0.append(item) }
    count.signal()
  }

  /// Waits for the next item.
  func next() -> Item {
    count.wait()
    return items.withLock { $0.isEmpty ? .stop : $0.removeFirst() }
  }
}

/// A POSIX semaphore.
///
/// `@unchecked Sendable`: the pointer never changes, and POSIX lets any thread post and wait.
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
