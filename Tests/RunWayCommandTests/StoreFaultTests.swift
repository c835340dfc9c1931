import Foundation
import Testing

/// Namespaces of one's own allow for file systems that are small or cannot be written, without a trace outside.
enum OwnMounts {
  static let isPossible: Bool = {
    let trial = try? RunningProcess(
      ["-rm", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"], program: "/usr/bin/unshare")
    guard let trial else { return false }
    trial.closeInput()
    let end = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < end {
      if let status = trial.statusIfEnded { return status == 0 }
      usleep(5_000)
    }
    return false
  }()
}

@Suite struct StoreFaultTests {
  /// One sentence: one line that begins with the command's name.
  private func isOneSentence(_ text: String) -> Bool {
    text.hasPrefix("runway: ") && text.filter { $0 == "\n" }.count == 1 && text.hasSuffix("\n")
  }

  @Test
  func `what is no database is refused and stays as it was`() throws {
    let logbook = try LogbookOnDisk()
    let content = String(repeating: "No database at all.\n", count: 100)
    try content.write(toFile: logbook.path, atomically: false, encoding: .utf8)
    for arguments in [["flights"], ["import", Fixture.path("stops.gpx")], ["check", "--repair"]] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 65)
      #expect(result.standardOutput.isEmpty)
      #expect(isOneSentence(result.standardError), "\(result.standardError)")
      #expect(result.standardError.contains("is not a logbook"))
    }
    #expect(try String(contentsOfFile: logbook.path, encoding: .utf8) == content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: logbook.folder.path).count == 1)
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled),
    arguments: [
      ("CREATE TABLE song (title);", "is a database of another program"),
      ("PRAGMA application_id = 42; CREATE TABLE song (title);", "of another program"),
      ("NEWER", "was written by a newer RunWay"),
    ])
  func `a foreign or newer database is refused and stays as it was`(
    sql: String, reason: String
  ) throws {
    let logbook = try LogbookOnDisk()
    if sql == "NEWER" {
      try logbook.runway("import", Fixture.path("stops.gpx"))
      _ = try SQLiteShell.run("PRAGMA user_version = 999", on: logbook.path)
    } else {
      _ = try SQLiteShell.run(sql, on: logbook.path)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: logbook.path))
    for arguments in [["flights"], ["import", Fixture.path("stops.gpx")], ["replay"]] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 65)
      #expect(isOneSentence(result.standardError), "\(result.standardError)")
      #expect(result.standardError.contains(reason))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: logbook.path)) == before)
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `a logbook of the first schema opens with nothing lost`() throws {
    let logbook = try LogbookOnDisk()
    _ = try SQLiteShell.run(".read '\(Fixture.path("logbook-v1.sql"))'", on: logbook.path)
    let count = try SQLiteShell.run("SELECT count(*) FROM flight", on: logbook.path)
    let flights = try logbook.runway("flights", "--json")
    #expect(flights.status == 0, "\(flights.standardError)")
    #expect(try flights.json().array.count == Int(count))
    #expect(try logbook.runway("check").standardOutput == "checked 1 flight: all is well\n")
    #expect(try logbook.runway("import", Fixture.path("stops.gpx")).status == 0)
    #expect(try logbook.flightCount() == (Int(count) ?? 0) + 1)
    #expect(try SQLiteShell.isSound(logbook.path))
  }

  @Test
  func `a damaged page is told, and the file is not made worse`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("ten-kilometres.gpx"))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: logbook.path))
    // Pages 6 to 40: tables' pages behind the schema.
    for index in (5 * 4_096..<min(40 * 4_096, bytes.count)) { bytes[index] = 0xAA }
    try bytes.write(to: URL(fileURLWithPath: logbook.path))
    for arguments in [["show", "latest"], ["check"], ["import", Fixture.path("stops.gpx")]] {
      let result = try logbook.runway(arguments)
      #expect(result.status == 65, "\(arguments): \(result)")
      #expect(isOneSentence(result.standardError), "\(result.standardError)")
      #expect(result.standardError.contains("is damaged"), "\(result.standardError)")
    }
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `a logbook to take in that another process holds fails alone`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      "$RUNWAY" import "$STOPS" && "$RUNWAY" export latest --format logbook -o "$1/run.runway" || exit 1
      { echo 'BEGIN EXCLUSIVE;'; sleep 8; } | sqlite3 "$1/run.runway" &
      sleep 1
      "$RUNWAY" import "$1/run.runway" "$RUN"
      status=$?
      kill %1
      exit $status
      """, folder: folder)
    #expect(result.status == 1)
    #expect(result.standardError.contains("run.runway: "), "\(result.standardError)")
    #expect(result.standardError.contains("must finish first"), "\(result.standardError)")
    #expect(
      try SQLiteShell.run("SELECT count(*) FROM flight", on: folder.path("logbook.sqlite")) == "2")
  }

  @Test
  func `without a home the logbook must be named`() throws {
    let result = try RunwayProcess.run(["flights"], environment: ["HOME": ""])
    #expect(result.status == 74)
    #expect(isOneSentence(result.standardError))
    #expect(result.standardError.contains("--logbook"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled))
  func `a file that may not grow stores nothing by halves and loses nothing`() async throws {
    let folder = try TemporaryFolder()
    // 512-byte blocks: 150 KB hold the stops, and not the ten kilometres beside them.
    let result = try await script(
      """
      "$RUNWAY" import "$STOPS" || exit 1
      ulimit -f 300
      "$RUNWAY" import "$RUN"
      """, folder: folder)
    #expect(result.status == 74)
    #expect(isOneSentence(result.standardError), "\(result.standardError)")
    let path = folder.path("logbook.sqlite")
    #expect(try SQLiteShell.isSound(path))
    #expect(try SQLiteShell.run("SELECT count(*) FROM flight", on: path) == "1")
  }

  @Test(.enabled(if: OwnMounts.isPossible && SQLiteShell.isInstalled))
  func `a full disk stores nothing by halves and loses nothing`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      mount -t tmpfs -o size=400k tmpfs "$1" || exit 1
      "$RUNWAY" import "$STOPS" || exit 2
      "$RUNWAY" import "$RUN"
      echo "status $?"
      "$RUNWAY" replay --json < "$RUN" > /dev/null
      echo "status $?"
      sqlite3 "$RUNWAY_LOGBOOK" 'PRAGMA integrity_check; SELECT count(*) FROM flight WHERE touchedDown'
      """, folder: folder, ownMounts: true)
    #expect(result.status == 0)
    let lines = result.lines.dropFirst()
    #expect(Array(lines) == ["status 74", "status 74", "ok", "1"], "\(result)")
    #expect(result.standardError.contains("the disk is full"), "\(result.standardError)")
  }

  @Test(.enabled(if: OwnMounts.isPossible && SQLiteShell.isInstalled))
  func `on a full disk what is stored can be read`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      mount -t tmpfs -o size=2M tmpfs "$1" || exit 1
      "$RUNWAY" import "$STOPS" > /dev/null || exit 2
      cat /dev/zero > "$1/filling" 2> /dev/null
      "$RUNWAY" flights --json | grep -c '"id"'
      "$RUNWAY" show latest > /dev/null && "$RUNWAY" export latest | grep -c '<gpx '
      "$RUNWAY" edit latest --name x
      echo "status $?"
      """, folder: folder, ownMounts: true)
    #expect(result.lines == ["1", "1", "status 74"], "\(result)")
    #expect(isOneSentence(result.standardError), "\(result.standardError)")
    #expect(result.standardError.contains("the disk is full"), "\(result.standardError)")
  }

  /// A log that was not moved into the file holds what must be read too.
  @Test(.enabled(if: OwnMounts.isPossible && SQLiteShell.isInstalled))
  func `on a full disk a logbook with a log is not read in part`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      mount -t tmpfs -o size=2M tmpfs "$1" || exit 1
      "$RUNWAY" import "$STOPS" > /dev/null || exit 2
      { echo "UPDATE flight SET name = 'x';"; sleep 3; } | sqlite3 "$RUNWAY_LOGBOOK" &
      sleep 1
      kill -9 $!
      rm "$RUNWAY_LOGBOOK-shm"
      cat /dev/zero > "$1/filling" 2> /dev/null
      "$RUNWAY" flights
      """, folder: folder, ownMounts: true)
    #expect(result.status == 74)
    #expect(isOneSentence(result.standardError), "\(result.standardError)")
    #expect(result.standardError.contains("the disk is full"), "\(result.standardError)")
  }

  @Test(.enabled(if: OwnMounts.isPossible))
  func `a folder that cannot be written can be read`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      "$RUNWAY" import "$STOPS" > /dev/null || exit 1
      mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 2
      "$RUNWAY" flights --json | grep -c '"id"'
      "$RUNWAY" import "$RUN"
      echo "status $?"
      "$RUNWAY" edit latest --name x
      echo "status $?"
      """, folder: folder, ownMounts: true)
    #expect(result.lines == ["1", "status 74", "status 74"], "\(result)")
    let complaints = result.standardError.split(separator: "\n")
    #expect(complaints.count == 2, "\(result.standardError)")
    #expect(complaints.allSatisfy { $0.hasPrefix("runway: ") && $0.contains("read-only") })
  }

  @Test
  func `standard output that takes nothing is an error`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      """
      "$RUNWAY" import "$STOPS" > /dev/full
      echo "status $?"
      "$RUNWAY" flights > /dev/full
      echo "status $?"
      "$RUNWAY" flights | head -n 0
      echo "head"
      """, folder: folder)
    #expect(result.lines == ["status 74", "status 74", "head"], "\(result)")
    let logbook = folder.path("logbook.sqlite")
    // What was stored before it could not be told is stored.
    let flights = try RunwayProcess.run(["flights", "--json", "--logbook", logbook])
    #expect(try flights.json().array.count == 1)
  }

  @Test
  func `an input that breaks half-way leaves what was there`() throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"))
    let result = try logbook.runway("import", Fixture.path("damaged/truncated.gpx"))
    #expect(result.status == 65)
    #expect(result.standardError.contains("truncated.gpx:"))
    #expect(try logbook.flightCount() == 1)
    #expect(try logbook.runway("check", "--json").json()["findings"].array.isEmpty)
  }
}
