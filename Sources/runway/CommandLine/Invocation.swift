@preconcurrency internal import CGlibc
internal import Glibc

/// A scanned command line: the options by name, and what stands beside them.
struct Invocation: Sendable {
  /// The options given, in their order.
  ///
  /// Not a dictionary, whose types take longer to make than it saves.
  private var options: [Given] = []
  private(set) var operands: [String] = []

  /// Scans a command's arguments with `getopt_long`.
  ///
  /// - Parameters:
  ///   - arguments: What stands behind the command's name.
  ///   - specs: The options that the command takes.
  /// - Throws: A `UsageError` that names the option at fault.
  @MainActor init(_ arguments: [String], specs: [OptionSpec]) throws(UsageError) {
    // A leading ':' makes getopt tell a missing argument from an unknown
    // option; it prints nothing by itself then.
    var letters = ":"
    for spec in specs {
      guard let letter = spec.letter else { continue }
      letters += String(letter) + (spec.argument == nil ? "" : ":")
    }

    var cArguments: [UnsafeMutablePointer<CChar>?] = (["runway"] + arguments).map { strdup($0) }
    cArguments.append(nil)
    let allocated = cArguments
    let names = specs.map { strdup($0.name) }
    defer {
      for pointer in allocated { free(pointer) }
      for pointer in names { free(pointer) }
    }
    // A plain loop: the generic types of a chain of `zip` and `map` take longer to make than all the rest.
    var longOptions: [option] = []
    for index in specs.indices {
      longOptions.append(
        option(
          name: names[index], has_arg: specs[index].argument == nil ? 0 : 1, flag: nil,
          val: Int32(Invocation.firstLongValue + index)))
    }
    longOptions.append(option(name: nil, has_arg: 0, flag: nil, val: 0))

    // 0 makes glibc start over, and forget the place within a bundle of letters.
    optind = 0
    opterr = 0
    let count = Int32(arguments.count + 1)
    while true {
      let found = getopt_long(count, &cArguments, letters, longOptions, nil)
      guard found != -1 else { break }
      let spec: OptionSpec
      if found >= Int32(Invocation.firstLongValue) {
        spec = specs[Int(found) - Invocation.firstLongValue]
      } else if let match = specs.first(where: { $0.letter?.asciiValue.map(Int32.init) == found }) {
        spec = match
      } else {
        let isMissing = found == Int32(UInt8(ascii: ":"))
        throw Invocation.complaint(arguments: cArguments, specs: specs, isMissing: isMissing)
      }
      let argument = optarg.map { String(cString: $0) } ?? ""
      if spec.values == .file, argument.isEmpty {
        throw UsageError("--\(spec.name) takes a path, not nothing")
      }
      options.append(Given(name: spec.name, argument: argument))
    }
    // getopt has moved the operands behind the options.
    operands = cArguments[Int(optind)..<Int(count)].compactMap { $0.map { String(cString: $0) } }
  }

  /// An option as it was given.
  private struct Given {
    var name: String
    /// Empty for a switch.
    var argument: String
  }

  /// Above every character, so that a long option is never taken for a letter.
  private static let firstLongValue = 256

  /// Says what is wrong with the word that getopt stumbled over.
  ///
  /// - Parameters:
  ///   - arguments: The words.
  ///   - specs: The options that the command takes.
  ///   - isMissing: Whether getopt misses an option's argument.
  /// - Returns: The error to throw.
  @MainActor private static func complaint(
    arguments: [UnsafeMutablePointer<CChar>?], specs: [OptionSpec], isMissing: Bool
  ) -> UsageError {
    if optopt > 0 && optopt < Int32(firstLongValue) {
      let letter = "-" + String(UnicodeScalar(UInt8(truncatingIfNeeded: optopt)))
      return UsageError(isMissing ? "\(letter) needs a value" : "unknown option “\(letter)”")
    }
    // getopt names an option that it knows, and is content with all but its argument.
    let index = Int(optopt) - firstLongValue
    if specs.indices.contains(index) {
      let name = "--" + specs[index].name
      return UsageError(isMissing ? "\(name) needs a value" : "\(name) takes no value")
    }
    let word = arguments[Int(optind) - 1].map { String(cString: $0) } ?? ""
    let name = String(word.prefix { $0 != "=" })
    let meant = specs.map { "--" + $0.name }.filter { name != "--" && $0.hasPrefix(name) }
    return UsageError(
      meant.isEmpty
        ? "unknown option “\(name)”" : "“\(name)” may mean \(meant.joined(separator: ", "))")
  }

  /// Whether a switch was given.
  func has(_ spec: OptionSpec) -> Bool {
    options.contains { $0.name == spec.name }
  }

  /// Refuses options that make no sense beside another.
  func refuse(_ specs: [OptionSpec], beside other: OptionSpec) throws(UsageError) {
    guard let offender = specs.first(where: has) else { return }
    throw UsageError("--\(offender.name) does not go with --\(other.name)")
  }

  /// The argument of an option; the last one where it was given more than once.
  func value(_ spec: OptionSpec) -> String? {
    options.last { $0.name == spec.name }?.argument
  }

  /// All arguments of an option that may be repeated.
  func values(_ spec: OptionSpec) -> [String] {
    options.filter { $0.name == spec.name }.map(\.argument)
  }

  /// The argument of an option, parsed.
  ///
  /// - Parameters:
  ///   - spec: The option.
  ///   - expected: What a good argument looks like, for the message.
  ///   - parse: Makes the value, or `nil` where the argument is no good.
  /// - Returns: The value; `nil` where the option was not given.
  /// - Throws: A `UsageError` that names option, argument and what was expected.
  func value<Value>(
    _ spec: OptionSpec, expected: String, parse: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = value(spec) else { return nil }
    guard let value = parse(text) else {
      throw UsageError("--\(spec.name) takes \(expected), not “\(text)”")
    }
    return value
  }

  /// The argument of an option that takes one of a few words.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ spec: OptionSpec, of type: Value.Type = Value.self
  ) throws(UsageError) -> Value? where Value.RawValue == String {
    guard has(spec), case .oneOf(let words) = spec.values else { return nil }
    return try value(spec, expected: words.joined(separator: ", ")) { text in
      words.contains(text) ? Value(rawValue: text) : nil
    }
  }

  /// The argument of an option that counts something.
  func count(_ spec: OptionSpec) throws(UsageError) -> Int? {
    try value(spec, expected: "a whole number of 0 or more") { text in
      guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      // More than can be counted is as good as all.
      return Int(text) ?? .max
    }
  }
}
