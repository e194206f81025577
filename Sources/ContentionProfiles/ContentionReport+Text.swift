extension ContentionReport {
  /// The report as a table for the terminal, with the longest waiting times first.
  ///
  /// It has the waits that have not ended, the locks, the functions that held locks, and the events.
  ///
  /// - Parameters:
  ///   - mostSources: The maximum number of locks to show. It also limits the events, the holders, and the
  ///     waits that have not ended.
  ///   - mostSites: The maximum number of sites to show for each lock or event. A site is a stack that waited
  ///     and the stack that released the lock.
  ///   - mostFrames: The maximum number of functions to show of each stack.
  ///   - columns: The width of the terminal; values below 72 count as 72. Names that don't fit are cut.
  /// - Complexity: O(*n*) in the number of all sources' `sites`.
  public func text(
    mostSources: Int = 20, mostSites: Int = 5, mostFrames: Int = 4, columns: Int = 100
  ) -> String {
    let columns = max(columns, 72)
    var lines = [
      "Contention in \(Self.format(duration)): \(Self.count(waits.count, "wait")) for "
        + "\(Self.count(lockCount, "lock")), \(Self.format(waits.total)) of waiting"
    ]
    if lostWaits > 0 {
      lines.append(
        "The tables were full: \(Self.count(lostWaits, "wait")) of \(Self.format(lostTime)) more are not shown"
      )
    }
    func addCurrentWaits() {
      if current.isEmpty { return }
      lines += ["", "Waiting now"]
      for wait in current.prefix(mostSources) {
        lines.append(Self.cut("\(Self.format(wait.duration)) \(wait.thread)", to: columns))
        let names = Self.functions(wait.waiter, atMost: mostFrames)
        lines += Self.broken("\(wait.purpose.verb) ", names, columns: columns)
        var facts = ["for \(wait.name)"]
        if let holder = wait.holder { facts.append("held by \(holder)") }
        lines += facts.map { Self.cut(Self.indentation + $0, to: columns) }
      }
      let left = current.count - mostSources
      if left > 0 { lines.append("and \(left) more") }
    }
    func addHolders() {
      let holders = holdingFunctions
      if holders.isEmpty { return }
      lines += ["", "Holders", Self.row(["", "waits", "blocked", "longest"], columns: 4)]
      for holder in holders.prefix(mostSources) {
        let figures = [holder.waits.blocked, holder.waits.longestBlocked].map(Self.format)
        let text = Self.row(["", "\(holder.waits.count)"] + figures, columns: 4) + "  \(holder.function)"
        lines.append(Self.cut(text, to: columns))
      }
      let left = holders.count - mostSources
      if left > 0 { lines.append("and \(left) more") }
    }
    func add(_ title: String, _ sources: [Source], showsShare: Bool) {
      if sources.isEmpty { return }
      lines += ["", title, Self.header]
      for source in sources.prefix(mostSources) {
        let share = showsShare ? Self.percent(self.part(of: source)) : ""
        let waits = source.waits
        lines.append(Self.cut(source.name, to: columns))
        lines.append(
          Self.row([
            share, "\(waits.count)", Self.format(waits.total), "", "", "", Self.format(waits.blocked),
          ]))
        for site in source.sites.prefix(mostSites) {
          let waits = site.waits
          let figures = [waits.total, site.median, site.percentile99, waits.longest, waits.blocked]
          lines.append(Self.row(["", "\(waits.count)"] + figures.map(Self.format)))
          let stacks = [(site.purpose.verb, site.waiter), ("released by", site.releaser)]
          for case (let verb, let stack) in stacks {
            let names = stack.map { Self.functions($0, atMost: mostFrames) } ?? ["not known"]
            lines += Self.broken("\(verb) ", names, columns: columns)
          }
        }
        let left = source.sites.count - mostSites
        if left > 0 { lines.append(Self.indentation + "and \(Self.count(left, "pair")) of stacks more") }
      }
      let left = sources.count - mostSources
      if left > 0 { lines.append("and \(left) more") }
    }
    addCurrentWaits()
    add("Locks", locks, showsShare: true)
    addHolders()
    add("Waits for events, which are no contention", events, showsShare: false)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let widths = [6, 8, 9, 9, 9, 9, 9]

  private static let header =
    row(["share", "waits", "total", "median", "99 %", "longest", "blocked"])

  private static func row(_ cells: [String], columns: Int? = nil) -> String {
    widths.prefix(columns ?? widths.count).enumerated()
      .map { index, width in
        let cell = index < cells.count ? cells[index] : ""
        return String(repeating: " ", count: max(0, width - cell.count)) + cell
      }
      .joined(separator: " ")
  }

  /// The number of locks, including those that are counted together.
  var lockCount: Int { locks.reduce(0) { $0 + ($1.locks ?? 1) } }

  private static let indentation = String(repeating: " ", count: 8)

  /// Returns the names of the innermost functions of a stack, at most `most` of them; repetitions in
  /// consecutive frames are left out.
  ///
  /// Such repetitions come from recursion, and from a closure that has a second frame for its thunk.
  private static func functions(_ stack: [String], atMost most: Int) -> [String] {
    var names: [String] = []
    for function in stack where function != names.last { names.append(function) }
    return names.isEmpty ? ["a stack that was not recorded"] : Array(names.prefix(most))
  }

  /// Indented lines of at most `columns` characters: `verb`, followed by the names with ` <` between them.
  private static func broken(_ verb: String, _ names: [String], columns: Int) -> [String] {
    var lines: [String] = []
    var line = indentation + verb
    for (index, name) in names.enumerated() {
      let end = index + 1 < names.count ? " <" : ""
      if index > 0 {
        if line.count + 1 + name.count + end.count <= columns {
          line += " "
        } else {
          lines.append(line)
          line = indentation + "  "
        }
      }
      line += cut(name, to: columns - line.count - end.count) + end
    }
    return lines + [line]
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }

  static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  static func percent(_ part: Double) -> String { "\(decimal(part * 100, places: 1)) %" }

  /// Formats a duration with its unit, rounded to three significant digits: for example `1.25 ms`.
  static func format(_ duration: Duration) -> String {
    let nanoseconds = duration / .nanoseconds(1)
    for (unit, size) in [("s", 1e9), ("ms", 1e6), ("µs", 1e3)] where nanoseconds >= size * 0.9995 {
      let value = nanoseconds / size
      return "\(decimal(value, places: value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)) \(unit)"
    }
    return nanoseconds == 0 ? "0" : "\(Int(nanoseconds)) ns"
  }

  /// Formats a nonnegative number with `places` decimal places, which must be 0, 1 or 2.
  static func decimal(_ value: Double, places: Int) -> String {
    let scale = [1, 10, 100][places]
    let scaled = Int((value * Double(scale)).rounded())
    if places == 0 { return "\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}

extension ContentionReport.Purpose {
  fileprivate var verb: String {
    switch self {
    case .exclusiveAccess: "waits in"
    case .reading: "waits to read in"
    case .writing: "waits to write in"
    case .initialization: "waits for the value in"
    case .permit: "waits for a permit in"
    case .predicate: "waits for a predicate in"
    case .completion: "waits for the end in"
    }
  }
}
