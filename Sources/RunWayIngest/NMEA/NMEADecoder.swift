public import RunWayModel

/// Turns NMEA 0183 into one track of locations.
///
/// RMC, GGA, GLL, GNS, VTG and ZDA of any talker are used. The sentences of one time of day are an
/// *epoch* and make one location: the first valid position, and the first altitude, speed, course and HDOP.
/// An epoch is given as soon as the sentence type has come that ended the last complete one, so
/// that a live stream is not one epoch behind.
///
/// Sentences are found at their `$`, whatever stands before them on the line. Memory is bounded whatever the source holds.
public struct NMEADecoder: LocationDecoder, Sendable {
  /// How a stream is read.
  public struct Options: Sendable, Hashable {
    /// Dates the times of a stream that names no date: the first is put within 12 hours of this moment.
    ///
    /// A date that the stream names itself outranks it. Without either, `finish` throws.
    public var date: Timestamp?

    /// Makes options.
    ///
    /// - Parameter date: Dates a stream that names no date: now for a live one, the noon of a day for a
    ///   recording of that day.
    public init(date: Timestamp? = nil) {
      self.date = date
    }
  }

  private let options: Options

  /// A sentence that a chunk's end has cut, from its `$` on.
  private var held: [UInt8] = []
  /// Whether the last sentence, if there was one, bore no checksum, so that one at the source's end may bear none.
  private var isBare = true
  private var line = 1
  private var lastWasReturn = false

  private var clock = NMEAClock()
  private var epoch = NMEAEpoch()
  private var endedEpochs = NMEAEndedEpochs()
  /// The type that ended the last complete epoch.
  private var closingType: NMEAType?
  /// The date of a ZDA that came while there was no fix, and the day its time was put on.
  private var unconfirmed: (time: Int64, date: Int, day: Int?)?

  private var lastDate = NMEADateMemory()

  private var batch: [Location] = []
  /// The size of the last batch, for which room is made ahead: growing costs more than filling.
  private var batchSize = 0
  /// Whether a sentence has come that neither noise nor other text makes by chance: with the right checksum, or of a used
  /// type, which may be damaged.
  ///
  /// A `$` and capitals are not enough: prices and the variables of shells have them too.
  private(set) var isCertain = false
  private var locationCount = 0
  private var hasBegun = false
  private var isFinished = false
  /// What was passed over so far.
  private(set) var report = IngestReport()

  /// Makes a decoder that has seen nothing.
  ///
  /// - Parameter options: How to read the stream.
  public init(options: Options = Options()) {
    self.options = options
  }
}

// MARK: - LocationDecoder

extension NMEADecoder {
  /// Whether the stream has named its date.
  var isDated: Bool { clock.isDated }

  public mutating func consume(
    _ bytes: UnsafeRawBufferPointer, into elements: inout [TrackElement]
  ) throws(IngestError) {
    if isFinished { return }
    // The last batch may be gone by now, and its memory free.
    batch.reserveCapacity(batchSize)
    var start = 0
    if !held.isEmpty {
      // Complete the sentence that was begun; no decision needs more bytes than these.
      let known = held.count
      let room = NMEAFraming.longestSentence + NMEAFraming.tail - known
      held.append(contentsOf: bytes.prefix(max(0, room)))
      let joined = held
      held.removeAll(keepingCapacity: true)
      let next = joined.withUnsafeBytes { scanOne($0, isLast: false, into: &elements) }
      guard let next else {
        held = joined
        return flush(into: &elements)
      }
      start = next - known
    }
    scan(bytes, from: start, isLast: false, into: &elements)
    flush(into: &elements)
  }

  public mutating func finish(into elements: inout [TrackElement]) throws(IngestError) {
    if isFinished { return }
    end(into: &elements)
    if !isCertain {
      throw IngestError(.unknownFormat, reason: "no NMEA sentence found")
    }
    if locationCount == 0 {
      throw IngestError(.notARecording, reason: "no valid fix" + rejectedClause)
    }
    if !clock.isDated, options.date == nil {
      throw IngestError(.noDate, reason: lackOfDate)
    }
    elements.append(.ended(TrackInfo(), report))
  }

  public mutating func salvage(into elements: inout [TrackElement]) {
    if isFinished { return }
    end(into: &elements)
    if hasBegun { elements.append(.ended(TrackInfo(), report)) }
  }

  /// Takes what is still held, and closes the last epoch.
  private mutating func end(into elements: inout [TrackElement]) {
    isFinished = true
    let rest = held
    held = []
    rest.withUnsafeBytes { scan($0, from: 0, isLast: true, into: &elements) }
    close()
    if !clock.isDated, let unconfirmed, let day = unconfirmed.day {
      redate(byDays: unconfirmed.date - day, into: &elements)
      _ = clock.settle(unconfirmed.time, on: unconfirmed.date)
    }
    flush(into: &elements)
  }

