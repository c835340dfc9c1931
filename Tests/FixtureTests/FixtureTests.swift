import Foundation
import Testing

@testable import runway_fixtures

@Suite struct `The committed fixtures` {
  @Test(arguments: Fixture.catalogue.map(\.path))
  func `equal what the generator writes`(path: String) throws {
    let fixture = try #require(Fixture.catalogue.first { $0.path == path })
    let committed = try Fixtures.bytes(path)
    if path.hasSuffix(".gz") {
      // Another release of zlib may find a shorter form; the trailer holds the content's checksum and length.
      #expect(committed.suffix(8) == fixture.bytes.suffix(8))
    } else {
      // Compared outside of the macro, which would print megabytes.
      let isEqual = committed == fixture.bytes
      #expect(isEqual, "run `swift run runway-fixtures`")
    }
  }

  @Test func `are all in the index`() throws {
    let paths = Set(Fixture.catalogue.map(\.path) + Fixture.others.map(\.0))
    let found = try FileManager.default.subpathsOfDirectory(atPath: Fixtures.folder.path)
    #expect(found.filter { !paths.contains($0) }.sorted() == ["damaged"])
  }
}
