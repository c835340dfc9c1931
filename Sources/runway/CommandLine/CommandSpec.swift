/// One subcommand: the table from which dispatch, help, completions and the README's check are made.
struct CommandSpec: Sendable {
  var name: String
  /// What stands behind the name and the options, such as `PATH…`.
  var operands: String
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
    _ name: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0, summary: String,
    discussion: String, options: [OptionSpec] = [],
    run: @escaping @MainActor @Sendable (Invocation) async throws -> ExitStatus
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.run = run
  }

  /// All options, the common ones last.
  var allOptions: [OptionSpec] { options + OptionSpec.common }

  /// Checks how many operands there are.
  func checkOperands(_ operands: [String]) throws(UsageError) {
    if operands.count < operandCount.lowerBound {
      throw UsageError("‘runway \(name)’ needs \(self.operands)")
    }
    if operands.count > operandCount.upperBound {
      throw UsageError("‘\(operands[operandCount.upperBound])’ is one argument too many")
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
  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}
