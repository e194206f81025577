// Old names of reports.
//
// None: each message says the new name.

import ContentionProfiles

func read(_ report: ContentionReport) {
  #if WRONG
    let text: String = report.text
    // error: 'text' has been renamed to 'text()'
    print(text, report.html, report.json, report.collapsedStacks)
    // error: 'collapsedStacks' has been renamed to 'pprof': pprof's tools make other formats of it
    // error: 'html' has been renamed to 'pprof': pprof's tools make other formats of it
    // error: 'json' has been renamed to 'pprof': pprof's tools make other formats of it
    print(report.total, report.holders)
  // error: 'holders' is unavailable: text() shows the functions that held locks; values have each
  // site's releaser
  // error: 'total' has been renamed to 'waits.total'
  #else
    let text: String = report.text()
    print(text, report.pprof)
    print(report.waits.total, report.locks.flatMap(\.sites).map(\.releaser))
  #endif
}

func read(_ source: ContentionReport.Source, of report: ContentionReport) {
  #if WRONG
    print(source.total, source.blocked, report.share(of: source))
    // error: 'blocked' has been renamed to 'waits.blocked'
    // error: 'share(of:)' is unavailable: write source.waits.total / (report.waits.total +
    // report.lostTime)
    // error: 'total' has been renamed to 'waits.total'
    print(source.sites.map { $0.total + $0.longest + $0.blocked })
  // error: 'blocked' has been renamed to 'waits.blocked'
  // error: 'longest' has been renamed to 'waits.longest'
  // error: 'total' has been renamed to 'waits.total'
  #else
    print(
      source.waits.total, source.waits.blocked,
      source.waits.total / (report.waits.total + report.lostTime))
    print(source.sites.map { $0.waits.total + $0.waits.longest + $0.waits.blocked })
  #endif
}
