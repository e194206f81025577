internal import BenchmarkHarness

extension Target {
  static var once: [Target] {
    func place(_ name: String) -> Place { Place("once", "once", "read", name) }
    return [OnceName.once, OnceName.lazy].map { name in
      Target(
        "\(name) / stored field, time", .ratio(place(name), over: place(OnceName.plain)), .atMost(1.2))
    }
  }
}
