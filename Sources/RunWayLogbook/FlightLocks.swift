internal import Glibc

/// Tells which flights are being flown, by advisory locks on a file beside the logbook.
///
/// A flight in the air has one byte of `<logbook>-live` locked, at the offset of its key. The lock
/// belongs to an open file description (`F_OFD_SETLK`), so the kernel lets go of it when the process
/// ends in whatever way, and two logbooks of one process do not share it.
@MainActor final class FlightLocks {
  // From the kernel's <asm-generic/fcntl.h>; glibc hides them from Swift behind _GNU_SOURCE.
  private static let getOFDLock: Int32 = 36
  private static let setOFDLock: Int32 = 37

  private let path: String?
  private var file: Int32 = -1
  /// The flights that this logbook is flying.
  private(set) var held: Set<Int64> = []

  init(location: LogbookLocation) {
    path = if case .file(let path) = location { "\(path)-live" } else { nil }
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Takes a flight's lock.
  ///
  /// - Returns: Whether it was free.
  func take(_ key: Int64) throws(LogbookError) -> Bool {
    if held.contains(key) { return false }
    if let path {
      if file < 0 { file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
      guard file >= 0 else {
        throw LogbookError(
          errno == EACCES || errno == EROFS ? .readOnly : .io,
          "\(path) cannot be written: \(String(cString: strerror(errno)))")
      }
      var lock = range(of: key, type: F_WRLCK)
      guard fcntl(file, FlightLocks.setOFDLock, &lock) == 0 else {
        if errno == EAGAIN || errno == EACCES { return false }
        throw LogbookError(.io, "\(path) cannot be locked: \(String(cString: strerror(errno)))")
      }
    }
    held.insert(key)
    return true
  }

  /// Lets go of a flight's lock.
  func release(_ key: Int64) {
    guard held.remove(key) != nil, file >= 0 else { return }
    var lock = range(of: key, type: F_UNLCK)
    // It cannot fail on a descriptor that holds the lock.
    _ = fcntl(file, FlightLocks.setOFDLock, &lock)
  }

  /// Whether this or another process is flying a flight.
  func isHeld(_ key: Int64) -> Bool {
    if held.contains(key) { return true }
    guard let path else { return false }
    // Opened on its own: a reader must not make the file. OFD locks do not mind the closing.
    let probe = file >= 0 ? file : open(path, O_RDONLY | O_CLOEXEC)
    guard probe >= 0 else { return false }
    defer { if probe != file { close(probe) } }
    var lock = range(of: key, type: F_RDLCK)
    guard fcntl(probe, FlightLocks.getOFDLock, &lock) == 0 else { return false }
    return lock.l_type != Int16(F_UNLCK)
  }

  private func range(of key: Int64, type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Int(key)
    lock.l_len = 1
    return lock
  }
}
