internal import BenchmarkHarness

extension Target {
  static var once: [Target] {
    func place(_ name: String) -> Place { Place("once", "once", "read", name) }
    return [OnceName.once, OnceName.lazy].flatMap { name in
      [
        Target(
          "\(name) / stored field, time", .ratio(place(name), over: place(OnceName.plain)), .atMost(1.2)),
        Target(
          "\(name) / static let, time", .ratio(place(name), over: place(OnceName.staticLet)), .atMost(0.6)),
      ]
    }
  }
}
