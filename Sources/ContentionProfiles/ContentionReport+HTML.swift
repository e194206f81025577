extension ContentionReport {
  /// The report as a page for a browser.
  ///
  /// A bar chart compares the locks by their share of the waiting time. A table for each lock shows the
  /// stacks that waited for the lock and those that released it.
  ///
  /// The page is self-contained: it loads no other files.
  public var html: String {
    var body = "<h1>Contention</h1>\n<p>In \(Self.format(duration)): \(Self.count(waits, "wait")) for "
    body += "\(Self.count(lockCount, "lock")), \(Self.format(total)) of waiting.</p>\n"
    if lostWaits > 0 {
      body +=
        "<p>The tables were full: \(Self.count(lostWaits, "wait")) of \(Self.format(lostTime)) more are "
      body += "not shown.</p>\n"
    }
    body += Self.table(
      "Waiting now", ["for", "thread", "waits in", "lock", "held by"],
      current.map {
        let holder = [$0.holder ?? "not known", $0.holderActivity].compactMap { $0 }.joined(
          separator: ", which ")
        return [
          Self.format($0.duration), Self.escaped($0.thread), Self.list($0.waiter), Self.escaped($0.name),
          Self.escaped(holder),
        ]
      })
    body += Self.section("Locks", locks, longest: locks.first?.total) { Self.percent(share(of: $0)) }
    body += Self.table(
      "Holders", ["blocked", "longest", "waits", "function", "locks"],
      holders.map {
        [
          Self.format($0.blocked), Self.format($0.longestBlocked), "\($0.waits)", Self.escaped($0.function),
          $0.locks.map(Self.escaped).joined(separator: "<br>"),
        ]
      })
    body += Self.section(
      "Waits for events, which are no contention", events, longest: events.first?.total
    ) { Self.format($0.total) }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Contention</title>
      <style>
      :root { color-scheme: light dark; --bar: #c2410c; --rest: #8886; }
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
      summary { display: grid; grid-template-columns: 22em 1fr 5em; gap: 1em; align-items: center; cursor: pointer;
        padding: .25em 0; }
      .bar { background: var(--rest); height: 1.1em; }
      .bar div { background: var(--bar); height: 100%; }
      .share { text-align: right; font-variant-numeric: tabular-nums; }
      table { border-collapse: collapse; margin: .5em 0 1.5em; width: 100%; font-variant-numeric: tabular-nums; }
      th, td { border-bottom: 1px solid var(--rest); padding: .3em .6em; text-align: right; vertical-align: top; }
      th:nth-last-child(-n+2), td:nth-last-child(-n+2) { text-align: left; }
      ol { margin: 0; padding-left: 1.2em; font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
      </style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
  }

  private static func section(
    _ title: String, _ sources: [Source], longest: Duration?, figure: (Source) -> String
  ) -> String {
    guard let longest, longest > .zero else { return "" }
    var section = "<h2>\(title)</h2>\n"
    for (index, source) in sources.enumerated() {
      let width = decimal(source.total / longest * 100, places: 1)
      section += "<details\(index == 0 ? " open" : "")><summary><span>\(escaped(source.name))</span>"
      section += "<div class=\"bar\"><div style=\"width: \(width)%\"></div></div>"
      section += "<span class=\"share\">\(figure(source))</span></summary>\n<table>\n<tr>"
      section +=
        "<th>waits<th>total<th>median<th>99 %<th>longest<th>blocked<th>waits in<th>released by</tr>\n"
      section += source.sites.map(row).joined() + "</table></details>\n"
    }
    return section
  }

  /// Returns the HTML of a table with a heading; an empty string if there are no rows.
  ///
  /// All strings are inserted as they are, so the caller must escape them.
  private static func table(_ title: String, _ header: [String], _ rows: [[String]]) -> String {
    if rows.isEmpty { return "" }
    let lines = rows.map { "<tr>" + $0.map { "<td>\($0)" }.joined() + "</tr>\n" }
    return "<h2>\(title)</h2>\n<table>\n<tr>" + header.map { "<th>\($0)" }.joined() + "</tr>\n"
      + lines.joined() + "</table>\n"
  }

  private static func row(_ site: Site) -> String {
    let durations = [site.total, site.median, site.percentile99, site.longest, site.blocked]
    let figures = (["\(site.waits)"] + durations.map(format)).map { "<td>\($0)" }.joined()
    let releaser = (site.releaser.map(list) ?? "not known") + (site.idleness.map { "which \($0)" } ?? "")
    return "<tr>\(figures)<td>\(list(site.waiter))<td>\(releaser)</tr>\n"
  }

  private static func list(_ stack: Stack) -> String {
    "<ol>" + stack.clientFrames.map { "<li>\(escaped($0.function))" }.joined() + "</ol>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }
}
