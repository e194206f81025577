import Counters
import Interlock

/// Makes what a thread keeps for locks.
func useLocks() {
  let protector = Protector(0)
  protector.withReadLock { _ in }
  protector.withWriteLock { $0 += 1 }
  UnfairLock().withLock {}
}

/// A lock in an object, which threads share.
final class Boxed<Lock: RawLock & ~Copyable>: Sendable {
  let lock: Lock
  init(_ lock: consuming Lock) { self.lock = lock }
}

/// Biases the lock: the first sampled read does.
func bias(_ lock: borrowing BiasedReadWriteLock) {
  for _ in 0..<2_100 { lock.withReadLock {} }
}

func exclusive<Lock: Excluding & ~Copyable>(_ name: String, _ make: () -> Lock) {
  scenario("\(name): 100 sections") { costs in
    let lock = make()
    costs.of { for _ in 0..<100 { lock.exclusively {} } }
  }
  for count in [1, 10, 100] {
    scenario("\(name): \(count) wait for a section") { costs in
      let box = Boxed(make())
      let crew = Crew(count) { _ in box.lock.exclusively {} }
      costs.of(passes: count) {
        box.lock.exclusively { crew.go() }
        crew.join()
      }
    }
  }
  scenario("\(name): an attempt in a section of another thread, and a timeout of 2 s there") { costs in
    let box = Boxed(make())
    let crew = Crew(1) { _ in
      _ = tryWriting(box.lock, for: .zero)
      skippingWaits { _ = tryWriting(box.lock, for: .seconds(2)) }
    }
    costs.of {
      box.lock.exclusively {
        crew.goAll()
        crew.join()
      }
    }
  }
}

func shared<Lock: RawReadWriteLock & Excluding & ~Copyable>(
  _ name: String, sleepsOfWriter: Recorded = .exactly, wokenWriters: Recorded = .exactly, _ make: () -> Lock
) {
  scenario("\(name): 100 reads") { costs in
    let lock = make()
    costs.of { for _ in 0..<100 { lock.withReadLock {} } }
  }
  scenario("\(name): 100 nested reads") { costs in
    let lock = make()
    lock.withReadLock {
      costs.of { for _ in 0..<100 { lock.withReadLock {} } }
    }
  }
  for count in [1, 10, 100] {
    scenario("\(name): \(count) wait to read") { costs in
      let box = Boxed(make())
      let crew = Crew(count) { _ in box.lock.withReadLock {} }
      costs.of(passes: count) {
        box.lock.withWriteLock { crew.go() }
        crew.join()
      }
    }
  }
  scenario("\(name): a writer waits for a reader", [.sleeps: sleepsOfWriter, .wokenTogether: wokenWriters]) {
    costs in
    let box = Boxed(make())
    let crew = Crew(1) { _ in box.lock.withWriteLock {} }
    costs.of {
      box.lock.withReadLock { crew.go() }
      crew.join()
    }
  }
  scenario("\(name): a writer gives up behind a reader after 2 s") { costs in
    let box = Boxed(make())
    let crew = Crew(1) { _ in skippingWaits { _ = tryWriting(box.lock, for: .seconds(2)) } }
    costs.of {
      box.lock.withReadLock {
        crew.goAll()
        crew.join()
      }
    }
  }
}

/// Runs `body` while each timed wait of the calling thread ends at once, at its deadline.
func skippingWaits(_ body: () -> Void) {
  costs_skip_waits(1)
  body()
  costs_skip_waits(0)
}

func lockScenarios() {
  exclusive("UnfairLock") { UnfairLock() }
  exclusive("CompactReadWriteLock") { CompactReadWriteLock() }
  shared("CompactReadWriteLock") { CompactReadWriteLock() }
  exclusive("BiasedReadWriteLock") { BiasedReadWriteLock() }
  shared("BiasedReadWriteLock, counted") { BiasedReadWriteLock() }
  // A sleep of the writer has a bound, so it may be awake when it is woken.
  shared("BiasedReadWriteLock, in slots", sleepsOfWriter: .no, wokenWriters: .no) {
    let lock = BiasedReadWriteLock()
    bias(lock)
    return lock
  }
}
