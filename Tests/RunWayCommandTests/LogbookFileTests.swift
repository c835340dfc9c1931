import Foundation
import Testing

/// Logbooks as files: copies that take the place of others, and files that are only read.
@Suite(.enabled(if: SQLiteShell.isInstalled, "needs the sqlite3 shell"))
struct LogbookFileTests {
  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Whether it is one file, and bears no mark of WAL mode.
  ///
  /// Two bytes at offset 18 tell, by https://www.sqlite.org/fileformat.html#file_format_version_numbers.
  private func isSingleFile(_ path: String) throws -> Bool {
    let files = FileManager.default
    return try Array(content(path)[18..<20]) == [1, 1]
      && !files.fileExists(atPath: path + "-wal") && !files.fileExists(atPath: path + "-shm")
  }

  @Test func `a logbook that a process has open is not replaced`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let other = try LogbookOnDisk()
    try other.fly(.beta)
    let shell = try RunningProcess(["-batch", other.path], program: SQLiteShell.path)
    shell.write("SELECT count(*) || ' flight' FROM flight;\n")
    #expect(await shell.line { $0 == "1 flight" } != nil)
    for arguments in [
      ["backup", other.path], ["export", "latest", "--format", "logbook", "-o", other.path],
    ] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 74)
      #expect(
        result.standardError
          == "runway: \(other.path) is not replaced: another process has it open\n")
    }
    shell.closeInput()
    #expect(await shell.end() == 0)
    #expect(try other.names() == ["Beta"])
    #expect(try other.runway("check").status == 0)
    #expect(try logbook.runway("backup", other.path).status == 0)
    #expect(try other.names() == ["Alpha run"])
    #expect(try SQLiteShell.isSound(other.path))
  }

  /// What a process that was killed left in the log beside the file must not find its way into the new one.
  @Test func `a log that was left behind goes with its logbook`() async throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let other = try LogbookOnDisk()
    try other.fly(.beta)
    let shell = try RunningProcess(["-batch", other.path], program: SQLiteShell.path)
    shell.write("UPDATE flight SET name = 'Gamma'; SELECT 'changed';\n")
    #expect(await shell.line { $0 == "changed" } != nil)
    shell.kill(SIGKILL)
    _ = await shell.end()
    #expect(try !content(other.path + "-wal").isEmpty)
    #expect(try logbook.runway("backup", other.path).status == 0)
    #expect(try isSingleFile(other.path))
    #expect(try other.names() == ["Alpha run"])

    let orphan = logbook.folder.path("gone.sqlite")
    try logbook.folder.write("no longer of use", to: "gone.sqlite-wal")
    let refused = try logbook.runway("backup", orphan)
    #expect(refused.status == 74)
    #expect(refused.standardError.contains("gone.sqlite-wal is there"), "\(refused.standardError)")
  }

  @Test func `a good backup is not replaced by nothing, nor by a damaged copy`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    let backup = logbook.folder.path("backup.sqlite")
    #expect(try logbook.runway("backup", backup).status == 0)
    let good = try content(backup)

    let nothing = logbook.folder.path("nothing.sqlite")
    let missing = try logbook.runway("backup", backup, "--logbook", nothing)
    #expect(missing.status == 66)
    #expect(missing.standardError == "runway: there is no logbook \(nothing) to copy\n")
    #expect(try content(backup) == good)

    try logbook.runway("import", Fixture.path("stops.gpx"))
    try SQLiteShell.run("PRAGMA wal_checkpoint(TRUNCATE)", on: logbook.path)
    var bytes = try content(logbook.path)
    // Pages of 4096 bytes, past those that are read on opening.
    for index in 35 * 4_096..<40 * 4_096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: logbook.path))
    let damaged = try logbook.runway("backup", backup)
    #expect(damaged.status == 65)
    #expect(damaged.standardError.hasPrefix("runway: \(logbook.path) is damaged ("))
    #expect(damaged.standardError.hasSuffix("), and no backup is made of it\n"))
    #expect(try content(backup) == good)
    let names = try FileManager.default.contentsOfDirectory(atPath: logbook.folder.path)
    #expect(!names.contains { $0.contains("partial") }, "\(names)")
  }

  @Test func `reading changes no file, and a copy stays a single one`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha, "--pace", "5:00")
    let copy = logbook.folder.path("copy.sqlite")
    let document = logbook.folder.path("run.runway")
    #expect(try logbook.runway("backup", copy).status == 0)
    #expect(
      try logbook.runway("export", "latest", "--format", "logbook", "-o", document).status == 0)
    for path in [copy, document] {
      #expect(try isSingleFile(path))
      let before = try content(path)
      for command in [
        ["show", "latest"], ["flights"], ["alerts"], ["stats"], ["check"], ["logbook"],
        ["export", "--all", "--format", "json"],
      ] {
        #expect(try logbook.runway(command + ["--logbook", path]).status == 0, "\(command)")
        #expect(try content(path) == before, "\(command)")
      }
      #expect(try isSingleFile(path))
    }
    #expect(try logbook.runway("edit", "latest", "--notes", "x", "--logbook", copy).status == 0)
    #expect(try SQLiteShell.run("SELECT notes FROM flight", on: copy) == "x")
  }

  @Test func `what cannot be written is named, and leaves nothing`() async throws {
    let folder = try TemporaryFolder()
    // 512-byte blocks: 100 KB do not hold the ten kilometres.
    let result = try await script(
      """
      "$RUNWAY" import "$RUN" > /dev/null || exit 1
      ulimit -f 200
      "$RUNWAY" backup "$1/copy.sqlite"
      echo "status $?"
      "$RUNWAY" export latest --format logbook -o "$1/run.runway"
      echo "status $?"
      ls "$1"
      """, folder: folder)
    #expect(result.lines == ["status 74", "status 74", "logbook.sqlite"], "\(result)")
    let complaints = result.standardError.split(separator: "\n")
    #expect(complaints.count == 2, "\(result.standardError)")
    #expect(complaints.first?.hasPrefix("runway: \(folder.path("copy.sqlite")) cannot ") == true)
    #expect(complaints.last?.hasPrefix("runway: \(folder.path("run.runway")) cannot ") == true)
  }
}
