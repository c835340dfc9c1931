extension CommandSpec {
  static let completions = CommandSpec(
    "completions", operands: "bash|zsh|fish", operandCount: 1...1,
    summary: "print completions for a shell",
    discussion: """
        eval "$(runway completions bash)"
        runway completions zsh > ~/.zfunc/_runway
        runway completions fish > ~/.config/fish/completions/runway.fish
      """,
    run: { invocation in
      guard let shell = ShellCompletions.Shell(rawValue: invocation.operands[0]) else {
        throw UsageError(
          "there are completions for bash, zsh and fish, not “\(invocation.operands[0])”")
      }
      try StandardOutput.shared.write(ShellCompletions.script(for: shell))
      return .success
    })
}
