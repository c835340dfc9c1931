internal import RunWayLogbook
internal import RunWayModel

extension CommandSpec {
  private static let remove = OptionSpec("remove", help: "take the tags off instead")
  private static let deleteTag = OptionSpec(
    "delete", argument: "TAG", values: .tag,
    help: "delete a tag; the flights that bear it stay")
  private static let renameTag = OptionSpec(
    "rename", argument: "TAG", values: .tag,
    help: "rename this tag on all flights; the new name stands behind")

  static let tag = CommandSpec(
    "tag", operands: "[FLIGHT [TAG…]]", .flightAndTags, operandCount: 0...Int.max,
    summary: "put tags on a flight, or list all tags",
    discussion: """
      A tag holds no comma; a # before it is not part of it.

        runway tag                          list the tags
        runway tag latest race trail        put two tags on a flight
        runway tag latest                   show its tags
        runway tag latest --remove trail    take one off
        runway tag --rename trail forest    give it another name everywhere
        runway tag --delete trail           delete the tag everywhere
      """,
    options: [remove, renameTag, deleteTag],
    run: { invocation in
      let settings = try Settings(invocation)
      if let name = invocation.value(renameTag) {
        try invocation.refuse([remove, deleteTag], beside: renameTag)
        guard let newName = invocation.operands.first, invocation.operands.count == 1 else {
          throw UsageError("--rename takes the tag, and its new name behind it")
        }
        let logbook = try settings.openForWriting(finding: { _ = try $0.tagName(matching: name) })
        try logbook.renameTag(name, to: newName)
        try printTags(logbook, settings: settings)
        return .success
      }
      if let name = invocation.value(deleteTag) {
        try invocation.refuse([remove], beside: deleteTag)
        guard invocation.operands.isEmpty else {
          throw UsageError("--delete takes the tag alone")
        }
        let logbook = try settings.openForWriting(finding: { _ = try $0.tagName(matching: name) })
        try logbook.deleteTag(name)
        try printTags(logbook, settings: settings)
        return .success
      }
      guard let word = invocation.operands.first else {
        try printTags(settings.openForReading(), settings: settings)
        return .success
      }
      let tags = Array(invocation.operands.dropFirst())
      guard !tags.isEmpty else {
        if invocation.has(remove) { throw UsageError("--remove needs the tags to take off") }
        let logbook = try settings.openForReading()
        let flight = try logbook.flightID(matching: word)
        try printFlight(flight, logbook: logbook, settings: settings)
        return .success
      }
      let logbook = try settings.openForChanging([word])
      let id = try logbook.flightID(matching: word)
      try invocation.has(remove) ? logbook.untag(id, tags) : logbook.tag(id, tags)
      try printFlight(id, logbook: logbook, settings: settings)
      return .success
    })

  @MainActor private static func printTags(_ logbook: Logbook, settings: Settings) throws {
    let tags = try logbook.tags()
    if settings.json {
      return try StandardOutput.shared.printJSON { json in
        json.array(tags) { json, tag in
          json.object { json in
            json.member("name", tag.name)
            json.member("flightCount", tag.flightCount)
          }
        }
      }
    }
    guard !tags.isEmpty else { return try StandardOutput.shared.write("No tags.\n") }
    var table = TextTable("TAG", "FLIGHTS>")
    for tag in tags { table.add(TextWidth.printable(tag.name), "\(tag.flightCount)") }
    try StandardOutput.shared.write(table.text)
  }
}
