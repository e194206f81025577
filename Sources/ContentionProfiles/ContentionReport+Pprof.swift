extension ContentionReport {
  /// The waits for locks as a profile in the format of `pprof`, not compressed.
  ///
  /// The format is the message `Profile` of `profile.proto`. Each sample stands for a `Site`. Its values are
  /// the number of waits, their total time and the blocked time (see `Waits.blocked`), both in nanoseconds.
  /// Its stack begins with the functions that released the lock, as one frame. The lock and the waiting
  /// functions follow, innermost first. The labels `lock` and `purpose` have the name of the lock and the
  /// `Purpose`. Viewers show the blocked time by default.
  public var pprof: [UInt8] {
    var profile = PprofProfile()
    for source in locks {
      for site in source.sites {
        profile.add(
          stack: Self.path(of: site, in: source).reversed(),
          values: [Int64(site.waits.count)]
            + [site.waits.total, site.waits.blocked].map { Int64($0 / .nanoseconds(1)) },
          labels: [("lock", source.name), ("purpose", "\(site.purpose)")])
      }
    }
    return profile.encoded(
      types: [("contentions", "count"), ("delay", "nanoseconds"), ("blocked", "nanoseconds")],
      shown: "blocked", duration: Int64(duration / .nanoseconds(1)))
  }
}

extension ContentionReport {
  /// The frames of the sample for `site`: the waiting functions, outermost first, the name of the lock, and
  /// at most three functions that released it.
  fileprivate static func path(of site: Site, in source: Source) -> [String] {
    let releasers = site.releasingStack?.clientFrames.prefix(3).map(\.function) ?? ["unknown"]
    return site.waitingStack.clientFrames.reversed().map(\.function) + [
      source.name, "released by " + releasers.joined(separator: " < "),
    ]
  }
}

/// A message `Profile` of pprof's `profile.proto`, in the wire format of protocol buffers.
///
/// The field numbers in the calls of `add` are those of `profile.proto`.
private struct PprofProfile {
  private var samples = ProtobufMessage()
  private var functions = ProtobufMessage()
  private var strings = [""]
  private var numbersOfStrings = ["": Int64(0)]
  /// The ID of each function and of its only location, by the function's name.
  private var numbersOfFunctions: [String: Int64] = [:]

  private mutating func number(ofString string: String) -> Int64 {
    if let number = numbersOfStrings[string] { return number }
    let number = Int64(strings.count)
    strings.append(string)
    numbersOfStrings[string] = number
    return number
  }

  private mutating func number(ofFunction name: String) -> Int64 {
    if let number = numbersOfFunctions[name] { return number }
    let number = Int64(numbersOfFunctions.count + 1)
    numbersOfFunctions[name] = number
    let string = self.number(ofString: name)
    // Adds `Profile.location` (`id`, `line` with `Line.function_id`) and `Profile.function` (`id`, `name`).
    functions.add(4) {
      $0.add(1, number)
      $0.add(4) { $0.add(1, number) }
    }
    functions.add(5) {
      $0.add(1, number)
      $0.add(2, string)
    }
    return number
  }

  /// Adds a sample.
  ///
  /// The innermost function of `stack` must come first. `values` must have the order of `types` in `encoded`.
  mutating func add(stack: [String], values: [Int64], labels: [(key: String, value: String)]) {
    let locations = stack.map { number(ofFunction: $0) }
    let labels = labels.map { (number(ofString: $0.key), number(ofString: $0.value)) }
    // Adds `Profile.sample` (`location_id`, `value`, `label` with `Label.key` and `Label.str`).
    samples.add(2) { sample in
      for location in locations { sample.add(1, location) }
      for value in values { sample.add(2, value) }
      for (key, value) in labels {
        sample.add(3) {
          $0.add(1, key)
          $0.add(2, value)
        }
      }
    }
  }

  /// The encoded profile.
  ///
  /// `types` has the name and unit of each sample value, `shown` is the name of the value that viewers show
  /// by default, and `duration` is in nanoseconds.
  mutating func encoded(types: [(name: String, unit: String)], shown: String, duration: Int64) -> [UInt8] {
    var message = ProtobufMessage()
    for type in types {
      let (name, unit) = (number(ofString: type.name), number(ofString: type.unit))
      // Adds `Profile.sample_type` (`type`, `unit`).
      message.add(1) {
        $0.add(1, name)
        $0.add(2, unit)
      }
    }
    let shown = number(ofString: shown)
    message.add(samples)
    message.add(functions)
    // Adds `Profile.string_table` (6), `duration_nanos` (10) and `default_sample_type` (14).
    for string in strings { message.add(6, string) }
    message.add(10, duration)
    message.add(14, shown)
    return message.bytes
  }
}

/// The fields of a message in the wire format of protocol buffers.
private struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  private mutating func add(varint: UInt64) {
    var rest = varint
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func add(_ field: UInt64, contents: some Collection<UInt8>) {
    add(varint: field << 3 | 2)
    add(varint: UInt64(contents.count))
    bytes += contents
  }

  /// Adds an integer.
  mutating func add(_ field: UInt64, _ value: Int64) {
    add(varint: field << 3)
    add(varint: UInt64(bitPattern: value))
  }

  /// Adds a text.
  mutating func add(_ field: UInt64, _ text: String) { add(field, contents: text.utf8) }

  /// Adds a nested message, whose fields `fill` must add.
  mutating func add(_ field: UInt64, _ fill: (inout ProtobufMessage) -> Void) {
    var message = ProtobufMessage()
    fill(&message)
    add(field, contents: message.bytes)
  }

  /// Adds all fields of another message.
  mutating func add(_ fields: ProtobufMessage) { bytes += fields.bytes }
}
