// What a person would write from memory or from an older interface, with what to write instead.

extension ContentionReport {
  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.total")
  public var total: Duration { waits.total }

  /// Not available: it is a function, whose arguments limit the text.
  @available(*, unavailable, renamed: "text()")
  public var text: String { text() }

  /// Not available: they are a part of the text.
  @available(
    *, unavailable, message: "text() shows the functions that held locks; values have each site's releaser"
  )
  public var holders: [Never] { [] }

  /// Not available: it is a quotient.
  @available(*, unavailable, message: "write source.waits.total / (report.waits.total + report.lostTime)")
  public func share(of source: Source) -> Double { 0 }

  /// Not available: another format has what it had.
  @available(*, unavailable, renamed: "pprof", message: "pprof's tools make other formats of it")
  public var html: String { "" }

  /// Not available: another format has what it had.
  @available(*, unavailable, renamed: "pprof", message: "pprof's tools make other formats of it")
  public var json: String { "" }

  /// Not available: another format has what it had.
  @available(*, unavailable, renamed: "pprof", message: "pprof's tools make other formats of it")
  public var collapsedStacks: String { "" }
}

extension ContentionReport.Source {
  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.total")
  public var total: Duration { waits.total }

  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.blocked")
  public var blocked: Duration { waits.blocked }
}

extension ContentionReport.Site {
  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.total")
  public var total: Duration { waits.total }

  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.longest")
  public var longest: Duration { waits.longest }

  /// Not available: it is in `waits`.
  @available(*, unavailable, renamed: "waits.blocked")
  public var blocked: Duration { waits.blocked }
}
