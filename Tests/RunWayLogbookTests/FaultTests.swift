import Glibc
import RunWayModel
import Testing

@testable import RunWayLogbook

/// What may be wrong with a file, its folder or the disk: one sentence each, and nothing is lost.
@MainActor @Suite struct FaultTests {
  private func error(_ body: () throws -> Void) -> LogbookError? {
    #expect(throws: LogbookError.self) { try body() }
  }

  /// Makes a database with the SQL of another program.
  private func makeDatabase(_ path: String, _ sql: String) throws {
    let connection = try Connection(path, flags: 6)
    try connection.executeScript(sql)
  }

  @Test(arguments: [true, false])
  func `a file that is no database is refused and left as it was`(readOnly: Bool) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/notes.txt"
      let text = Array(String(repeating: "Just some notes.\n", count: 100).utf8)
      write(text, to: path)
      let error = error { _ = try Logbook(.file(path), readOnly: readOnly) }
      #expect(error?.code == .notADatabase)
      #expect(error?.message == "\(path) is not a logbook, nor any other SQLite database")
      #expect(bytes(of: path) == text)
      #expect(names(in: folder) == ["notes.txt"])
    }
  }

  @Test(arguments: [
    "CREATE TABLE photo (id INTEGER PRIMARY KEY)",
    "CREATE TABLE photo (id INTEGER PRIMARY KEY); PRAGMA journal_mode = WAL",
    "PRAGMA application_id = 252006675; CREATE TABLE features (id INTEGER PRIMARY KEY)",
  ])
  func `a foreign database is refused and left as it was`(sql: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/photos.db"
      try makeDatabase(path, sql)
      let before = bytes(of: path)
      for readOnly in [true, false] {
        let error = error { _ = try Logbook(.file(path), readOnly: readOnly) }
        #expect(error?.code == .foreign)
        #expect(
          error?.message == "\(path) is a database of another program, not a logbook")
      }
      #expect(bytes(of: path) == before)
      #expect(names(in: folder) == ["photos.db"])
    }
  }

  @Test(arguments: [true, false])
  func `a logbook whose log was half moved into it is whole`(readOnly: Bool) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let copy = "\(folder)/copy.sqlite"
      do {
        let logbook = try Logbook(.file(path))
        try Samples.store(in: logbook, count: 5_000)
        write(bytes(of: path), to: copy)
        write(bytes(of: path + "-wal"), to: copy + "-wal")
      }
      // Closed, it has moved its log into the file. Of the pages, this copy got the first alone, which tells of more
      // than the file has: so a reader finds it beside a writer, or after a power cut.
      let pageSize = 4_096
      let moved = bytes(of: path)
      let half = Array(moved[..<pageSize] + bytes(of: copy)[pageSize...])
      #expect(half.count < moved.count)
      write(half, to: copy)
      let logbook = try Logbook(.file(copy), readOnly: readOnly)
      #expect(try logbook.flight(matching: "latest").totals.coordinateCount == 5_000)
      #expect(try logbook.check() == [])
    }
  }

  @Test func `a newer logbook is refused and left as it was`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      try makeDatabase(
        path,
        """
        CREATE TABLE flight (id TEXT); CREATE TABLE hologram (id TEXT);
        PRAGMA application_id = \(LogbookSchema.applicationID); PRAGMA user_version = 99;
        PRAGMA journal_mode = WAL
        """)
      let before = bytes(of: path)
      let error = error { _ = try Logbook(.file(path)) }
      #expect(error?.code == .newer)
      #expect(
        error?.message
          == "\(path) was written by a newer RunWay (schema 99, this one knows 1); update RunWay")
      #expect(bytes(of: path) == before)
      #expect(names(in: folder) == ["logbook.sqlite"])
    }
  }

  @Test func `a folder is no logbook`() async throws {
    try await withTemporaryFolder { folder in
      let error = error { _ = try Logbook(.file(folder)) }
      #expect(error?.message == "\(folder) cannot be opened: it is a folder")
    }
  }

  @Test func `a new logbook makes its folder, a reader makes nothing`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/share/run way/100% #1?.sqlite"
      let reader = try Logbook(.file(path), readOnly: true)
      #expect(try reader.flights() == [])
      #expect(names(in: folder) == [])
      #expect(error { try reader.setWeight(70) }?.code == .readOnly)
      let writer = try Logbook(.file(path))
      try writer.setWeight(70)
      #expect(exists(path))
      #expect(try Logbook(.file(path), readOnly: true).weight() == 70)
    }
  }

  @Test func `an empty file becomes a logbook`() async throws {
    try await withTemporaryFolder { folder in
      write([], to: "\(folder)/logbook.sqlite")
      let id = try Samples.store(in: Logbook(.file("\(folder)/logbook.sqlite")))
      #expect(try Logbook(.file("\(folder)/logbook.sqlite")).flight(id) != nil)
    }
  }

  @Test(.enabled(if: getuid() != 0))
  func `a folder that cannot be written`() async throws {
    try await withTemporaryFolder { folder in
      chmod(folder, 0o500)
      let error = error { _ = try Logbook(.file("\(folder)/runway/logbook.sqlite")) }
      #expect(error?.code == .readOnly)
      #expect(error?.message == "the folder \(folder)/runway cannot be made: Permission denied")
    }
  }

  @Test func `a full disk stops an import, and what was stored before stays`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let logbook = try Logbook(.file(path))
      let first = try Samples.store(in: logbook, count: 1_000)
      try logbook.connection.executeScript("PRAGMA max_page_count = 60")
      let error = error { try Samples.store(in: logbook, count: 100_000, seed: 1) }
      #expect(error?.code == .diskFull)
      #expect(error?.message == "\(path) cannot grow: the disk is full")
      try logbook.connection.executeScript("PRAGMA max_page_count = 100000")
      #expect(try logbook.flights().map(\.id) == [first])
      #expect(try logbook.coordinates(of: first).count == 1_000)
      #expect(try logbook.check() == [])
      // The logbook goes on once there is room.
      try Samples.store(in: logbook, count: 100_000, seed: 1)
      #expect(try logbook.flightCount() == 2)
    }
  }

  @Test func `a damaged page is found and named`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      try Samples.store(in: Logbook(.file(path)), count: 20_000)
      var content = bytes(of: path)
      // Every page but the first few, whose loss would be noticed on opening.
      for page in 40..<(content.count / 4_096) {
        for byte in 0..<64 { content[page * 4_096 + byte] = 0xA5 }
      }
      write(content, to: path)
      let logbook = try Logbook(.file(path), readOnly: true)
      let id = try logbook.flightID(matching: "latest")
      let error = error { _ = try logbook.coordinates(of: id) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.hasPrefix("\(path) is damaged (") == true)
      let faults = try logbook.check()
      #expect(!faults.isEmpty && faults.allSatisfy { $0.kind == .file && $0.flightID == nil })
    }
  }

  @Test func `a locked logbook says so, and readers do not mind`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      let writer = try Logbook(.file(path))
      let other = try Logbook(.file(path))
      other.connection.busyTimeout = 50
      let transaction = try writer.beginImport()
      let error = error { _ = try other.beginImport() }
      #expect(error?.code == .busy)
      #expect(
        error?.message
          == "another part of this process is writing to \(path) and must finish first")
      #expect(try Logbook(.file(path), readOnly: true).flights() == [])
      try transaction.commit()
      try other.beginImport().commit()
    }
  }

  @Test(arguments: [
    (["RUNWAY_LOGBOOK": "a.sqlite", "XDG_DATA_HOME": "/d", "HOME": "/h"], "a.sqlite"),
    (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/runway/logbook.sqlite"),
    (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/runway/logbook.sqlite"),
    (
      ["RUNWAY_LOGBOOK": "", "XDG_DATA_HOME": "", "HOME": "/h"],
      "/h/.local/share/runway/logbook.sqlite"
    ),
  ])
  func `the environment says where the logbook is`(
    environment: [String: String], path: String
  ) throws {
    #expect(try LogbookLocation.default(environment: environment) == .file(path))
  }

  @Test func `without a home there is no logbook`() {
    let error = error { _ = try LogbookLocation.default(environment: ["HOME": ""]) }
    #expect(error?.code == .noLocation)
  }

  @Test(arguments: [false, true])
  func `a flight that fails half-way is not made permanent by the commit`(looksKnown: Bool)
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/logbook.sqlite"
      try Samples.store(in: Logbook(.file(path)), count: 10, seed: looksKnown ? 0 : 1)
      try makeDatabase(
        path,
        """
        CREATE TRIGGER halfWay BEFORE INSERT ON coordinate WHEN NEW."order" = 150
        BEGIN SELECT RAISE(ABORT, 'half-way'); END
        """)
      let logbook = try Logbook(.file(path))
      let locations = Samples.locations(300)
      let transaction = try logbook.beginImport()
      try transaction.beginFlight(NewFlight())
      let error = error {
        try transaction.append(locations)
        _ = try transaction.finishFlight(report: Samples.report(locations))
      }
      #expect(error != nil)
      try transaction.commit()
      #expect(try logbook.flights().count == 1)
      #expect(try logbook.interruptedFlights().isEmpty)
    }
  }
}
