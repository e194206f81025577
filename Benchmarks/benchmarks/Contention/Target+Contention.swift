internal import BenchmarkHarness

extension Target {
  static var contention: [Target] {
    let names = [LockName.unfair, LockName.compact, LockName.protector]
    func place(_ name: String, threads: Int, _ sectionNanoseconds: Int = 0) -> Place {
      let (group, title) = Suite.contentionPlace(threads: threads, sectionNanoseconds: sectionNanoseconds)
      return Place("contention profile", group, title, name)
    }
    func claim(_ name: String, _ sectionNanoseconds: Int) -> String {
      let (group, title) = Suite.contentionPlace(threads: 2, sectionNanoseconds: sectionNanoseconds)
      return "\(group), \(title): \(name) profiled / not, throughput"
    }
    return names.flatMap { name in
      [
        Target(
          "uncontended: \(name) profiled / not, time",
          .ratio(place(Suite.profiled(name), threads: 1), over: place(name, threads: 1)), .atMost(1.05))
      ]
        + Suite.profiledSections.map { nanoseconds in
          Target(
            claim(name, nanoseconds),
            .ratio(
              place(Suite.profiled(name), threads: 2, nanoseconds), over: place(name, threads: 2, nanoseconds)
            ),
            .atLeast(0.9))
        }
    }
  }
}
