import Foundation
import Testing

/// Names of files that are not UTF-8, which Swift's strings cannot hold: none is passed over in silence, and none
/// is taken for another.
@Suite struct FileNameTests {
  /// Makes a file `$1/tracks/caf\xe9.gpx`, in Latin-1, beside others.
  private static let tracks = """
    mkdir "$1/tracks"
    latin=$(printf 'caf\\351')
    cp "$STOPS" "$1/tracks/$latin.gpx"
    cp "$STOPS" "$1/tracks/a.gpx"

    """

  @Test func `a file of a folder whose name is not UTF-8 fails, and the others are imported`()
    async throws
  {
    let folder = try TemporaryFolder()
    let result = try await script(
      Self.tracks + """
        mkdir "$1/tracks/$latin" && cp "$RUN" "$1/tracks/$latin/"
        "$RUNWAY" import --json "$1/tracks"
        """, folder: folder)
    #expect(result.status == 1)
    let lines = try result.lines.map { try JSONValue($0) }
    #expect(lines.map { $0["status"].string } == ["imported", "failed", "failed"])
    #expect(lines.last?["error"]["reason"].string == "its name is not UTF-8")
    let path = folder.path("tracks/caf\u{FFFD}")
    #expect(
      result.standardError
        == "\(path): its name is not UTF-8\n\(path).gpx: its name is not UTF-8\n")
  }

  @Test func `a folder of nothing else fails`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      Self.tracks + """
        rm "$1/tracks/a.gpx"
        "$RUNWAY" import "$1/tracks"
        """, folder: folder)
    #expect(result.status == 74)
    #expect(result.lines.isEmpty)
  }

  @Test func `an argument that is not UTF-8 is refused by name`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      Self.tracks + """
        cd "$1/tracks"
        "$RUNWAY" import a.gpx > /dev/null
        for words in "import $latin.gpx" "replay $latin.gpx" "export latest -o $latin.out" \
          "flights --logbook=$latin"; do
          "$RUNWAY" $words
          echo "status $?"
        done
        ls | wc -l
        """, folder: folder)
    #expect(result.lines == Array(repeating: "status 64", count: 4) + ["2"])
    let complaints = result.standardError.split(separator: "\n").filter { $0.contains("UTF-8") }
    #expect(
      complaints
        == ["caf\u{FFFD}.gpx", "caf\u{FFFD}.gpx", "caf\u{FFFD}.out", "--logbook=caf\u{FFFD}"].map {
          "runway: the argument “\($0)” is not UTF-8"
        })
  }

  @Test func `a place for the logbook that is not UTF-8 is refused`() async throws {
    let folder = try TemporaryFolder()
    let result = try await script(
      Self.tracks + """
        for name in RUNWAY_LOGBOOK XDG_DATA_HOME HOME; do
          (unset RUNWAY_LOGBOOK; export "$name=$1/$latin"; "$RUNWAY" import "$STOPS")
          echo "status $?"
        done
        ls -d "$1"/* | wc -l
        """, folder: folder)
    #expect(result.lines == ["status 74", "status 74", "status 74", "1"])
    #expect(
      result.standardError
        == ["RUNWAY_LOGBOOK", "XDG_DATA_HOME", "HOME"].map {
          "runway: the variable \($0) is not UTF-8\n"
        }.joined())
  }
}
