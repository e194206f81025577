extension ContentionReport {
  /// The report as JSON, for other programs.
  ///
  /// The members are `unit`, `duration`, `lostWaits`, `lostTime`, `current`, `holders`, `locks` and `events`.
  /// Each element of `current` is a `CurrentWait`, and each of `holders` a `Holder`. Each element of `locks`
  /// and `events` is a `Source` with the members `name`, `primitive`, `address`, `locks`, `share`, `waits`,
  /// `total`, `blocked` and `sites`. Each element of `sites` has the properties of a `Site`. Its stacks,
  /// `waiter` and `releaser`, are arrays of frames, innermost first.
  ///
  /// Durations are in nanoseconds, as `unit` says. `share` and `running` are fractions from 0 to 1. The
  /// `share` of an event, and any other value that is not known, is `null`.
  public var json: String {
    let members: [(String, String)] = [
      ("unit", Self.string("nanoseconds")), ("duration", Self.number(duration)),
      ("lostWaits", "\(lostWaits)"), ("lostTime", Self.number(lostTime)),
      ("current", Self.array(current.map(Self.object))), ("holders", Self.array(holders.map(Self.object))),
      ("locks", Self.array(locks.map(object))), ("events", Self.array(events.map(object))),
    ]
    return Self.object(members) + "\n"
  }

  private func object(_ source: Source) -> String {
    Self.object([
      ("name", Self.string(source.name)), ("primitive", Self.string(source.primitive)),
      ("address", source.address.map { "\($0)" } ?? "null"),
      ("locks", source.locks.map { "\($0)" } ?? "null"),
      ("share", source.isContention ? "\(share(of: source))" : "null"),
      ("waits", "\(source.waits)"), ("total", Self.number(source.total)),
      ("blocked", Self.number(source.blocked)), ("sites", Self.array(source.sites.map(Self.object))),
    ])
  }

  private static func object(_ site: Site) -> String {
    object([
      ("purpose", string(site.purpose.rawValue)), ("waits", "\(site.waits)"), ("total", number(site.total)),
      ("median", number(site.median)), ("percentile99", number(site.percentile99)),
      ("longest", number(site.longest)), ("blocked", number(site.blocked)),
      ("longestBlocked", number(site.longestBlocked)),
      ("running", site.running.map { "\($0)" } ?? "null"), ("waiter", array(site.waiter.frames.map(object))),
      ("releaser", site.releaser.map { array($0.frames.map(object)) } ?? "null"),
    ])
  }

  private static func object(_ wait: CurrentWait) -> String {
    object([
      ("name", string(wait.name)), ("purpose", string(wait.purpose.rawValue)),
      ("thread", string(wait.thread)), ("duration", number(wait.duration)),
      ("holder", wait.holder.map(string) ?? "null"),
      ("holderActivity", wait.holderActivity.map(string) ?? "null"),
      ("waiter", array(wait.waiter.frames.map(object))),
    ])
  }

  private static func object(_ holder: Holder) -> String {
    object([
      ("function", string(holder.function)), ("blocked", number(holder.blocked)),
      ("longestBlocked", number(holder.longestBlocked)), ("waits", "\(holder.waits)"),
      ("locks", array(holder.locks.map(string))),
    ])
  }

  private static func object(_ frame: Frame) -> String {
    object([
      ("address", "\(frame.address)"), ("function", string(frame.function)),
      ("image", frame.image.map(string) ?? "null"), ("isInternal", "\(frame.isInternal)"),
    ])
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  private static func number(_ duration: Duration) -> String { "\(Int64(duration / .nanoseconds(1)))" }

  private static func string(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case "\u{0}"..<" ":
        let digits = String(character.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(character)
      }
    }
    return result + "\""
  }
}

extension ContentionReport.Source {
  var isContention: Bool { sites.first?.purpose.isContention ?? false }
}
