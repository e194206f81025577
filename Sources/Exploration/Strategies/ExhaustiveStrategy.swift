#if Exploration
  /// Tries every schedule, up to the order of independent steps; with a bound, fewer equivalent ones are skipped.
  ///
  /// # Without a bound
  /// Schedules are equivalent if they differ only in the order of independent steps. The search is
  /// depth-first. Each execution repeats the previous one up to the last point with an untried choice, and
  /// takes that choice. The search finds the choices of a point as it goes on, by dynamic partial-order
  /// reduction (Flanagan and Godefroid, 2005). Two steps race when they touch the same object, one of them
  /// writes, and nothing orders them. Suppose that a step of thread *t* races with an earlier step. Then *t*
  /// also has to be tried at the point where the earlier step was chosen. If *t* could not run at that point,
  /// all threads that could run there are tried. Sleep sets (Godefroid, 1996) skip a thread whose next step
  /// was tried before, until another thread makes a step that depends on it.
  ///
  /// # Locks
  /// A section of an exclusive lock of this package is one step, as far as other sections of the lock are
  /// concerned: a thread that acquires the lock without a deadline is not enabled while the lock is not free
  /// (`Scheduler.waitsForLock`). No outcome is lost. In an execution in which the thread contends, it only
  /// changes the lock's flags and sleeps until it acquires the lock, after a release. So the same outcome has
  /// the execution in which it arrives after that release. An attempt of another thread that fails because the
  /// lock is being handed to this thread fails as well if this thread has acquired the lock by then. What the
  /// thread learns is the same, because each change of the lock's word continues the release sequence. This
  /// rests on the lock being right, which its own explorations show (`ExplorationLimits.dividesLocks`). An
  /// attempt with a deadline is divided into its steps as ever. So are read/write locks: a waiting writer may
  /// hold up readers, so how threads wait there has outcomes of its own. If no thread is enabled, the waiting
  /// ones contend after all, so that deadlocks and traps are found where they happen.
  ///
  /// A release and a waiting acquisition are never enabled together. So the acquisition does not race with the
  /// last release, but with the last step that found the lock free.
  ///
  /// # With a bound
  /// A preemption takes the turn from a thread that could go on, and that neither sleeps nor spins
  /// (`SchedulingPoint.canPreempt`). Partial-order reduction may skip a schedule within the bound in favor
  /// of an equivalent one that is beyond the bound (Coons, Musuvathi, McKinley: "Bounded partial-order
  /// reduction", 2013). So with a bound, only late preemptions are tried. Suppose that thread *t* is
  /// preempted before its step *s*, and goes on before another thread has made a step that depends on *s*.
  /// Then *t* could as well have made *s* before the preemption. That schedule is equivalent, has no more
  /// preemptions, and comes earlier in the search. So a preempted thread joins the sleep set. The search
  /// empties the sleep set if a thread waits for a change of any word (`SchedulingPoint.hasWaiter`): *s* lets
  /// that thread go on, whatever *s* changes.
  ///
  /// # In parts
  /// Several processes can share a search. The first few branches of a schedule, its *prefix*, decide which
  /// part the schedule belongs to. Each part finds all prefixes, in the same order, and continues only its
  /// own ones. The order of the prefixes must not depend on what comes after a prefix. So without a bound,
  /// the search tries all threads within a prefix, and not only those that races call for. Sleep sets still
  /// hold across parts, because some part explores each choice that was tried before.
  struct ExhaustiveStrategy: Strategy {
    /// The greatest number of preemptions in an execution; `nil` for no bound.
    let bound: Int?

    private let part: ExplorationPart
    /// The number of branches in the prefix of a schedule.
    private static let branchesOfPrefix = 6
    /// The number of prefixes that were found so far.
    private var prefixes = 0

    init(preemptions bound: Int?, part: ExplorationPart = .whole) {
      self.bound = bound
      self.part = part
    }

    /// A point of the current execution at which there is more than one way to go on.
    private struct Point {
      /// The number of the step whose thread was chosen at this point; -1 if `chooseValue` chose a value.
      var step: Int
      var chosen: Int
      /// Whether the point belongs to the prefix of the schedule (see `ExhaustiveStrategy`).
      var isInPrefix: Bool
      /// The number of branches of the prefix, up to and including this point.
      var branches: Int
      /// The threads to try at this point, one bit for each thread.
      var toTry: UInt64
      /// The threads that were tried at this point, one bit for each thread.
      var tried: UInt64 = 0
      /// The threads that could run at this point, one bit for each thread.
      ///
      /// At a point where `chooseValue` chose, the number of values instead.
      var enabled: UInt64
      /// The sleep set at this point: the threads whose next steps need not be tried here, with the
      /// footprints of these steps.
      var asleep: [Int: Footprint]
      var next: [Footprint]
    }

    private var path: [Point] = []
    private var position = 0
    private var isFirst = true
    private(set) var isExhaustive = false
    /// Whether the bound has kept the search from a preemption.
    private(set) var hasReachedBound = false

    // The variables from here on describe the current execution.
    private var asleep: [Int: Footprint] = [:]
    private var preemptions = 0
    /// For each step, the index in `path` of the point at which its thread was chosen.
    private var places: [Int] = []
    /// For each thread, the steps that happened before the thread's next step.
    private var clocks: [VectorClock] = []
    /// For each step, its thread and a clock.
    ///
    /// The clock includes the step and all steps that happened before it.
    private var steps: [(thread: Int, clock: VectorClock)] = []
    private var objects: [Int: Accesses] = [:]
    /// The last step that depends on all others (see `Footprint.dependsOnAll`).
    private var observation: (thread: Int, step: Int, clock: VectorClock)?

    /// The accesses to an object with which a later access can race: the last write, and each thread's last
    /// read after that write.
    private struct Accesses {
      var write: (thread: Int, step: Int)?
      /// The last write that found 0 in the word.
      var writeOfFree: (thread: Int, step: Int)?
      var reads: [Int: Int] = [:]
      var writeClock = VectorClock()
      var readClock = VectorClock()
    }

    mutating func begin() -> Bool {
      if !isFirst, !advance() {
        isExhaustive = true
        return false
      }
      isFirst = false
      position = 0
      asleep = [:]
      preemptions = 0
      places = []
      clocks = []
      steps = []
      objects = [:]
      observation = nil
      return true
    }

    /// Goes back to the last point with an untried choice, and takes that choice; `false` if there is none.
    private mutating func advance() -> Bool {
      while var point = path.popLast() {
        if point.step < 0 {
          point.chosen += 1
          guard point.chosen < point.enabled else { continue }
          path.append(point)
          return true
        }
        point.tried |= 1 << point.chosen
        // All executions that take the tried step at this point were explored, so its thread joins the sleep
        // set.
        if bound == nil { point.asleep[point.chosen] = point.next[point.chosen] }
        var left = point.toTry & ~point.tried
        for thread in point.asleep.keys { left &= ~(1 << thread) }
        guard left != 0 else { continue }
        point.chosen = left.trailingZeroBitCount
        path.append(point)
        return true
      }
      return false
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      defer { position += 1 }
      places.append(position)
      if bound != nil, point.hasWaiter { asleep = [:] }
      if position < path.count {
        asleep = path[position].asleep
      } else {
        let awake = point.enabled.filter { asleep[$0] == nil }
        guard let first = awake.first else { return nil }
        let branches = path.last?.branches ?? 0
        let isInPrefix = part.count > 1 && branches < Self.branchesOfPrefix
        if let last = path.last, last.isInPrefix, !isInPrefix {
          defer { prefixes += 1 }
          guard part.includes(prefixes) else { return nil }
        }
        // If the thread that made the last step can go on, the search keeps it. That avoids a preemption.
        let chosen = awake.contains(point.current) ? point.current : first
        let enabled = point.enabled.reduce(into: UInt64(0)) { $0 |= 1 << $1 }
        let triesAll = bound == nil ? isInPrefix : admitsPreemption(at: point)
        path.append(
          Point(
            step: point.step, chosen: chosen, isInPrefix: isInPrefix,
            branches: branches + (isInPrefix && triesAll && awake.count > 1 ? 1 : 0),
            toTry: triesAll ? enabled : 1 << chosen, enabled: enabled, asleep: asleep, next: point.next))
      }
      let chosen = path[position].chosen
      if chosen != point.current, point.canPreempt {
        preemptions += 1
        if bound != nil { asleep[point.current] = point.next[point.current] }
      }
      return chosen
    }

    /// Whether the search may choose any enabled thread at `point` without exceeding the bound on
    /// preemptions.
    private mutating func admitsPreemption(at point: SchedulingPoint) -> Bool {
      if preemptions < bound ?? .max || !point.canPreempt { return true }
      if point.enabled.count > 1 { hasReachedBound = true }
      return false
    }

    mutating func chooseValue(count: Int) -> Int {
      defer { position += 1 }
      if position < path.count { return path[position].chosen }
      let last = path.last
      path.append(
        Point(
          step: -1, chosen: 0, isInPrefix: last?.isInPrefix ?? false, branches: (last?.branches ?? 0) + 1,
          toTry: 0, enabled: UInt64(count), asleep: [:], next: []))
      return 0
    }

    mutating func didStep(_ step: Int, thread: Int, _ footprint: Footprint) {
      // Threads whose next steps depend on this step leave the sleep set.
      if !asleep.isEmpty { asleep = asleep.filter { $0.key != thread && !$0.value.dependsOn(footprint) } }
      guard bound == nil else { return }
      while clocks.count <= thread { clocks.append(VectorClock()) }
      var races: [Int] = []
      if footprint.isOfTasks { touchTasks(thread, &races) }
      if footprint.dependsOnAll { touchAll(thread, &races) } else { touchObservation(thread, &races) }
      touch(footprint.object, footprint.writes, thread, &races, waits: footprint.waits)
      touch(footprint.other, footprint.writesOther, thread, &races)
      clocks[thread][thread] = step + 1
      steps.append((thread, clocks[thread]))
      note(footprint.object, footprint.writes, thread, step, findsFree: footprint.findsFree)
      note(footprint.other, footprint.writesOther, thread, step)
      if footprint.dependsOnAll { observation = (thread, step, clocks[thread]) }
      for race in races { reverse(race, step) }
    }

    /// Appends to `races` the earlier steps that race with this access, and joins the object's clocks into
    /// the thread's clock.
    private mutating func touch(
      _ object: Int, _ writes: Bool, _ thread: Int, _ races: inout [Int], waits: Bool = false
    ) {
      guard object != 0, let accesses = objects[object] else { return }
      func check(_ other: Int, _ step: Int) {
        if other != thread, clocks[thread][other] <= step { races.append(step) }
      }
      if let write = waits ? accesses.writeOfFree : accesses.write { check(write.thread, write.step) }
      if writes {
        for (reader, read) in accesses.reads { check(reader, read) }
        clocks[thread].join(accesses.readClock)
      }
      clocks[thread].join(accesses.writeClock)
    }

    /// Does what `touch` does, for a step of an execution with tasks, in which each step depends on all
    /// earlier ones.
    ///
    /// Appends at most one step: the latest one in whose place the thread of this step could have run. When
    /// the search has run the thread in that place, it finds earlier places in the same way.
    private mutating func touchTasks(_ thread: Int, _ races: inout [Int]) {
      for step in steps.indices.reversed() {
        let other = steps[step].thread
        if other == thread || clocks[thread][other] > step { continue }
        guard path[places[step]].enabled & 1 << thread != 0 else { continue }
        races.append(step)
        break
      }
      if let last = steps.last { clocks[thread].join(last.clock) }
    }

    /// Does what `touch` does, for a step that depends on all others: the last step of each other thread.
    private mutating func touchAll(_ thread: Int, _ races: inout [Int]) {
      var seen: UInt64 = 1 << thread
      for step in steps.indices.reversed() {
        let (other, clock) = steps[step]
        if seen & 1 << other != 0 { continue }
        seen |= 1 << other
        if clocks[thread][other] <= step { races.append(step) }
        clocks[thread].join(clock)
        if seen.nonzeroBitCount == clocks.count { break }
      }
    }

    /// Does what `touch` does, for the last step that depends on all others.
    private mutating func touchObservation(_ thread: Int, _ races: inout [Int]) {
      guard let observation, observation.thread != thread else { return }
      if clocks[thread][observation.thread] <= observation.step { races.append(observation.step) }
      clocks[thread].join(observation.clock)
    }

    /// Makes the search try an execution in which the step `last` comes before the step `first`; the two
    /// steps race.
    ///
    /// Another step has to run in place of `first`: `last`, or a step between the two that does not happen
    /// after `first`. A thread is a candidate if its earliest such step does not happen after another such
    /// step. At the point where `first` was chosen, the search tries one candidate. If no candidate can run
    /// there, it tries all threads that can.
    private mutating func reverse(_ first: Int, _ last: Int) {
      let place = places[first]
      if path[place].next[steps[last].thread].isOfTasks {
        path[place].toTry |= 1 << UInt64(steps[last].thread)
        return
      }
      var independent: [Int] = []
      var initials: UInt64 = 0
      var seen: UInt64 = 0
      for step in first + 1...last {
        let (thread, clock) = steps[step]
        if step < last, clock[steps[first].thread] > first { continue }
        let bit: UInt64 = 1 << thread
        if seen & bit == 0, !independent.contains(where: { clock[steps[$0].thread] > $0 }) { initials |= bit }
        seen |= bit
        independent.append(step)
      }
      if path[place].toTry & initials != 0 { return }
      let candidates = path[place].enabled & initials
      let racing: UInt64 = 1 << steps[last].thread
      if candidates & racing != 0 {
        path[place].toTry |= racing
      } else if candidates != 0 {
        path[place].toTry |= 1 << candidates.trailingZeroBitCount
      } else {
        path[place].toTry |= path[place].enabled
      }
    }

    mutating func didPreventTimeout(_ thread: Int, in step: Int) {
      guard bound == nil else { return }
      // Makes the search try the timeout of the thread's sleep in place of this step. The search skips the
      // timeout if the thread may not time out again yet.
      let place = places[step]
      path[place].toTry |= path[place].enabled & 1 << thread
    }

    private mutating func note(
      _ object: Int, _ writes: Bool, _ thread: Int, _ step: Int, findsFree: Bool = false
    ) {
      guard object != 0 else { return }
      var accesses = objects[object] ?? Accesses()
      if writes {
        accesses.write = (thread, step)
        if findsFree { accesses.writeOfFree = (thread, step) }
        accesses.writeClock = clocks[thread]
        accesses.reads = [:]
        accesses.readClock = VectorClock()
      } else {
        accesses.reads[thread] = step
        accesses.readClock.join(clocks[thread])
      }
      objects[object] = accesses
    }

    mutating func didSynchronize(_ thread: Int, with other: Int) {
      while clocks.count <= max(thread, other) { clocks.append(VectorClock()) }
      let known = clocks[other]
      clocks[thread].join(known)
    }
  }
#endif
