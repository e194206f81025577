extension ContentionReport {
  /// The waiting stacks of all contention in the format that flame graph programs read.
  ///
  /// A line has the functions of a stack, outermost first, separated by semicolons, and the microseconds that were
  /// waited there. The last two entries of a stack are the lock, and the three innermost functions that released it.
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
