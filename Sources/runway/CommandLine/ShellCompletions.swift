/// The completion scripts, made from the same table as the help.
enum ShellCompletions {
  enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static var commandNames: String {
    CommandTable.commands.map(\.name).joined(separator: " ")
  }

  private static func flags(_ options: [OptionSpec]) -> [String] {
    options.flatMap { option in
      (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
    }
  }

  /// Prints the ids of the newest flights in any of the shells; `latest` stands for the first.
  private static let listFlights = """
    { echo latest; runway flights --json --limit 100 2>/dev/null \
    | grep -o '"id":"[^"]*"' | cut -d '"' -f 4; }
    """

  // MARK: bash

  /// The shell's case for an option of a command; `nil` where anything may follow.
  private static func bashCase(_ option: OptionSpec, of command: CommandSpec) -> String? {
    let reply: String
    switch option.values {
    case .any:
      guard option.argument != nil else { return nil }
      reply = "COMPREPLY=()"
    case .file: reply = "COMPREPLY=($(compgen -f -- \"$cur\"))"
    case .flight: reply = "COMPREPLY=($(compgen -W \"$(_runway_flights)\" -- \"$cur\"))"
    case .oneOf(let words):
      reply = "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$cur\"))"
    }
    let names = flags([option]).map { "\(command.name):\($0)" }
    return "    \(names.joined(separator: "|"))) \(reply); return ;;\n"
  }

  private static var bash: String {
    var cases = ""
    var values = ""
    for command in CommandTable.commands {
      cases +=
        "    \(command.name)) flags='\(flags(command.allOptions).joined(separator: " "))' ;;\n"
      values += command.allOptions.compactMap { bashCase($0, of: command) }.joined()
    }
    func operands(_ kind: CommandSpec.OperandKind) -> String {
      CommandTable.commands.filter { $0.operandKind == kind }.map { "\($0.name):*" }
        .joined(separator: "|")
    }
    return """
      # bash completion for runway: source it, or put it where bash-completion looks.
      _runway_flights() {
        \(listFlights)
      }
      _runway() {
        local cur prev command flags
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD-1]}
        command=${COMP_WORDS[1]}
        # --state=VALUE comes as three words.
        if [ "$cur" = '=' ]; then
          cur=''
        elif [ "$prev" = '=' ]; then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(commandNames) --help --version' -- "$cur"))
          return
        fi
        case "$command:$prev" in
      \(values)    completions:completions) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")); return ;;
        esac
        case "$command" in
      \(cases)    *) flags='' ;;
        esac
        case "$command:$cur" in
          *:-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
          \(operands(.flight))) COMPREPLY=($(compgen -W "$(_runway_flights)" -- "$cur")) ;;
          \(operands(.path))) COMPREPLY=($(compgen -f -- "$cur")) ;;
        esac
      }
      complete -o filenames -F _runway runway

      """
  }

  // MARK: zsh

  private static func zshQuoted(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private static var zsh: String {
    var cases = ""
    for command in CommandTable.commands {
      var specs = command.allOptions.flatMap { option in
        let action =
          switch option.values {
          case .any: option.argument.map { ":\(zshQuoted($0)):" } ?? ""
          case .file: ":file:_files"
          case .flight: ":flight:_runway_flights"
          case .oneOf(let words): ":value:(\(words.joined(separator: " ")))"
          }
        // With “=”, the argument may stand behind one or be the next word.
        let mark = option.argument == nil ? "" : "="
        let help = "[\(zshQuoted(option.help))]\(action)'"
        return (option.letter.map { ["'-\($0)\(help)"] } ?? [])
          + ["'--\(option.name)\(mark)\(help)"]
      }
      switch command.operandKind {
      case .path: specs.append("'*:file:_files'")
      case .flight: specs.append("'*:flight:_runway_flights'")
      case .word where command.name == "completions":
        specs.append("'1:shell:(bash zsh fish)'")
      case .word: break
      }
      cases += "    \(command.name))\n      _arguments -s \\\n        "
      cases += specs.joined(separator: " \\\n        ") + "\n      ;;\n"
    }
    let names = CommandTable.commands.map { "'\($0.name):\(zshQuoted($0.summary))'" }
    return """
      #compdef runway
      # zsh completion for runway: save it as _runway in a folder of $fpath.
      _runway_flights() {
        local -a flights
        flights=(${(f)"$(\(listFlights))"})
        compadd -a flights
      }
      _runway() {
        local -a commands
        commands=(
          \(names.joined(separator: "\n    "))
        )
        if (( CURRENT == 2 )); then
          _describe 'command' commands
          return
        fi
        local command=${words[2]}
        shift words
        (( CURRENT-- ))
        case $command in
      \(cases)  esac
      }
      if [ "$funcstack[1]" = "_runway" ]; then _runway "$@"; else compdef _runway runway; fi

      """
  }

  // MARK: fish

  private static func fishQuoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }

  private static var fish: String {
    var script = """
      # fish completion for runway: save it as ~/.config/fish/completions/runway.fish.
      function __runway_flights
        echo latest
        runway flights --json --limit 100 2>/dev/null | string match -ar '(?<="id":")[^"]*'
      end
      complete -c runway -n __fish_use_subcommand -l help -d 'print help'
      complete -c runway -n __fish_use_subcommand -l version -d 'print the version'

      """
    for command in CommandTable.commands {
      script += "complete -c runway -f -n __fish_use_subcommand -a \(command.name)"
      script += " -d '\(fishQuoted(command.summary))'\n"
      if command.operandKind == .flight {
        script += "complete -c runway -f -n '__fish_seen_subcommand_from \(command.name)'"
        script += " -a '(__runway_flights)'\n"
      }
      for option in command.allOptions {
        script += "complete -c runway -n '__fish_seen_subcommand_from \(command.name)'"
        script += option.letter.map { " -s \($0)" } ?? ""
        script += " -l \(option.name)"
        switch option.values {
        case .any: script += option.argument == nil ? "" : " -x"
        case .file: script += " -r -F"
        case .flight: script += " -x -a '(__runway_flights)'"
        case .oneOf(let words): script += " -x -a '\(words.joined(separator: " "))'"
        }
        script += " -d '\(fishQuoted(option.help))'\n"
      }
    }
    script +=
      "complete -c runway -f -n '__fish_seen_subcommand_from completions' -a 'bash zsh fish'\n"
    return script
  }
}
