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
    #expect(
      try await offers([words[0], "--units", "metric"] + words[1...] + [""], on: logbook).contains(
        "latest"))
    let prefix = String(ids[0].prefix(6))
    #expect(try await offers(words + [prefix], on: logbook) == [ids[0]])
  }

  /// A name is a word for the shell, whatever is in it, and none of its commands.
  private static let names: Set<String> = ["hill run", "$(touch made)", "race"]

  @Test(
    .enabled(if: program("bash") != nil, "needs bash"),
    arguments: [
      ["tag", "latest"], ["tag", "--units", "metric", "latest"], ["tag", "latest", "race"],
      ["tag", "--delete"], ["tag", "--rename"], ["flights", "--tag"], ["missions"],
      ["missions", "--rename"], ["flights", "--mission"], ["import", "--mission"],
      ["replay", "--mission"],
    ])
  func `bash completes the names of tags and missions`(words: [String]) async throws {
    let logbook = try LogbookOnDisk()
    try logbook.fly(.alpha)
    for name in Self.names {
      try logbook.runway("tag", "latest", name)
      try logbook.runway("missions", name, "--pace", "5:00")
    }
    #expect(try await offers(words + [""], on: logbook) == Self.names)
    #expect(try await offers(words + ["hill\\ r"], on: logbook) == ["hill run"])
    #expect(!FileManager.default.fileExists(atPath: "made"))
  }

  @Test(
    .enabled(if: program("fish") != nil, "needs fish"),
    arguments: [
      (["tag"], ["latest"]), (["tag", "latest"], ["hill run"]), (["missions"], ["hill run"]),
      (["tag", "--units", "metric", "latest"], ["hill run"]), (["flights", "--tag"], ["hill run"]),
      (["tag", "--logbook", "/nowhere.sqlite", "latest"], []),
    ])
  func `fish completes the names of tags and missions`(
    words: [String], expected: [String]
  ) async throws {
    let logbook = try LogbookOnDisk()
    let id = try #require(try logbook.fly(.alpha)["id"].string)
    try logbook.runway("tag", "latest", "hill run")
    try logbook.runway("missions", "hill run", "--pace", "5:00")
    let bin = URL(fileURLWithPath: RunwayProcess.executable).deletingLastPathComponent().path
    let line = (["runway"] + words + [""]).joined(separator: " ")
    let fish = try RunningProcess(
      ["--no-config", "-c", "runway completions fish | source; complete -C '\(line)'"],
      program: try #require(Self.program("fish")),
      environment: ["PATH": "\(bin):/usr/bin:/bin", "RUNWAY_LOGBOOK": logbook.path])
    #expect(await fish.end() == 0, "\(fish.standardError)")
    // What is said about a word stands behind a tabulator.
    let offered = fish.lines.compactMap { $0.text.split(separator: "\t").first.map(String.init) }
    #expect(Set(offered).subtracting([id]) == Set(expected))
  }

  @Test(
    .enabled(if: program("bash") != nil, "needs bash"),
    arguments: [["tag", "latest"], ["missions"], ["show"]])
  func `bash asks the logbook that the line names`(words: [String]) async throws {
    let other = try LogbookOnDisk()
    let named = try LogbookOnDisk()
    let id = try #require(try named.fly(.alpha)["id"].string)
    try named.runway("tag", "latest", "race")
    try named.runway("missions", "race", "--pace", "5:00")
    let expected: Set<String> = words == ["show"] ? [id, "latest"] : ["race"]
    for option in [["--logbook", named.path], ["--logbook", "=", named.path]] {
      #expect(try await offers([words[0]] + option + words[1...] + [""], on: other) == expected)
    }
    #expect(try await offers(words + [""], on: other).subtracting(["latest"]).isEmpty)
  }
}
