import RunWayModel

@testable import RunWayIngest

/// What a decoder makes of an input that the fuzzer invents.
struct Outcome: Equatable {
  /// All but the locations, and how many locations stand before each.
  var elements: [TrackElement] = []
  var places: [Int] = []
  var locations: [Location] = []
  var error: IngestError?

  /// Decodes the bytes in chunks of a size; after a fault, what can be salvaged is taken too.
  init(_ bytes: UnsafeRawBufferPointer, chunk: Int, _ decoder: some LocationDecoder) {
    var decoder = decoder
    var taken: [TrackElement] = []
    do throws(IngestError) {
      var rest = bytes
      while !rest.isEmpty {
        let count = min(chunk, rest.count)
        try decoder.consume(UnsafeRawBufferPointer(rebasing: rest[..<count]), into: &taken)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      try decoder.finish(into: &taken)
    } catch {
      self.error = error
      decoder.salvage(into: &taken)
    }
    for element in taken {
      switch element {
      // Batches may be cut differently.
      case .locations(let batch): locations += batch
      default:
        elements.append(element)
        places.append(locations.count)
      }
    }
    for index in locations.indices {
      // NaN equals nothing.
      if locations[index].latitude.isNaN { locations[index].latitude = 999 }
      if locations[index].longitude.isNaN { locations[index].longitude = 999 }
    }
  }

  /// Ends the process, so that the fuzzer keeps the input, where a value is not finite or out of range.
  func requireSoundness() {
    for location in locations {
      let magnitudes = [
        location.speed, location.hdop, location.heartRate, location.cadence, location.power,
      ]
      require(location.altitude?.isFinite ?? true, "altitude")
      require(magnitudes.allSatisfy { $0.map { $0.isFinite && $0 >= 0 } ?? true }, "magnitude")
      require(location.course.map { (0..<360).contains($0) } ?? true, "course")
      require(location.time.map { $0 >= .earliest && $0 <= .latest } ?? true, "time")
    }
  }

  /// Ends the process where two outcomes differ.
  func requireEquality(to other: Outcome) {
    require(error == other.error, "\(error as Any), not \(other.error as Any)")
    require(elements == other.elements, "\(elements), not \(other.elements)")
    require(places == other.places && locations == other.locations, "the locations differ")
  }
}

/// Ends the process with a message where a condition does not hold, also where the code is optimised.
private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// A chunk size that the input itself chooses, so that the fuzzer can find one that matters.
func chunkSize(_ bytes: UnsafeRawBufferPointer) -> Int {
  [1, 2, 3, 7, 64, 333, 4_096][(Int(bytes.last ?? 0) &+ bytes.count) % 7]
}