  private var lackOfDate: String {
    switch report.rejected["date"] ?? 0 {
    case 0: "the sentences give times of day and no date; name it with --date"
    case 1: "the date of 1 sentence cannot be read; name it with --date"
    case let count: "the dates of \(count) sentences cannot be read; name one with --date"
    }
  }

  private var rejectedClause: String {
    if report.rejected.isEmpty { return "" }
    let counts = report.rejected.sorted { $0.key < $1.key }.map { kind, count in
      let lack =
        switch kind {
        case "checksum": "with a wrong checksum"
        case "cut": "cut short"
        case "length": "too long"
        case "time": "without a time of day that can be read"
        case "position": "with a position that cannot be read"
        case "date": "with a date that cannot be read"
        case "field": "that do not say whether their position is valid"
        default: "for \(kind)"
        }
      return "\(count) \(lack)"
    }
    return "; rejected: " + counts.joined(separator: ", ")
  }

  /// Gives the locations found so far.
  private mutating func flush(into elements: inout [TrackElement]) {
    if batch.isEmpty { return }
    if !hasBegun {
      hasBegun = true
      elements.append(.began(TrackInfo()))
    }
    batchSize = batch.count
    elements.append(.locations(batch))
    batch.removeAll(keepingCapacity: false)
  }
}

// MARK: - Finding sentences

