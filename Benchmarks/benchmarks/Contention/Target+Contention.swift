internal import BenchmarkHarness

extension Target {
  static var contention: [Target] {
    let names = [LockName.unfair, LockName.compact, LockName.protector]
    func path(_ name: String, threads: Int, _ sectionNanoseconds: Int = 0) -> Path {
      let (group, title) = Suite.contentionTitles(threads: threads, sectionNanoseconds: sectionNanoseconds)
      return Path("contention profile", group, title, name)
    }
    func claim(_ name: String, _ sectionNanoseconds: Int) -> String {
      let (group, title) = Suite.contentionTitles(threads: 2, sectionNanoseconds: sectionNanoseconds)
      return "\(group), \(title): \(name) profiled / not, throughput"
    }
    return names.flatMap { name in
      [
        Target(
          "uncontended: \(name) profiled / not, time",
          .ratio(path(Suite.profiled(name), threads: 1), over: path(name, threads: 1)), .atMost(1.05))
      ]
        + Suite.profiledSections.map { nanoseconds in
          Target(
            claim(name, nanoseconds),
            .ratio(
              path(Suite.profiled(name), threads: 2, nanoseconds), over: path(name, threads: 2, nanoseconds)
            ),
            .atLeast(0.9))
        }
    }
  }
}
