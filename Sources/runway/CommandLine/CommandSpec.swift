/// One subcommand: the table from which dispatch, help, completions and the README's check are made.
struct CommandSpec: Sendable {
  var name: String
  /// What stands behind the name and the options, such as `PATH…`.
  var operands: String
  /// What an operand is; the shells complete it.
  var operandKind: OperandKind
  /// How many operands there may be.
  var operandCount: ClosedRange<Int>
  /// One line.
  var summary: String
  /// A paragraph and examples for `--help`.
  var discussion: String
  /// The options apart from the common ones.
  var options: [OptionSpec]
  var run: @MainActor @Sendable (Invocation) async throws -> ExitStatus

  init(
    _ name: String, operands: String = "", _ operandKind: OperandKind = .word,
    operandCount: ClosedRange<Int> = 0...0, summary: String, discussion: String,
    options: [OptionSpec] = [],
    run: @escaping @MainActor @Sendable (Invocation) async throws -> ExitStatus
  ) {
    self.name = name
    self.operands = operands
    self.operandKind = operandKind
    self.operandCount = operandCount
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.run = run
  }

  /// What stands behind a command's name.
  enum OperandKind: Sendable {
    case word, path, flight, mission
    /// A flight first, then tags.
    case flightAndTags
  }

  /// All options, the common ones last.
  var allOptions: [OptionSpec] { options + OptionSpec.common }

  /// Checks how many operands there are.
  func checkOperands(_ operands: [String]) throws(UsageError) {
    if operands.count < operandCount.lowerBound {
      throw UsageError("“runway \(name)” needs \(self.operands)")
    }
    if operands.count > operandCount.upperBound {
      throw UsageError("“\(operands[operandCount.upperBound])” is one argument too many")
    }
    if operandKind == .path, operands.contains("") {
      throw UsageError("“runway \(name)” takes a path, not nothing")
    }
  }
}

/// All subcommands, in the order of the help.
enum CommandTable {
  static let version = "1.0.0"

  static let commands: [CommandSpec] = [
    .import, .replay, .flights, .show, .alerts, .stats, .edit, .tag, .missions, .delete, .export,
    .backup, .check,
    .logbook, .completions,
  ]

  /// The command of that name.
  ///
  /// - Parameter name: The word behind `runway`, or behind `help`.
  /// - Returns: The command.
  /// - Throws: A `UsageError` where there is none.
  static func command(called name: String) throws(UsageError) -> CommandSpec {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw UsageError(
      name.hasPrefix("-") ? "unknown option “\(name)”" : "there is no command “\(name)”")
  }
}