extension NMEADecoder {
  /// Takes all sentences from an index on; one that is cut is held.
  private mutating func scan(
    _ bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool,
    into elements: inout [TrackElement]
  ) {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
        guard let next = scanOne(rest, isLast: isLast, into: &elements) else {
          held.append(contentsOf: rest)
          return
        }
        index += next
      case UInt8(ascii: "\n"):
        if !lastWasReturn { line += 1 }
        lastWasReturn = false
        index += 1
      case UInt8(ascii: "\r"):
        line += 1
        lastWasReturn = true
        index += 1
      default:
        lastWasReturn = false
        index += 1
      }
    }
  }

  /// Takes the sentence at the start of the bytes.
  ///
  /// - Returns: The index behind it, or `nil` where it is not complete.
  @inline(__always)
  private mutating func scanOne(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into elements: inout [TrackElement]
  ) -> Int? {
    let frame = NMEAFraming.frame(in: bytes, at: 0, isLast: isLast, isBare: isBare)
    switch frame {
    case .incomplete: return nil
    case .broken(let fault, let next):
      lastWasReturn = false
      if NMEAFraming.hasAddress(in: bytes, at: 0, end: next), let type = type(of: bytes) {
        isCertain = true
        reject(fault.rawValue, fault.reason(in: type.name))
      }
      return next
    case .sentence(let end, let next, let check):
      lastWasReturn = false
      guard NMEAFraming.hasAddress(in: bytes, at: 0, end: end) else { return next }
      switch check {
      case .right:
        isBare = false
        isCertain = true
      case .absent: isBare = true
      case .wrong(let stated, let computed):
        isBare = false
        if type(of: bytes) != nil { isCertain = true }
        reject(
          "checksum",
          "the checksum is \(Self.hexadecimal(computed)), not \(Self.hexadecimal(stated))")
        return next
      }
      if let type = type(of: bytes), let start = bytes.baseAddress {
        isCertain = true
        let characters = start.assumingMemoryBound(to: UInt8.self)
        var fields = NMEAFields(start: characters + 7, end: characters + end)
        take(NMEAReading(type, fields: &fields, lastDate: &lastDate), into: &elements)
      }
      return next
    }
  }

  /// The type of the sentence at the start of the bytes, if it is one that is used.
  @inline(__always)
  private func type(of bytes: UnsafeRawBufferPointer) -> NMEAType? {
    guard bytes.count > 6, bytes[6] == UInt8(ascii: ","), bytes[0] == UInt8(ascii: "$") else {
      return nil
    }
    // Garmin’s own $PGRMC is no RMC of a talker PG: it sets up a sensor.
    let address = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    if address == 0x4d_52_47_50 { return nil }
    return NMEAType(bytes[3], bytes[4], bytes[5])
  }

  private mutating func reject(_ kind: String, _ reason: @autoclosure () -> String) {
    epoch.isDamaged = true
    report.reject(kind, line: line, reason)
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

// MARK: - Epochs

extension NMEADecoder {
  /// Takes one sentence that is whole.
  private mutating func take(_ reading: NMEAReading, into elements: inout [TrackElement]) {
    if let fault = reading.fault {
      reject(fault.kind, fault.reason(in: reading.type.name))
    }
    if reading.type == .zda { return takeDate(reading, into: &elements) }
    if reading.type == .vtg {
      if epoch.state != .none { merge(reading, day: 0) }
      return
    }
    if reading.timeOfDay < 0 { return }
    if !continues(reading) {
      if endedEpochs.contain(reading.timeOfDay, date: reading.date) {
        return passOver(reading, into: &elements)
      }
      begin(at: reading.timeOfDay)
    }
    var day = epoch.day
    if reading.hasPosition {
      if let date = reading.date {
        let settled = clock.settle(reading.timeOfDay, on: date)
        day = settled.day
        epoch.date = date
        if settled.shift != 0 { redate(byDays: settled.shift, into: &elements) }
        epoch.day = day
      } else if !epoch.hasPosition {
        if clock.timeOfDay == nil, let moment = options.date {
          clock.anchor(reading.timeOfDay, near: moment)
        }
        day = clock.day(of: reading.timeOfDay)
      }
    }
    merge(reading, day: day)
    if reading.hasPosition { confirm(into: &elements) }
  }

  /// Whether a sentence is of the epoch that was begun last.
  @inline(__always)
  private func continues(_ reading: NMEAReading) -> Bool {
    guard epoch.state != .none, epoch.timeOfDay == reading.timeOfDay else { return false }
    if let date = reading.date, let known = epoch.date { return date == known }
    return true
  }

  /// Ignores a late sentence of an epoch that ended, but for its date where none is known yet: every
  /// sentence that names one may come late.
  private mutating func passOver(_ reading: NMEAReading, into elements: inout [TrackElement]) {
    guard !clock.isDated, reading.hasPosition, let date = reading.date else { return }
    let settled = clock.settle(reading.timeOfDay, on: date)
    if settled.shift != 0 { redate(byDays: settled.shift, into: &elements) }
  }

  /// Ends the last epoch at a new time of day, and begins one.
  private mutating func begin(at timeOfDay: Int64) {
    // An epoch that lost a sentence does not show which type is the last.
    if epoch.state != .none, !epoch.isDamaged { closingType = epoch.lastType }
    close()
    if epoch.state != .none { endedEpochs.add(epoch) }
    epoch = NMEAEpoch()
    epoch.state = .open
    epoch.timeOfDay = timeOfDay
  }

  /// Adds what a sentence says; closes the epoch if it is the one that ends it.
  @inline(__always)
  private mutating func merge(_ reading: NMEAReading, day: Int) {
    epoch.lastType = reading.type
    guard epoch.state == .open else { return }
    if reading.hasPosition, !epoch.hasPosition {
      epoch.hasPosition = true
      epoch.day = day
      epoch.latitude = reading.latitude
      epoch.longitude = reading.longitude
    }
    if epoch.altitude.isNaN { epoch.altitude = reading.altitude }
    if epoch.speed.isNaN { epoch.speed = reading.speed }
    if epoch.course.isNaN { epoch.course = reading.course }
    if epoch.hdop.isNaN { epoch.hdop = reading.hdop }
    // Without a position there is nothing to give, and one of the same time may still come.
    if reading.type == closingType, epoch.hasPosition { close() }
  }

  /// Gives the open epoch's location.
  @inline(__always)
  private mutating func close() {
    guard epoch.state == .open else { return }
    epoch.state = .ended
    guard epoch.hasPosition else { return }
    locationCount += 1
    batch.append(epoch.location)
  }
}

// MARK: - Dates

extension NMEADecoder {
  /// Takes the date of a ZDA.
  ///
  /// It begins no epoch, for many receivers round its time to the second. Without a fix it may be the
  /// receiver's default, and waits until a position bears the same time.
  private mutating func takeDate(_ reading: NMEAReading, into elements: inout [TrackElement]) {
    let isOfEpoch = epoch.state != .none && epoch.timeOfDay == reading.timeOfDay
    if let date = reading.date, reading.timeOfDay >= 0 {
      if epoch.state != .none, epoch.hasPosition {
        settle(reading.timeOfDay, on: date, into: &elements)
      } else {
        unconfirmed = (reading.timeOfDay, date, nil)
      }
    }
    if isOfEpoch, epoch.state == .open { merge(reading, day: epoch.day) }
  }

  /// Believes a waiting ZDA if the position that has come bears its time.
  @inline(__always)
  private mutating func confirm(into elements: inout [TrackElement]) {
    guard let waiting = unconfirmed else { return }
    if waiting.time == epoch.timeOfDay {
      unconfirmed = nil
      settle(waiting.time, on: waiting.date, into: &elements)
    } else if clock.isDated {
      unconfirmed = nil
    } else if waiting.day == nil {
      unconfirmed?.day = waiting.time <= epoch.timeOfDay ? epoch.day : epoch.day - 1
    }
  }

  private mutating func settle(
    _ time: Int64, on date: Int, into elements: inout [TrackElement]
  ) {
    let settled = clock.settle(time, on: date)
    if settled.shift != 0 { redate(byDays: settled.shift, into: &elements) }
    if epoch.timeOfDay == time {
      epoch.day = settled.day
      epoch.date = date
    }
  }

  /// Moves everything given so far, and the open epoch.
  private mutating func redate(byDays days: Int, into elements: inout [TrackElement]) {
    epoch.day += days
    unconfirmed = nil
    if locationCount == 0 { return }
    flush(into: &elements)
    elements.append(
      .redated(byMicroseconds: Int64(days) &* Timestamp.microsecondsPerDay))
  }
}
