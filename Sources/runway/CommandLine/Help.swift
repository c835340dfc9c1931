/// The help texts, made from the command table.
enum Help {
  /// What `runway --help` prints.
  static var overview: String {
    var text = """
      RunWay keeps a runner's logbook from GPX files and NMEA streams, and watches the pace.

      Usage: runway COMMAND [OPTION…] [ARGUMENT…]

      Commands:

      """
    for command in CommandTable.commands {
      text += "  \(padded(command.name, to: 13))\(command.summary)\n"
    }
    text += """

      Every command takes:

      """
    text += table(OptionSpec.common)
    text += """

      FLIGHT is the beginning of a flight's id, as far as it is unique, or “latest”.
      The logbook is --logbook, else $RUNWAY_LOGBOOK, else
      $XDG_DATA_HOME/runway/logbook.sqlite (~/.local/share/runway/logbook.sqlite).
      See “runway COMMAND --help”.

      """
    return text
  }

  /// What `runway COMMAND --help` prints.
  static func text(for command: CommandSpec) -> String {
    var text = "\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).\n\n"
    text += "\(usage(of: command))\n\n\(command.discussion)\n"
    if !command.options.isEmpty {
      text += "\nOptions:\n\(table(command.options))"
    }
    return text + "\nCommon options:\n\(table(OptionSpec.common))"
  }

  /// The line that shows how a command is called.
  static func usage(of command: CommandSpec) -> String {
    "Usage: runway \(command.name) [OPTION…]"
      + (command.operands.isEmpty ? "" : " \(command.operands)")
  }

  private static func table(_ options: [OptionSpec]) -> String {
    options.map { option in
      let letter = option.letter.map { "-\($0), " } ?? "    "
      let name = "--\(option.name)" + (option.argument.map { " \($0)" } ?? "")
      return "  \(letter)\(padded(name, to: 20))\(option.help)\n"
    }.joined()
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - text.count))
  }
}
