internal import BenchmarkHarness
internal import Protectors
internal import ReadWriteLocks

extension Suite {
  /// Measures how much locks slow down while a profile of contention is recorded.
  static var contention: Suite {
    Suite(
      name: "contention profile", about: "locks without a profile of contention, and while one is recorded",
      reading:
        "A profile records a wait when its thread goes to sleep. Without contention nobody sleeps. In short"
        + " sections most waits end while the thread spins; in long ones each wait is recorded.",
      contests: [profiledContest(threads: 1)]
        + profiledSections.map { profiledContest(threads: 2, sectionNanoseconds: $0) })
  }

  /// The lengths of the critical sections that are measured with two threads, in nanoseconds.
  ///
  /// 0 stands for the shortest possible critical section.
  static let profiledSections = [0, 1_000, 10_000]

  /// The titles under which results show a contest: `group` names the table, and `title` names the column.
  static func contentionTitles(threads: Int, sectionNanoseconds: Int) -> (group: String, title: String) {
    let length = sectionNanoseconds == 0 ? "short sections" : "sections of \(sectionNanoseconds / 1000) µs"
    return (lockGroup(threads: threads), threads == 1 ? "write" : length)
  }

  /// The name, in result tables, of a lock that is measured while a profile is recorded.
  static func profiled(_ name: String) -> String { "\(name), profiled" }

  private static func profiledContest(threads: Int, sectionNanoseconds: Int = 0) -> Contest {
    let titles = contentionTitles(threads: threads, sectionNanoseconds: sectionNanoseconds)
    let section = sectionNanoseconds == 0 ? .none : SectionWork(nanoseconds: sectionNanoseconds)
    func pair(_ name: String, _ make: () -> LockTrial<some GuardedInteger & ~Copyable>) -> [Contestant] {
      [false, true].map { isProfiled in
        let contestant = make().contestant(named: name, measuresWaits: false)
        return Contestant(
          name: isProfiled ? profiled(name) : name,
          batch: { worker, operations in
            ProfiledBatches.shared.run(isProfiled: isProfiled) { contestant.batch(worker, operations) }
          }, audit: contestant.audit)
      }
    }
    let mix = ReadWriteMix(reads: 0)
    // Each batch starts and stops a recording, which takes microseconds. A batch must take about 300 µs or
    // more, so that this time hardly affects the figures. The shortest operation takes about 15 ns.
    let operationUnit = max(100, 300_000 / max(15, sectionNanoseconds))
    return Contest(
      group: titles.group, title: titles.title, metric: threads == 1 ? .cost : .throughput, threads: threads,
      operationUnit: operationUnit, reference: LockName.unfair,
      contestants: pair(LockName.unfair) {
        LockTrial(BehindUnfairLock(), threads: threads, mix: mix, section: section)
      }
        + pair(LockName.compact) {
          LockTrial(BehindReadWriteLock(CompactReadWriteLock()), threads: threads, mix: mix, section: section)
        }
        + pair(LockName.protector) {
          LockTrial(BehindProtector(Protector(0)), threads: threads, mix: mix, section: section)
        })
  }
}
