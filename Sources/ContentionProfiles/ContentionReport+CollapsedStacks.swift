extension ContentionReport {
  /// The waits for locks as collapsed stacks, the format that flame graph programs read.
  ///
  /// Each line is for a `Site`. It has the functions of the waiting stack, outermost first, the name of the
  /// lock, and, as one part, the functions that released it: at most three, innermost first. Semicolons
  /// separate the parts. The line ends with the blocked time in microseconds (see `Site.blocked`). Sites
  /// whose blocked time is less than a microsecond have no line. They include most sites without a known
  /// releasing function.
  public var collapsedStacks: String {
    var lines: [String] = []
    for source in locks {
      for site in source.sites {
        let microseconds = Int(site.blocked / .microseconds(1))
        if microseconds == 0 { continue }
        let names = Self.path(of: site, in: source)
        let stack = names.map { name in String(name.map { $0 == ";" || $0.isNewline ? ":" : $0 }) }
          .joined(separator: ";")
        lines.append("\(stack) \(microseconds)\n")
      }
    }
    return lines.joined()
  }

  /// The waiting functions, outermost first, then the lock, and then one text with the functions that
  /// released it.
  static func path(of site: Site, in source: Source) -> [String] {
    let releasers = site.releaser?.clientFrames.prefix(3).map(\.function) ?? ["unknown"]
    return site.waiter.clientFrames.reversed().map(\.function) + [
      source.name, "released by " + releasers.joined(separator: " < "),
    ]
  }
}
