internal import Glibc

/// Finds out which process is writing to a logbook.
///
/// A writer in WAL mode holds a POSIX lock on byte 120 of the file `-shm` (https://sqlite.org/walformat.html,
/// section 2.3.1). The kernel lists all locks in `/proc/locks`. Asking the file itself would mean to
/// open and close it, and closing any descriptor of a file drops all POSIX locks that this process holds on it.
enum WriterProcess {
  private static let writeLockOffset = "120"

  /// Describes the process that is writing to a logbook, if it can be found.
  static func holding(path: String) -> String? {
    var status = stat()
    guard stat("\(LogbookLocation.resolved(path))-shm", &status) == 0,
      let locks = contents(of: "/proc/locks")
    else { return nil }
    let inode = String(status.st_ino)
    for line in locks.split(separator: "\n") {
      // “1: POSIX  ADVISORY  WRITE 1234 08:01:5678 120 120”
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 8, fields[1] == "POSIX", fields[3] == "WRITE",
        fields[5].split(separator: ":").last.map(String.init) == inode,
        fields[6] == writeLockOffset, let process = Int32(fields[4]), process > 0
      else { continue }
      if process == getpid() { return "another part of this process" }
      let name = contents(of: "/proc/\(process)/comm")?.prefix { $0 != "\n" }
      return name.map { "\($0) (process \(process))" } ?? "process \(process)"
    }
    return nil
  }

  private static func contents(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    let room = 65_536
    while bytes.count < 1 << 22 {
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = max(0, read(file, buffer.baseAddress, room))
      }
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
