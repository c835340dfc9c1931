internal import CGlibc
internal import Glibc
internal import RunWayIngest
internal import RunWayLogbook

/// The command `runway`.
@main struct RunwayCommand {
  static func main() async {
    // A reader that goes away is told by an error of `write`, so that a flight
    // in the air still touches down.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error as well, and no reason to die.
    signal(SIGXFSZ, SIG_IGN)
    // Tasks move among the pool's threads, and a heap for each of them would hold what it once held: 2 MB more
    // for a long import. One decodes and one stores.
    mallopt(M_ARENA_MAX, 2)
    exit(await run().rawValue)
  }

  /// Runs the command line.
  ///
  /// - Returns: The status to leave with; everything that went wrong has been told on stderr.
  @MainActor private static func run() async -> ExitStatus {
    var command: CommandSpec?
    do {
      let status = try await dispatch(arguments(), &command)
      try StandardOutput.shared.flush()
      return status
    } catch let error as UsageError {
      StandardError.print(TextWidth.printable("runway: \(error.message)"))
      StandardError.print(
        command.map(Help.usage(of:)) ?? "Usage: runway COMMAND [OPTION…] [ARGUMENT…]")
      StandardError.print("See “runway \(command.map { $0.name + " " } ?? "")--help”.")
      return .usage
    } catch {
      // What was found before the fault is shown; a second fault of the same
      // kind has nothing to add.
      try? StandardOutput.shared.flush()
      let (message, status) = explain(error)
      StandardError.print(TextWidth.printable("runway: \(message)"))
      return status
    }
  }

  /// What stands behind `runway`.
  ///
  /// `CommandLine.arguments` repairs what is not UTF-8, and a repaired path leads to another file.
  ///
  /// - Throws: A `UsageError` that names such an argument.
  private static func arguments() throws(UsageError) -> [String] {
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    var arguments: [String] = []
    for case let word? in words.dropFirst() {
      guard let argument = String(validatingCString: word) else {
        throw UsageError("the argument “\(String(cString: word))” is not UTF-8")
      }
      arguments.append(argument)
    }
    return arguments
  }

  @MainActor private static func dispatch(
    _ arguments: [String], _ command: inout CommandSpec?
  ) async throws -> ExitStatus {
    guard let name = arguments.first else {
      throw UsageError("a command is missing")
    }
    switch name {
    case "--help", "-h", "help":
      let topic = arguments.dropFirst().first
      try StandardOutput.shared.write(
        topic.map { try Help.text(for: CommandTable.command(called: $0)) } ?? Help.overview)
      return .success
    case "--version":
      try StandardOutput.shared.write("runway \(CommandTable.version)\n")
      return .success
    default:
      break
    }
    let found = try CommandTable.command(called: name)
    command = found
    let invocation = try Invocation(Array(arguments.dropFirst()), specs: found.allOptions)
    if invocation.has(.help) {
      try StandardOutput.shared.write(Help.text(for: found))
      return .success
    }
    if invocation.has(.version) {
      try StandardOutput.shared.write("runway \(CommandTable.version)\n")
      return .success
    }
    try found.checkOperands(invocation.operands)
    return try await found.run(invocation)
  }

  /// The sentence and the status that belong to an error.
  private static func explain(_ error: any Error) -> (String, ExitStatus) {
    switch error {
    case let error as CommandError: (error.message, error.status)
    case let error as LogbookError: (error.message, error.exitStatus)
    case let error as IngestError: (error.reason, error.exitStatus)
    default: ("\(error)", .inputOutput)
    }
  }
}

extension LogbookError {
  var exitStatus: ExitStatus {
    switch code {
    case .notFound: .noInput
    case .ambiguous, .invalidName: .usage
    case .notADatabase, .foreign, .newer, .corrupt: .badData
    case .busy, .readOnly, .diskFull, .io, .noLocation: .inputOutput
    }
  }
}
