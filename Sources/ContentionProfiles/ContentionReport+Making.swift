internal import InterlockCore

extension ContentionReport {
  /// The minimum number of similar locks that the report counts together; fewer locks have an entry each (see
  /// `Source.locks`).
  static let fewestMergedLocks = 8

  private struct Key: Hashable {
    /// The key of the lock; 0 for several locks that are counted together.
    var lock: UInt
    var primitive: String
    var isContention: Bool
    /// Distinguishes groups of locks that are counted together.
    ///
    /// All locks of a group have the same label and source line, and the same function waited for them for
    /// longest.
    var group = ""
  }

  /// Identifies the waits of one `Site`.
  ///
  /// These waits have the same purpose, the same waiting functions and the same releasing functions of the
  /// program. The return addresses in these functions may differ.
  private struct Pair: Hashable {
    var purpose: Purpose
    var waiter: [String]
    var releaser: [String]
  }

  private struct Entry {
    var waiter: Stack
    var releaser: Stack?
    var figures: WaitFigures

    mutating func add(_ other: Entry) { figures.add(other.figures) }
  }

  /// The waits for one lock, or for several locks that are counted together.
  private struct Lock {
    var pairs: [Pair: Entry] = [:]
    var origin: String?
    var count = 1

    mutating func add(_ pair: Pair, _ entry: Entry) {
      if pairs[pair]?.add(entry) == nil { pairs[pair] = entry }
    }

    /// The waiting function of the site with the longest total waiting time; empty if there are no sites.
    var function: String {
      pairs.values.max { $0.figures.total < $1.figures.total }?.waiter.function ?? ""
    }
  }

  /// Makes a report of the recorder's contents.
  ///
  /// - Parameters:
  ///   - names: The names that the program has given to locks, by the addresses of the locks.
  ///   - now: The time of the report, in nanoseconds; waits that have not ended count until then.
  init(
    _ contents: Recorder.State, _ symbols: inout Symbols, names: [UInt: String] = [:],
    hiding modules: Set<String> = [], now: UInt64 = MonotonicClock.now
  ) {
    var locks: [Key: Lock] = [:]
    for (site, figures) in contents.sites {
      let (primitive, purpose) = site.primitive.description(site.mode)
      let key = Key(lock: site.lock, primitive: primitive, isContention: purpose.isContention)
      let waiter = symbols.stack(site.waiter, hiding: modules)
      let releaser = site.releaser.isEmpty ? nil : symbols.stack(site.releaser, hiding: modules)
      let pair = Pair(
        purpose: purpose, waiter: waiter.clientFrames.map(\.function),
        releaser: releaser?.clientFrames.map(\.function) ?? [])
      if let origin = site.primitive.origin { locks[key, default: Lock()].origin = origin }
      locks[key, default: Lock()].add(pair, Entry(waiter: waiter, releaser: releaser, figures: figures))
    }
    let all = Self.merged(locks, except: names)
    func sources(areContention: Bool) -> [Source] {
      all.filter { $0.key.isContention == areContention }.map { key, lock in
        let address = key.lock == 0 ? nil : key.lock &+ lockKeyOffset
        return Source(
          primitive: key.primitive, address: address,
          origin: Self.origin(address.flatMap { names[$0] }, lock.origin), locks: lock.count,
          sites: lock.pairs.map { Site($0.purpose, $1.waiter, $1.releaser, $1.figures) }
            .sorted { ($1.waits.blocked, $1.waits.total) < ($0.waits.blocked, $0.waits.total) })
      }
      .sorted { ($1.waits.total, $0.address ?? 0) < ($0.waits.total, $1.address ?? 0) }
    }
    self.init(
      duration: .nanoseconds(Int64(contents.duration)), locks: sources(areContention: true),
      events: sources(areContention: false),
      current: Self.current(contents.current.values, &symbols, names, modules, now),
      lostWaits: Int(contents.lostWaits), lostTime: .nanoseconds(Int64(contents.lostTime)))
  }

