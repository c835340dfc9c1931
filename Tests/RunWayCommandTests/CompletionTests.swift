import Foundation
import Testing

/// The scripts that complete a command line, as the shells take them.
@Suite struct CompletionTests {
  /// The shell's program where it is installed.
  private static func program(_ shell: String) -> String? {
    ["/usr/bin/\(shell)", "/bin/\(shell)", "/usr/local/bin/\(shell)"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a script is sound by its shell's own check`(shell: String) async throws {
    let script = try RunwayProcess.run(["completions", shell])
    #expect(script.status == 0)
    #expect(script.standardError == "")
    #expect(script.standardOutput.contains("runway"))
    guard let program = Self.program(shell) else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write(script.standardOutput, to: "script")
    let check = try RunningProcess(["-n", path], program: program)
    #expect(await check.end() == 0)
    #expect(check.standardError == "")
  }

  @Test func `another shell is a usage error`() throws {
    let result = try RunwayProcess.run(["completions", "tcsh"])
    #expect(result.status == 64)
    #expect(result.standardOutput == "")
  }

  /// What bash offers for the last of some words; “=” is a word of its own to it.
  private func offers(_ words: [String], on logbook: LogbookOnDisk) async throws -> Set<String> {
    let bin = logbook.folder.path("bin")
    if !FileManager.default.fileExists(atPath: bin) {
      try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(bin)/runway", withDestinationPath: RunwayProcess.executable)
    }
    let script = """
      source <(runway completions bash)
      COMP_WORDS=(runway "$@")
      COMP_CWORD=$#
      _runway
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let bash = try RunningProcess(
      ["-c", script, "bash"] + words, program: try #require(Self.program("bash")),
      environment: ["PATH": "\(bin):/usr/bin:/bin", "RUNWAY_LOGBOOK": logbook.path])
    #expect(await bash.end() == 0, "\(bash.standardError)")
    #expect(bash.standardError == "")
    return Set(bash.lines.map(\.text).filter { !$0.isEmpty })
  }

  @Test(
    .enabled(if: program("bash") != nil, "needs bash"),
    arguments: [
      (["alerts", "--state", ""], ["sinkRate", "overspeed", "minimums"]),
      (["alerts", "--state", "="], ["sinkRate", "overspeed", "minimums"]),
      (["alerts", "--state", "=", "si"], ["sinkRate"]),
      (["show", "--units", "=", "i"], ["imperial"]),
      (["export", "--format", ""], ["gpx", "geojson", "csv", "json", "logbook"]),
      (["import", "--format", ""], ["gpx", "nmea"]),
      (["export", "latest", "-o", "/dev/nul"], ["/dev/null"]),
      (["exp"], ["export"]),
      (["delete", "--y"], ["--yes"]),
      (["completions", ""], ["bash", "zsh", "fish"]),
      (["flights", ""], []),
      (["show", "zzz"], []),
    ])
  func `bash completes commands, options and their values`(
    words: [String], expected: [String]
  ) async throws {
    #expect(try await offers(words, on: LogbookOnDisk()) == Set(expected))
  }

  @Test(
    .enabled(if: program("bash") != nil, "needs bash"),
    arguments: [["show"], ["delete"], ["export"], ["edit"], ["tag"], ["replay", "--flight"]])
  func `bash completes the ids of flights`(words: [String]) async throws {
    let logbook = try LogbookOnDisk()
    try logbook.runway("import", Fixture.path("stops.gpx"), Fixture.path("multi-track.gpx"))
    let ids = try logbook.runway("flights", "--json").json().array.compactMap { $0["id"].string }
    try #require(ids.count >= 3)
    #expect(try await offers(words + [""], on: logbook) == Set(ids + ["latest"]))
    let prefix = String(ids[0].prefix(6))
    #expect(try await offers(words + [prefix], on: logbook) == [ids[0]])
  }
}
