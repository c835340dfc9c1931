import Glibc

/// Runs a closure with the path of an empty folder, which is removed afterwards.
@MainActor func withTemporaryFolder<Value>(
  _ body: @MainActor (String) async throws -> Value
) async throws -> Value {
  let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array("\(base)/runway-tests-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw Failure(errno: errno) }
  let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { removeTree(folder) }
  return try await body(folder)
}

/// What the C library refused to do.
struct Failure: Error {
  var errno: Int32
}

func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// The names in a folder, sorted.
func names(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

private func removeTree(_ path: String) {
  chmod(path, 0o700)
  for name in names(in: path) { removeTree("\(path)/\(name)") }
  if unlink(path) != 0 { rmdir(path) }
}

/// The bytes of a file, none if it is not there.
func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    bytes += buffer[..<count]
  }
  return bytes
}

func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "w") else { return }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}
