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

  // MARK: bash

  private static var bash: String {
    var cases = ""
    for command in CommandTable.commands {
      cases +=
        "    \(command.name)) flags='\(flags(command.allOptions).joined(separator: " "))' ;;\n"
    }
    // The same words for the same option in every command, but for --format.
    var values = ""
    for command in CommandTable.commands {
      for option in command.allOptions {
        guard case .oneOf(let words) = option.values else { continue }
        values += "    \(command.name):--\(option.name)) "
        values +=
          "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$cur\")); return ;;\n"
      }
    }
    return """
      # bash completion for runway: source it, or put it where bash-completion looks.
      _runway() {
        local cur prev command flags
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD-1]}
        command=${COMP_WORDS[1]}
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
        case "$cur" in
          -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
          *) COMPREPLY=($(compgen -f -- "$cur")) ;;
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
      cases += "    \(command.name))\n      _arguments -s \\\n"
      for option in command.allOptions {
        let action =
          switch option.values {
          case .any: option.argument == nil ? "" : ":\(zshQuoted(option.argument ?? "")):"
          case .file: ":file:_files"
          case .oneOf(let words): ":value:(\(words.joined(separator: " ")))"
          }
        cases += "        '--\(option.name)[\(zshQuoted(option.help))]\(action)' \\\n"
      }
      let operands = command.name == "completions" ? "'1:shell:(bash zsh fish)'" : "'*:file:_files'"
      cases += "        \(operands)\n      ;;\n"
    }
    let names = CommandTable.commands.map { "'\($0.name):\(zshQuoted($0.summary))'" }
    return """
      #compdef runway
      # zsh completion for runway: save it as _runway in a folder of $fpath.
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
      complete -c runway -n __fish_use_subcommand -l help -d 'print help'
      complete -c runway -n __fish_use_subcommand -l version -d 'print the version'

      """
    for command in CommandTable.commands {
      script += "complete -c runway -f -n __fish_use_subcommand -a \(command.name)"
      script += " -d '\(fishQuoted(command.summary))'\n"
      for option in command.allOptions {
        script += "complete -c runway -n '__fish_seen_subcommand_from \(command.name)'"
        script += option.letter.map { " -s \($0)" } ?? ""
        script += " -l \(option.name)"
        switch option.values {
        case .any: script += option.argument == nil ? "" : " -x"
        case .file: script += " -r -F"
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
