extension ContentionReport {
  /// The waits for locks as collapsed stacks, the format that flame graph programs read.
  ///
  /// Each line is for a `Site`: parts separated by semicolons, a space, and the blocked time in microseconds
  /// (see `Site.blocked`). The parts are the functions of the waiting stack, outermost first, then the name
  /// of the lock, and last the functions that released it. The releasing functions, at most three, form a
  /// single part, innermost first.
  ///
  /// A site whose blocked time is less than a microsecond has no line. This leaves out most sites whose
  /// releasing function is not known, because no blocked time was recorded for them.
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

  /// The parts of the line for `site`: the waiting functions, outermost first, the name of the lock, and one
  /// string with at most three functions that released it.
  static func path(of site: Site, in source: Source) -> [String] {
    let releasers = site.releaser?.clientFrames.prefix(3).map(\.function) ?? ["unknown"]
    return site.waiter.clientFrames.reversed().map(\.function) + [
      source.name, "released by " + releasers.joined(separator: " < "),
    ]
  }
}
