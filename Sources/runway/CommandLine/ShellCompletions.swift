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

  /// The options of a command that an argument follows.
  private static func valuedFlags(of command: CommandSpec) -> String {
    flags(command.allOptions.filter { $0.argument != nil }).joined(separator: " ")
  }

  /// Functions for bash and zsh that print what there is in the logbook, a line each: the ids of the newest
  /// flights, `latest` standing for the first, and the names of tags and missions but for such as need quotes in JSON.
  private static let lists = """
    _runway_list_flights() {
      echo latest
      runway flights --json --limit 100 2>/dev/null | grep -o '"id":"[^"]*"' | cut -d '"' -f 4
    }
    _runway_list_names() {
      runway "$1" --json 2>/dev/null | grep -o '"name":"[^"\\]*"' | cut -d '"' -f 4
    }
    """

  // MARK: bash

  private static let bashFlights = "_runway_among < <(_runway_list_flights)"

  private static func bashNames(_ command: String) -> String {
    "_runway_among < <(_runway_list_names \(command))"
  }

  /// The shell's case for an option of a command; `nil` where anything may follow.
  private static func bashCase(_ option: OptionSpec, of command: CommandSpec) -> String? {
    let reply: String
    switch option.values {
    case .any:
      guard option.argument != nil else { return nil }
      reply = "COMPREPLY=()"
    case .file: reply = "COMPREPLY=($(compgen -f -- \"$cur\"))"
    case .flight: reply = bashFlights
    case .tag: reply = bashNames("tag")
    case .mission: reply = bashNames("missions")
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
        "    \(command.name)) flags='\(flags(command.allOptions).joined(separator: " "))'"
        + " valued='\(valuedFlags(of: command))' ;;\n"
      values += command.allOptions.compactMap { bashCase($0, of: command) }.joined()
    }
    func operands(_ kind: CommandSpec.OperandKind) -> String {
      CommandTable.commands.filter { $0.operandKind == kind }.map { "\($0.name):*" }
        .joined(separator: "|")
    }
    return """
      # bash completion for runway: source it, or put it where bash-completion looks.
      \(lists)
      # Offers those of the lines on standard input that begin with the word to complete.
      _runway_among() {
        local word typed=${cur//\\\\/}
        COMPREPLY=()
        while IFS= read -r word; do
          case $word in "$typed"*) COMPREPLY+=("$word") ;; esac
        done
      }
      _runway() {
        local cur prev command flags valued index word operands=0
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
        case "$command" in
      \(cases)    *) flags='' valued='' ;;
        esac
        for ((index = 2; index < COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          case " $valued " in
            *" $word "*)
              index=$((index + 1))
              if [ "${COMP_WORDS[index]}" = '=' ]; then index=$((index + 1)); fi
              if [ "$word" = --logbook ]; then
                local -x RUNWAY_LOGBOOK=${COMP_WORDS[index]/#\\~\\//$HOME/}
              fi ;;
            *) case "$word" in -*) ;; *) operands=$((operands + 1)) ;; esac ;;
          esac
        done
        case "$command:$prev" in
      \(values)    completions:completions) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")); return ;;
        esac
        case "$command:$cur" in
          *:-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
          \(operands(.flight))) \(bashFlights) ;;
          \(operands(.flightAndTags)))
            if [ "$operands" -eq 0 ]; then
              \(bashFlights)
            else
              \(bashNames("tag"))
            fi ;;
          \(operands(.mission))) \(bashNames("missions")) ;;
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
          case .tag: ":tag:_runway_tags"
          case .mission: ":mission:_runway_missions"
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
      case .flightAndTags: specs += ["'1:flight:_runway_flights'", "'*:tag:_runway_tags'"]
      case .mission: specs.append("'1:mission:_runway_missions'")
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
      \(lists)
      _runway_flights() { compadd -- ${(f)"$(_runway_list_flights)"} }
      _runway_tags() { compadd -- ${(f)"$(_runway_list_names tag)"} }
      _runway_missions() { compadd -- ${(f)"$(_runway_list_names missions)"} }
      _runway() {
        local -a commands
        local place=${words[(I)--logbook]} joined=${words[(I)--logbook=*]}
        if (( place && place < CURRENT - 1 )); then
          local -x RUNWAY_LOGBOOK=${(Q)words[place + 1]/#\\~/$HOME}
        elif (( joined )); then
          local -x RUNWAY_LOGBOOK=${(Q)${words[joined]#--logbook=}/#\\~/$HOME}
        fi
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
      function __runway_ask
        set -l words (commandline -opc)
        set -l logbook
        for index in (seq (count $words))
          switch $words[$index]
            case --logbook
              set logbook --logbook (string replace -r '^~' $HOME -- $words[(math $index + 1)])
            case '--logbook=*'
              set logbook $words[$index]
          end
        end
        runway $argv --json $logbook 2>/dev/null
      end
      function __runway_flights
        echo latest
        __runway_ask flights --limit 100 | string match -ar '(?<="id":")[^"]*'
      end
      function __runway_names
        __runway_ask $argv | string match -ar '(?<="name":")[^"\\\\\\\\]*(?=")'
      end
      # Whether an operand stands before the cursor; the arguments are the options that a value follows.
      function __runway_has_operand
        set -l skips 0
        for word in (commandline -opc)[3..-1]
          if test $skips -eq 1
            set skips 0
          else if contains -- $word $argv
            set skips 1
          else if not string match -q -- '-*' $word
            return 0
          end
        end
        return 1
      end
      complete -c runway -n __fish_use_subcommand -l help -d 'print help'
      complete -c runway -n __fish_use_subcommand -l version -d 'print the version'

      """
    for command in CommandTable.commands {
      script += "complete -c runway -f -n __fish_use_subcommand -a \(command.name)"
      script += " -d '\(fishQuoted(command.summary))'\n"
      let isSeen = "__fish_seen_subcommand_from \(command.name)"
      func offer(_ list: String, where condition: String) {
        script += "complete -c runway -f -n '\(condition)' -a '(\(list))'\n"
      }
      switch command.operandKind {
      case .word, .path: break
      case .flight: offer("__runway_flights", where: isSeen)
      case .flightAndTags:
        let hasFlight = "__runway_has_operand \(valuedFlags(of: command))"
        offer("__runway_flights", where: "\(isSeen); and not \(hasFlight)")
        offer("__runway_names tag", where: "\(isSeen); and \(hasFlight)")
      case .mission: offer("__runway_names missions", where: isSeen)
      }
      for option in command.allOptions {
        script += "complete -c runway -n '__fish_seen_subcommand_from \(command.name)'"
        script += option.letter.map { " -s \($0)" } ?? ""
        script += " -l \(option.name)"
        switch option.values {
        case .any: script += option.argument == nil ? "" : " -x"
        case .file: script += " -r -F"
        case .flight: script += " -x -a '(__runway_flights)'"
        case .tag: script += " -x -a '(__runway_names tag)'"
        case .mission: script += " -x -a '(__runway_names missions)'"
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
