internal import BenchmarkHarness
internal import LazyInitialization

/// The names of the implementations in the suite "once", as its result tables show them.
enum OnceName {
  static let plain = "stored field"
  static let staticLet = "static let"
  static let lazyVar = "lazy var, not synchronised"
  static let once = "Once and a field"
  static let cell = "OnceCell"
  static let lazy = "Lazy.value"
}

extension Suite {
  /// Measures reads of a number that has already been initialised.
  static var once: Suite {
    Suite(
      name: "once", about: "a number that has been made, read again",
      contests: [
        Contest(
          group: "once", title: "read", metric: .cost, threads: 1, operationUnit: 100,
          reference: OnceName.plain,
          contestants: [
            WordTrial(PlainWord()).contestant(named: OnceName.plain),
            WordTrial(OnceWord()).contestant(named: OnceName.once),
            WordTrial(OnceCellWord()).contestant(named: OnceName.cell),
            WordTrial(Lazy { UInt64(CommandLine.arguments.count) }).contestant(named: OnceName.lazy),
            WordTrial(LazyVarWord()).contestant(named: OnceName.lazyVar),
            WordTrial(StaticWord()).contestant(named: OnceName.staticLet),
          ])
      ])
  }
}
