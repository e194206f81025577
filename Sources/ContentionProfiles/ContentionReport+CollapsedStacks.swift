extension ContentionReport {
  /// The waits for locks as collapsed stacks, the format that flame graph programs read.
  ///
  /// Each line begins with the functions of a waiting stack, outermost first. Then come the lock and, as one
  /// part, the functions that released it: at most three, innermost first. Semicolons separate these parts.
  /// The line ends with the waiting time in microseconds.
  public var collapsedStacks: String {
    var lines: [String] = []
    for source in locks {
      for site in source.sites {
        var names = site.waiter.clientFrames.reversed().map(\.function)
        names.append(source.name)
        let releasers = site.releaser?.clientFrames.prefix(3).map(\.function) ?? ["unknown"]
        names.append("released by " + releasers.joined(separator: " < "))
        let stack = names.map { name in String(name.map { $0 == ";" || $0.isNewline ? ":" : $0 }) }
          .joined(separator: ";")
        lines.append("\(stack) \(Int(site.total / .microseconds(1)))\n")
      }
    }
    return lines.joined()
  }
}
