#if Exploration
  internal import InterlockCore
  internal import Runtime

  /// An event of a thread, which happened just before the step with the number `step`.
  struct Note {
    enum Event {
      case lock(ExploredLock.Event, ExploredLock)
      /// The thread, or its task, begins to wait in this package; waits nest.
      case waits(for: Primitive?, isOfTask: Bool)
      case endsWait
    }

    let step: Int
    let thread: Int
    let event: Event
  }

  /// The lines that show the execution in a failure's `description`.
  ///
  /// The steps of one call of a function of this package are combined into one or two lines. The recorded
  /// events of locks show which steps acquire or release a lock. Other steps are combined if they come from
  /// the same call in the program.
  struct Report {
    /// The steps of one thread in one call of a function of this package.
    private struct Call {
      enum Kind {
        case acquires(LockMode)
        case releases(LockMode)
        case calls
        /// The steps of a call after its closure has returned, for example the closure of `Once`.
        case ends
      }

      var kind: Kind
      /// The lock or other primitive that the call uses; `nil` if no event has named one.
      var lock: ExploredLock?
      var place: Place?
      /// The numbers and the texts of the steps.
      var steps: [(number: Int, text: String)] = []
      var words: Set<Int> = []
      /// If the thread has slept in the call, a clause that says what it waits for; `nil` otherwise.
      var wait: String?
      /// Whether the task's wait for the lock has ended: it has the lock now, or has given up.
      var hasStoppedWaiting = false
    }

    private struct Line {
      let step: Int
      let thread: Int
      let place: String?
      /// The text of the line up to `object`, which is the name of a lock or a function.
      var verb: String
      var object = ""
      /// The number of the lock that the thread acquires or releases; `nil` in other lines.
      var lock: UInt64?
      var isAcquisition = false

      var text: String { object.isEmpty ? verb : "\(verb) \(object)" }
    }

    private let names: ValueNames
    private var calls: [Int: Call] = [:]
    /// For each thread, its waits inside this package that have not ended, the outermost one first.
    private var waits: [Int: [(primitive: Primitive?, isOfTask: Bool)]] = [:]
    private var lines: [Line] = []
    /// For each thread, the last known line of the program.
    private var lastLines: [Int: String] = [:]
    /// For each lock number, the threads that hold the lock, with the mode and the source line of the
    /// acquisition.
    private var holders: [UInt64: [Int: (mode: LockMode, place: Place?)]] = [:]
    /// For each lock number, the numbers of the words that threads used while they acquired the lock.
    private var words: [UInt64: Set<Int>] = [:]
    private var locks: [UInt64: ExploredLock] = [:]
    /// For each `Primitive` (a type, a label and a source line), the numbers of the locks that have it.
    private var alike: [Primitive: [UInt64]] = [:]

    init(_ trace: [Step], _ notes: [Note], _ places: [Place?], _ names: ValueNames) {
      self.names = names
      for note in notes {
        guard case .lock(_, let lock) = note.event, locks[lock.number] == nil else { continue }
        locks[lock.number] = lock
        alike[lock.primitive, default: []].append(lock.number)
      }
      var next = 0
      for (index, step) in trace.enumerated() {
        while next < notes.count, notes[next].step <= index {
          add(notes[next])
          next += 1
        }
        add(step, at: index, places[index])
      }
      for note in notes[next...] { add(note) }
      for (thread, call) in calls where call.wait == nil { end(call, of: thread, isOver: false) }
      lines.sort { $0.step < $1.step }
      joinLines()
    }

    /// The reason why the thread waits in a call that has not ended; `nil` if it does not wait in a call.
    func wait(of thread: Int) -> String? { calls[thread]?.wait }

    /// One text for each line: the step number, the thread, the program's line of source, and what the thread
    /// does.
    var text: [String] {
      let width = lines.map { $0.place?.count ?? 0 }.max() ?? 0
      return lines.map { line in
        let place = line.place ?? ""
        return Step.head(line.step, line.thread) + place
          + String(repeating: " ", count: width == 0 ? 0 : width - place.count + 2) + line.text
      }
    }

    // MARK: Notes and steps

    private mutating func add(_ note: Note) {
      let thread = note.thread
      switch note.event {
      case .lock(let event, let lock): add(event, lock, thread)
      case .waits(let primitive, let isOfTask): waits[thread, default: []].append((primitive, isOfTask))
      case .endsWait:
        let ended = waits[thread]?.popLast()
        if ended?.isOfTask == true, ended?.primitive != nil { calls[thread]?.hasStoppedWaiting = true }
      }
    }

    private mutating func add(_ event: ExploredLock.Event, _ lock: ExploredLock, _ thread: Int) {
      if lock.isInternal || lock.primitive.kind.has(.isPredicate) { return }
      switch (event, lock.primitive.kind.isLock) {
      case (.willAcquire(let mode), true):
        close(thread)
        calls[thread] = Call(kind: .acquires(mode), lock: lock)
      case (.didAcquire(let mode), true):
        var call = calls.removeValue(forKey: thread) ?? Call(kind: .calls)
        if case .calls = call.kind { call.kind = .acquires(mode ?? .write) }
        guard case .acquires(let mode) = call.kind else { return }
        call.lock = lock
        holders[lock.number, default: [:]][thread] = (mode, call.place)
        words[lock.number, default: []].formUnion(call.words)
        if let last = call.steps.last {
          writeSection(thread, call, at: last.number, "acquires", "enters", mode, isAcquisition: true)
        }
      case (.releases, true):
        close(thread)
        guard let held = holders[lock.number]?.removeValue(forKey: thread) else { return }
        calls[thread] = Call(kind: .releases(held.mode), lock: lock, place: held.place)
      case (.willAcquire, false):
        if calls[thread]?.lock?.primitive.kind.isLock ?? false { close(thread) }
        calls[thread, default: Call(kind: .calls)].lock = lock
      case (.didAcquire, false):
        calls[thread]?.lock = lock
        close(thread)
      case (.releases, false):
        // A primitive that is not a lock reports a release at the end of a wait or of a body. A release
        // during a call that waits for the same primitive belongs to that call.
        if calls[thread]?.lock?.number == lock.number { return }
        if calls[thread]?.lock?.primitive.kind.isLock ?? false { close(thread) }
        calls[thread, default: Call(kind: .ends)].lock = lock
        calls[thread]!.kind = .ends
      }
    }

    private mutating func add(_ step: Step, at index: Int, _ place: Place?) {
      let thread = step.thread
      if case .isSuspended = step.action { return addSuspension(of: thread, at: index, place) }
      if let line = place?.line { lastLines[thread] = line }
      if step.isOfCall {
        if let call = calls[thread], !continues(call, step, place) { close(thread) }
        if calls[thread] == nil, let place, !step.isOfTask {
          // The report omits a step of the call that acquired a lock which the thread still holds. Such a
          // step checks, for example, whether another thread waits.
          if holders.values.contains(where: { $0[thread]?.place?.isSameCall(as: place) ?? false }) { return }
          calls[thread] = Call(kind: .calls)
        }
      } else {
        close(thread)
      }
      guard var call = calls[thread] else {
        switch step.action {
        case .starts, .ends: break
        default: lines.append(Line(step: index, thread: thread, place: place?.line, verb: step.text(names)))
        }
        return
      }
      call.steps.append((index, step.text(names)))
      if call.place == nil { call.place = place }
      if call.place?.function == nil {
        call.place?.function = place?.function
        call.place?.file = place?.file
      }
      if call.place?.line == nil, let place {
        call.place?.line = place.line
        call.place?.column = place.column
      }
      if let word = step.word { call.words.insert(word) }
      if step.isWait, call.wait == nil {
        if case .releases = call.kind { end(call, of: thread, isOver: true) }
        call.wait = wait(of: call, thread)
        write(thread, call, at: index, call.wait!)
      }
      calls[thread] = call
    }

    /// Adds the line about a task that nobody resumes, which awaits at `place`.
    private mutating func addSuspension(of thread: Int, at index: Int, _ place: Place?) {
      let isInPackage = !waits[thread, default: []].isEmpty
      if calls[thread]?.wait != nil { return }
      if !isInPackage { close(thread) }
      var call = calls[thread] ?? Call(kind: .calls)
      call.place = place ?? call.place ?? Place()
      // The stack of a task that awaits another task may have no lines.
      if call.place?.line == nil { call.place?.line = lastLines[thread] }
      if case .releases = call.kind { end(call, of: thread, isOver: true) }
      if isInPackage || call.place?.function != nil { call.wait = wait(of: call, thread) }
      write(thread, call, at: index, call.wait ?? "is suspended")
      if call.wait != nil { calls[thread] = call }
    }

    /// Whether the step belongs to `call`, the thread's current call.
    private func continues(_ call: Call, _ step: Step, _ place: Place?) -> Bool {
      switch call.kind {
      case .acquires: return !call.hasStoppedWaiting
      case _ where step.isOfTask: return false
      case .releases:
        guard let word = step.word, !words[call.lock!.number, default: []].contains(word) else { return true }
        // A step in a slow path may have lost the line of the program.
        return place?.function != nil && (place?.line == nil || place?.line == call.place?.line)
      case .calls, .ends:
        guard let place, let known = call.place else { return place != nil }
        return known.isSameCall(as: place)
      }
    }

    private func wait(of call: Call, _ thread: Int) -> String {
      let predicates = waits[thread, default: []].compactMap(\.primitive).filter { $0.kind.has(.isPredicate) }
      let names = predicates.compactMap { nameOfProtector($0, in: call) }
      if !names.isEmpty { return "waits for a predicate of \(names.joined(separator: " and "))" }
      guard case .acquires = call.kind, let lock = call.lock, lock.primitive.kind.isLock else {
        return "waits in \(words(for: call))"
      }
      let others = holders[lock.number, default: [:]].keys.filter { $0 != thread }.sorted().map { "T\($0)" }
      if others.isEmpty { return "waits for \(name(lock))" }
      return
        "waits for \(name(lock)), which \(others.joined(separator: " and ")) hold\(others.count == 1 ? "s" : "")"
    }

    /// Ends the thread's current call.
    private mutating func close(_ thread: Int) {
      if let call = calls.removeValue(forKey: thread) { end(call, of: thread, isOver: true) }
    }

    private mutating func end(_ call: Call, of thread: Int, isOver: Bool) {
      guard let first = call.steps.first?.number, let last = call.steps.last?.number else { return }
      switch call.kind {
      case .acquires:
        write(
          thread, call, at: isOver ? last : first, isOver ? "gives up waiting for" : "begins to acquire",
          name(call.lock!))
      case .releases(let mode):
        if call.wait == nil { writeSection(thread, call, at: first, "releases", "leaves", mode) }
      case .calls, .ends:
        if call.lock == nil, call.place?.function == nil {
          // A failed attempt to acquire a lock records no event. The call counts as such an attempt if
          // exactly one lock has all the words that the call used.
          let used = locks.keys.filter { words[$0]?.isSuperset(of: call.words) ?? false }
          if used.count == 1, !call.words.isEmpty {
            return write(thread, call, at: first, "tries to acquire", name(locks[used[0]]!))
          }
          for step in call.steps { write(thread, call, at: step.number, step.text) }
          return
        }
        if case .ends = call.kind { return write(thread, call, at: first, "leaves", words(for: call)) }
        if call.wait == nil { write(thread, call, at: first, "calls", words(for: call)) }
        if isOver, first < last { write(thread, call, at: last, "returns from", words(for: call)) }
      }
    }

    private mutating func write(
      _ thread: Int, _ call: Call, at step: Int, _ verb: String, _ object: String = "",
      isAcquisition: Bool = false
    ) {
      var line = Line(step: step, thread: thread, place: call.place?.line, verb: verb, object: object)
      switch call.kind {
      case .acquires, .releases: line.lock = call.lock?.number
      default: break
      }
      line.isAcquisition = isAcquisition
      lines.append(line)
    }

    /// Writes a line about the call's lock: with `verbOfSection` if the lock has read and write sections, and
    /// with `verb` otherwise.
    private mutating func writeSection(
      _ thread: Int, _ call: Call, at step: Int, _ verb: String, _ verbOfSection: String, _ mode: LockMode,
      isAcquisition: Bool = false
    ) {
      let lock = call.lock!
      let isShared = lock.primitive.kind.has(.sharesReads)
      write(
        thread, call, at: step, isShared ? verbOfSection : verb,
        (isShared ? "a \(mode == .read ? "read" : "write") section of " : "") + name(lock),
        isAcquisition: isAcquisition)
    }

    /// Joins adjacent lines: the beginning and the end of a critical section, and the call of a function and
    /// its return.
    private mutating func joinLines() {
      var joined: [Line] = []
      for line in lines {
        guard let last = joined.last, last.thread == line.thread, last.place == line.place else {
          joined.append(line)
          continue
        }
        if last.isAcquisition, last.lock == line.lock {
          joined[joined.count - 1].verb = last.verb == "enters" ? "runs" : "acquires and releases"
          joined[joined.count - 1].isAcquisition = false
        } else if last.verb != "calls" || last.object != line.object
          || !["calls", "returns from"].contains(line.verb)
        {
          joined.append(line)
        }
      }
      lines = joined
    }

    // MARK: Words

    /// The name of the called function.
    ///
    /// If only an inner function is known, the name of the primitive; if that is unknown too, the name of the
    /// file with the function.
    private func words(for call: Call) -> String {
      let function = (call.place?.function ?? "").replacing(#/<[^()]*>/#, with: "")
      if function.contains("("), !function.contains(" ") { return function }
      return call.lock.map(name) ?? call.place?.file ?? "a call"
    }

    /// The name of the protector with this primitive of its predicates; `nil` if code of this package made it
    /// for its own use.
    private func nameOfProtector(_ predicate: Primitive, in call: Call) -> String? {
      if SourceLines.isOfPackage(predicate.lockClass.file) { return nil }
      func isOfPredicate(_ lock: ExploredLock) -> Bool {
        lock.primitive != predicate && lock.primitive.part(predicate.kind) == predicate
      }
      if let lock = call.lock, isOfPredicate(lock) { return name(lock) }
      let others = locks.values.filter(isOfPredicate)
      guard let lock = others.first else { return nil }
      return others.count == 1 ? name(lock) : nameOfOne(lock)
    }

    private func name(_ lock: ExploredLock) -> String {
      let primitive = lock.primitive
      let others = alike[primitive, default: []]
      return nameOfOne(lock, others.count > 1 ? " #\(others.firstIndex(of: lock.number)! + 1)" : "")
    }

    /// The name that all locks with the same `Primitive` have, with a number that tells them apart.
    private func nameOfOne(_ lock: ExploredLock, _ number: String = "") -> String {
      let primitive = lock.primitive
      let origin = primitive.lockClass.hasLabel ? "" : primitive.origin.map { " \($0)" } ?? ""
      return primitive.name + number + origin
    }
  }

  extension ExploredLock {
    /// Whether code of this package made the lock for its own use, so that reports leave it out.
    fileprivate var isInternal: Bool { SourceLines.isOfPackage(primitive.lockClass.file) }
  }
#endif
