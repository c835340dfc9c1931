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

  private let location: LogbookLocation
  private var file: Int32 = -1
  /// The flights that this logbook is flying.
  private(set) var held: Set<Int64> = []

  init(location: LogbookLocation) {
    self.location = location
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Takes a flight's lock.
  ///
  /// - Returns: Whether it was free.
  func take(_ key: Int64) throws(LogbookError) -> Bool {
    if held.contains(key) { return false }
    if let logbook {
      let path = logbook + LogbookLocation.liveSuffix
      if file < 0 { try makeFile(path, beside: logbook) }
      var lock = range(of: key, type: F_WRLCK)
      guard fcntl(file, FlightLocks.setOFDLock, &lock) == 0 else {
        if errno == EAGAIN || errno == EACCES { return false }
        throw LogbookError(.io, "\(path) cannot be locked: \(String(cString: strerror(errno)))")
      }
    }
    held.insert(key)
    return true
  }

  /// Opens the file of locks, and makes it where it is not there.
  private func makeFile(_ path: String, beside logbook: String) throws(LogbookError) {
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    var status = stat()
    if file >= 0, stat(logbook, &status) == 0 {
      // Whoever may write the logbook may fly, as with the files that SQLite keeps beside it. Only root can give a
      // file away, and only for root is there a need to.
      _ = fchmod(file, status.st_mode & 0o777)
      _ = fchown(file, status.st_uid, status.st_gid)
    }
    if file < 0 { file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard file >= 0 else {
      throw LogbookError(
        errno == EACCES || errno == EROFS ? .readOnly : .io,
        "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  /// Lets go of a flight's lock.
  func release(_ key: Int64) {
    guard held.remove(key) != nil, file >= 0 else { return }
    var lock = range(of: key, type: F_UNLCK)
    // It cannot fail on a descriptor that holds the lock.
    _ = fcntl(file, FlightLocks.setOFDLock, &lock)
  }

  /// Whether this or another process is flying a flight, or may be: where the locks must not be read.
  func isHeld(_ key: Int64) -> Bool {
    if held.contains(key) { return true }
    guard let logbook else { return false }
    // Opened on its own: a reader must not make the file. OFD locks do not mind the closing.
    let probe =
      file >= 0 ? file : open(logbook + LogbookLocation.liveSuffix, O_RDONLY | O_CLOEXEC)
    guard probe >= 0 else { return errno == EACCES || errno == EPERM }
    defer { if probe != file { close(probe) } }
    var lock = range(of: key, type: F_RDLCK)
    guard fcntl(probe, FlightLocks.getOFDLock, &lock) == 0 else { return false }
    return lock.l_type != Int16(F_UNLCK)
  }

  /// The file that links lead to; `nil` for a logbook in memory.
  private var logbook: String? {
    guard case .file(let path) = location else { return nil }
    return LogbookLocation.resolved(path)
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