  /// Merges the entries of similar unnamed locks, as `Source.name` describes.
  private static func merged(_ locks: [Key: Lock], except names: [UInt: String]) -> [Key: Lock] {
    let groups = Dictionary(grouping: locks) { key, lock in
      let isAlone = key.lock == 0 || names[key.lock &+ lockKeyOffset] != nil
      return Key(
        lock: isAlone ? key.lock : 0, primitive: key.primitive, isContention: key.isContention,
        group: isAlone ? "alone" : "\(lock.function) \(lock.origin ?? "")")
    }
    var merged: [Key: Lock] = [:]
    for (group, members) in groups {
      guard members.count >= fewestMergedLocks else {
        for (key, lock) in members { merged[key] = lock }
        continue
      }
      var sum = Lock(origin: members[0].value.origin, count: members.count)
      for (_, lock) in members {
        for (pair, entry) in lock.pairs { sum.add(pair, entry) }
      }
      merged[group] = sum
    }
    return merged
  }

  private static func origin(_ name: String?, _ origin: String?) -> String? {
    let parts = [name, origin].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  // MARK: Waits that have not ended

  private static func current(
    _ waits: some Collection<Recorder.Current>, _ symbols: inout Symbols, _ names: [UInt: String],
    _ modules: Set<String>, _ now: UInt64
  ) -> [CurrentWait] {
    let waits = waits.map { current in
      let wait = current.wait
      let (primitive, purpose) = wait.primitive.description(wait.mode)
      let address = wait.lock &+ lockKeyOffset
      let origin = origin(names[address], wait.primitive.origin)
      return CurrentWait(
        name: Source(primitive: primitive, address: address, origin: origin, sites: []).name,
        purpose: purpose, thread: describe(wait.task == 0 ? UInt64(current.thread) : wait.task),
        waitingStack: symbols.stack(current.waiter, hiding: modules),
        duration: .nanoseconds(Int64(now > wait.began ? now - wait.began : 0)),
        holder: current.holder == 0 ? nil : describe(current.holder))
    }
    // Puts waits for locks before waits for events, which are mostly those of idle workers.
    return waits.sorted { one, other in
      one.purpose.isContention == other.purpose.isContention
        ? one.duration > other.duration : one.purpose.isContention
    }
  }

  /// The text for a nonzero result of a `HolderLookup`: a thread, a task, or the number of readers.
  private static func describe(_ holder: UInt64) -> String {
    if holder & LockHolders.readers != 0 {
      let readers = Int(holder ^ LockHolders.readers)
      return readers == 0 ? "readers" : count(readers, "reader")
    }
    // The address of a task is greater than any thread number.
    return holder <= UInt64(ThreadIdentity.mask)
      ? "thread \(holder)" : "task 0x" + String(holder, radix: 16)
  }
}

extension ContentionReport.Site {
  fileprivate init(
    _ purpose: ContentionReport.Purpose, _ waiter: ContentionReport.Stack,
    _ releaser: ContentionReport.Stack?, _ figures: WaitFigures
  ) {
    self.init(
      purpose: purpose, waitingStack: waiter, releasingStack: releaser, waits: .init(figures),
      median: figures.quantile(0.5), percentile99: figures.quantile(0.99))
  }
}

extension ContentionReport.Waits {
  fileprivate init(_ figures: WaitFigures) {
    func duration(_ nanoseconds: UInt64) -> Duration { .nanoseconds(Int64(nanoseconds)) }
    self.init(
      count: Int(figures.waits), total: duration(figures.total), longest: duration(figures.longest),
      blocked: duration(figures.blocked), longestBlocked: duration(figures.longestBlocked))
  }
}

extension WaitFigures {
  /// The quantile `part` (from 0 to 1) of the waiting times; never more than the longest wait.
  ///
  /// The limit is needed because `Histogram.quantile` returns the middle of a bucket.
  fileprivate func quantile(_ part: Double) -> Duration {
    .nanoseconds(Int64(min(Histogram.quantile(part, of: histogram), longest)))
  }
}

extension Primitive {
  /// The name of the primitive in reports, and the purpose of a wait in this mode.
  fileprivate func description(_ mode: LockMode) -> (primitive: String, purpose: ContentionReport.Purpose) {
    if kind.has(.isInitialization) { return (kind.name.text, .initialization) }
    if kind.has(.grantsPermits) { return (kind.name.text, .permit) }
    if kind.has(.isPredicate) { return ("waitingUntil", .predicate) }
    if kind.has(.isCompletion) { return (kind.name.text, .completion) }
    let access: ContentionReport.Purpose = mode == .read ? .reading : .writing
    return (kind.name.text, kind.has(.sharesReads) ? access : .exclusiveAccess)
  }
}
