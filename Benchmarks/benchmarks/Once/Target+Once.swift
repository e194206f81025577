internal import BenchmarkHarness

extension Target {
  static var once: [Target] {
    func path(_ name: String) -> Path { Path("once", "once", "read", name) }
    return [OnceName.once, OnceName.lazy].map { name in
      Target(
        "\(name) / stored field, time", .ratio(path(name), over: path(OnceName.plain)), .atMost(1.2))
    }
  }
}
