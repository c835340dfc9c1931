import Foundation

/// A run as a receiver tells it, an epoch a second.
struct ReceiverLog {
  /// The sentences of each second.
  let epochs: [[UInt8]]

  init() throws {
    var epochs: [[UInt8]] = []
    let text = try Fixture.data("ten-kilometres.nmea")
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      if line.starts(with: Array("$GPRMC".utf8)) { epochs.append([]) }
      epochs[epochs.count - 1] += line + [UInt8(ascii: "\n")]
    }
    self.epochs = epochs
  }

  func bytes(_ range: some RangeExpression<Int>) -> [UInt8] { epochs[range].flatMap { $0 } }
}
