internal import Glibc
internal import RunWayIngest
internal import RunWayModel

/// One source of tracks: a file, or standard input.
struct TrackInput: Sendable, Hashable {
  /// How it is called in messages: the path, or `-`.
  var name: String
  /// Where to read it.
  var path: String
  /// The folder among the arguments that it was found in.
  var folder: String?
  /// Whether its name is not UTF-8, so that it cannot be opened by the one given here.
  var isMisnamed = false
  /// Why it cannot be opened, where that is known beforehand.
  var fault: IngestError? {
    isMisnamed ? IngestError(.io(errno: EILSEQ), reason: "its name is not UTF-8") : nil
  }
  /// Found in a folder, where what is no track is passed over without a word of blame.
  var foundInFolder: Bool { folder != nil }

  /// Finds all inputs behind the arguments of a command: files, folders (recursively, in the order of
  /// their names), and `-`.
  ///
  /// - Parameter paths: The arguments.
  /// - Returns: The inputs in order; a path that does not exist is among them, and fails when it is opened.
  static func find(_ paths: [String]) -> [TrackInput] {
    paths.flatMap { path in
      isFolder(path)
        ? contents(ofFolder: path, of: path) : [TrackInput(name: path, path: path)]
    }
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// The kind of file that a path leads to; `nil` where it leads nowhere.
  private static func kind(of path: String) -> mode_t? {
    status(of: path).map { $0.st_mode & S_IFMT }
  }

  private static func status(of path: String) -> stat? {
    var information = stat()
    return stat(path, &information) == 0 ? information : nil
  }

  /// What lies in a folder; hidden entries and links to folders, which could lead in circles, are left out.
  private static func contents(ofFolder folder: String, of root: String) -> [TrackInput] {
    guard let entries = entries(ofFolder: folder) else {
      // It fails once more when it is opened, and says why.
      return [TrackInput(name: folder, path: folder, folder: root)]
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return entries.sorted { $0.name < $1.name }.flatMap { entry -> [TrackInput] in
      var input = TrackInput(name: base + entry.name, path: base + entry.name, folder: root)
      input.isMisnamed = !entry.isUTF8
      switch entry.kind {
      case S_IFDIR where entry.isUTF8:
        return contents(ofFolder: input.path, of: root)
      case S_IFLNK where entry.isUTF8 && isFolder(input.path):
        return []
      case S_IFREG, S_IFLNK, S_IFDIR:
        return [input]
      default:
        return []
      }
    }
  }

  /// What a folder lists.
  private struct Entry {
    /// Its name, repaired where it is not UTF-8.
    var name: String
    var isUTF8: Bool
    var kind: mode_t
  }

  /// What a folder lists, hidden entries left out; `nil` where it cannot be listed.
  ///
  /// Foundation lists no names that are not UTF-8.
  private static func entries(ofFolder folder: String) -> [Entry]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var entries: [Entry] = []
    while let entry = readdir(directory) {
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        guard let name = bytes.bindMemory(to: CChar.self).baseAddress,
          name.pointee != CChar(UInt8(ascii: "."))
        else { return }
        var information = stat()
        guard fstatat(dirfd(directory), name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
          return
        }
        entries.append(
          Entry(
            name: String(cString: name), isUTF8: String(validatingCString: name) != nil,
            kind: information.st_mode & S_IFMT))
      }
    }
    return entries
  }

  /// Whether it holds more than some ten thousand points.
  var isLarge: Bool { TrackInput.status(of: path).map { $0.st_size > 8_388_608 } ?? false }

  /// Whether it is a link in a folder to something that is not there.
  var leadsNowhere: Bool {
    var information = stat()
    return foundInFolder && TrackInput.kind(of: path) == nil && lstat(path, &information) == 0
  }

  /// Whether its content is an SQLite database, so that it can only be a logbook.
  var isDatabase: Bool {
    guard isRegularFile, let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    // “Magic Header String”, https://www.sqlite.org/fileformat.html#magic_header_string
    let magic = Array("SQLite format 3\0".utf8)
    var head = [UInt8](repeating: 0, count: magic.count)
    return fread(&head, 1, head.count, file) == head.count && head == magic
  }

  /// Whether it can be read again from its start: a file, or standard input redirected from one.
  var isRepeatable: Bool {
    var information = stat()
    let result = path == "-" ? fstat(STDIN_FILENO, &information) : stat(path, &information)
    return result == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  /// Whether reading it may take as long as its writer likes.
  var isRegularFile: Bool {
    // What does not exist fails at once when it is opened.
    path != "-" && TrackInput.kind(of: path) ?? S_IFREG == S_IFREG
  }
}
