import RunWayModel

/// Writes NMEA 0183 logs as receivers write them: one epoch of sentences a location.
struct NMEAText {
  /// The sentences of an epoch, in order.
  enum Sentence { case rmc, gga, gsa, gsv, vtg }

  private(set) var text = ByteText()
  let sentences: [Sentence]
  private var sentenceStart = 0

  init(_ sentences: [Sentence] = [.rmc, .gga, .gsa, .gsv, .vtg]) {
    self.sentences = sentences
  }

  /// Takes the bytes written so far, so that a long log needs little memory.
  mutating func drain() -> [UInt8] {
    defer { text.bytes.removeAll(keepingCapacity: true) }
    return text.bytes
  }

  mutating func writeEpoch(_ location: Location) {
    for sentence in sentences {
      switch sentence {
      case .rmc: writeRMC(location)
      case .gga: writeGGA(location)
      case .gsa: writeGSA(location)
      case .gsv: writeGSV()
      case .vtg: writeVTG(location)
      }
    }
  }

  private mutating func writeRMC(_ location: Location) {
    begin("GPRMC")
    writeTimeOfDay(location)
    text.write(",A,")
    writePosition(location)
    text.write(",")
    text.write(knots(location), decimals: 2, digits: 3)
    text.write(",")
    text.write(location.course ?? 0, decimals: 1, digits: 3)
    text.write(",")
    if let parts = location.time?.components {
      text.write(parts.day, digits: 2)
      text.write(parts.month, digits: 2)
      text.write(parts.year % 100, digits: 2)
    }
    text.write(",,,A")
    end()
  }

  private mutating func writeGGA(_ location: Location) {
    begin("GPGGA")
    writeTimeOfDay(location)
    text.write(",")
    writePosition(location)
    text.write(",1,08,")
    text.write(location.hdop ?? 1, decimals: 1)
    text.write(",")
    text.write(location.altitude ?? 0, decimals: 1)
    text.write(",M,47.9,M,,")
    end()
  }

  private mutating func writeGSA(_ location: Location) {
    begin("GPGSA")
    text.write("A,3,02,05,07,13,15,21,28,30,,,,,1.7,")
    text.write(location.hdop ?? 1, decimals: 1)
    text.write(",1.4")
    end()
  }

  private mutating func writeGSV() {
    begin("GPGSV")
    text.write("2,1,08,02,31,112,38,05,64,291,44,07,22,061,35,13,47,248,41")
    end()
    begin("GPGSV")
    text.write("2,2,08,15,18,320,33,21,12,150,29,28,55,045,43,30,71,180,45")
    end()
  }

  private mutating func writeVTG(_ location: Location) {
    begin("GPVTG")
    text.write(location.course ?? 0, decimals: 1, digits: 3)
    text.write(",T,,M,")
    text.write(knots(location), decimals: 2, digits: 3)
    text.write(",N,")
    text.write((location.speed ?? 0) * 3.6, decimals: 2, digits: 3)
    text.write(",K,A")
    end()
  }

  private mutating func writeTimeOfDay(_ location: Location) {
    guard let parts = location.time?.components else { return }
    text.write(parts.hour, digits: 2)
    text.write(parts.minute, digits: 2)
    text.write(parts.second, digits: 2)
    text.write(".")
    text.write(parts.microsecond / 10_000, digits: 2)
  }

  private mutating func writePosition(_ location: Location) {
    writeAngle(location.latitude, degreeDigits: 2)
    text.write(location.latitude < 0 ? ",S," : ",N,")
    writeAngle(location.longitude, degreeDigits: 3)
    text.write(location.longitude < 0 ? ",W" : ",E")
  }

  /// Writes whole degrees and minutes as one number, the minutes with five decimals (2 cm).
  private mutating func writeAngle(_ degrees: Double, degreeDigits: Int) {
    let hundredThousandths = Int((abs(degrees) * 6_000_000).rounded())
    let (whole, minutes) = hundredThousandths.quotientAndRemainder(dividingBy: 6_000_000)
    text.write(whole, digits: degreeDigits)
    text.write(Double(minutes) / 100_000, decimals: 5, digits: 2)
  }

  private func knots(_ location: Location) -> Double {
    // A knot is 1852 m an hour.
    (location.speed ?? 0) * 3_600 / 1_852
  }

  private mutating func begin(_ address: StaticString) {
    text.write("$")
    sentenceStart = text.bytes.count
    text.write(address)
    text.write(",")
  }

  private mutating func end() {
    let checksum = text.bytes[sentenceStart...].reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    text.write("*")
    text.bytes.append(digits[Int(checksum >> 4)])
    text.bytes.append(digits[Int(checksum & 15)])
    text.write("\r\n")
  }
}
