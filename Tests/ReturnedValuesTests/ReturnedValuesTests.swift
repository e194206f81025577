import Interlock
import Synchronization
import TestSupport
import Testing

/// A lock as a client may write it: a plain store ends its sections, which are inlined.
private struct OwnLock: ~Copyable, ReadWriteLock {
  private let word = Atomic(false)

  @unsafe static func unsafePromiseOfExclusion() {
    // All sections exclude one another.
  }

  @inline(__always)
  func withReadLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    try withWriteLock(body)
  }

  @inline(__always)
  func withWriteLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> sending R) throws(E) -> sending R {
    while !word.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      PlatformThread.yield()
    }
    defer { word.store(false, ordering: .releasing) }
    return try body()
  }
}

/// What a read returns stays alive, whatever other threads make of the place that it was read from.
///
/// The reads are written as a client writes them, in a module that is optimized together with what it inlines:
/// the optimizer may move a retain only as far as the primitives let it. `.ci/run release` runs these tests
/// optimized, because a debug build moves nothing.
@Suite(.serialized) struct ReturnedValuesTests {
  @Test func ofAnObject() { stress(Box.self) }
  @Test func ofAnArray() { stress([Int].self) }
  @Test func ofAString() { stress(String.self) }
  @Test func ofAnExistential() { stress(Existential.self) }
  @Test func ofAStruct() { stress(Named.self) }

  /// Three threads read as each function does, and one replaces what they read.
  ///
  /// Inlined, so that the closures are compiled for the type of the value.
  @inline(__always)
  func stress<Value: Returned>(_: Value.Type) {
    let first = Value(number: 0)

    let protector = Protector(first)
    stress("withReadLock", { protector.withReadLock { $0 } }) { new in protector.withWriteLock { $0 = new } }
    stress("exchange", { protector.withReadLock { $0 } }) { _ = protector.exchange($0) }
    stress("Protector.value", { protector.value }) { new in protector.withWriteLock { $0 = new } }
    let path: any KeyPath<Value, Value> & Sendable = \.self
    stress("a key path", { protector.withReadLock { $0[keyPath: path] } }) { new in
      protector.withWriteLock { $0 = new }
    }
    stress("waitingUntil", { protector.withReadLock(waitingUntil: { _ in true }) { $0 } }) { new in
      protector.withWriteLock { $0 = new }
    }

    let spinning = LockProtector(first, lock: SpinReadWriteLock())
    stress("a spinning lock", { spinning.withReadLock { $0 } }) { new in spinning.withWriteLock { $0 = new } }
    let counting = LockProtector(first, lock: CompactReadWriteLock())
    stress("a compact lock", { counting.withReadLock { $0 } }) { new in counting.withWriteLock { $0 = new } }
    let own = LockProtector(first, lock: OwnLock())
    stress("a client's lock", { own.withReadLock { $0 } }) { new in own.withWriteLock { $0 = new } }
    let exclusive = ExclusiveProtector(first)
    stress("ExclusiveProtector", { exclusive.withLock { $0 } }) { new in exclusive.withLock { $0 = new } }

    let snapshot = Snapshot(first)
    stress("current", { snapshot.current }) { snapshot.publish($0) }
    stress("withCurrent", { snapshot.withCurrent { $0 } }) { snapshot.publish($0) }

    let property = AtomicProperty(first)
    stress("AtomicProperty", { property.value }) { property.value = $0 }

    let owner = AtomicProperty(Owner<Value>(number: 0))
    stress(
      "whileActive",
      { [owner] in
        let owner = owner.value
        return owner.lifecycle.whileActive { owner.value } ?? nil
      }
    ) { (_: Value) in owner.exchange(Owner(number: 1)).end() }
    owner.value.end()

    let lazy = Protector(Lazy { Value(number: 1) })
    stress("Lazy", { lazy.withReadLock { $0 }.value }) { new in lazy.withWriteLock { $0 = Lazy { new } } }
  }

  @inline(__always)
  private func stress<Value: Returned>(
    _ name: String, _ read: @Sendable () -> Value?, _ write: @Sendable (Value) -> Void
  ) {
    let reads = StressSize.pick(quick: 3_000, full: 2_000_000)
    let hasEnded = RelaxedFlag()
    let torn = race(threads: 4) { index -> Int in
      if index == 0 {
        var number = 0
        while !hasEnded.isSet {
          number += 1
          write(Value(number: number))
          // Rare writes let the lock stay biased, and give readers that are preempted time to lose.
          PlatformThread.yield()
        }
        return 0
      }
      defer { hasEnded.set() }
      var torn = 0
      for _ in 0..<reads {
        guard let value = read() else { continue }
        if !value.isWhole { torn += 1 }
      }
      return torn
    }
    #expect(torn == [0, 0, 0, 0], "\(name)")
  }

  @Test func ofANoncopyableValue() {
    let protector = Protector(Box(number: 0))
    let snapshot = Snapshot(Box(number: 0))
    stress("withReadLock", { protector.withReadLock { Handle(box: $0) }.box }) { new in
      protector.withWriteLock { $0 = new }
    }
    stress("withCurrent", { snapshot.withCurrent { Handle(box: $0) }.box }) { snapshot.publish($0) }
  }

  @Test func ofASequenceOfValues() async {
    await whileAThreadWrites { protector, count in
      var torn = 0
      for await name in protector.values(of: { $0 }).prefix(count) where !name.isWhole { torn += 1 }
      return torn
    }
  }

  /// The fast path of such a wait is inlined, so the optimizer sees its section.
  @Test func ofAWaitOfATask() async {
    await whileAThreadWrites { protector, count in
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<3 {
          group.addTask {
            var torn = 0
            for _ in 0..<20 * count {
              let name = try? await protector.withReadLock(waitingUntil: { _ in true }) { $0 }
              if name?.isWhole != true { torn += 1 }
            }
            return torn
          }
        }
        return await group.reduce(0, +)
      }
    }
  }

  /// Sending and receiving are inlined, too.
  @Test func ofAMailbox() async {
    let mailbox = Mailbox<Named>(capacity: 4)
    let count = StressSize.pick(quick: 3_000, full: 300_000)
    let torn = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for number in 0..<count { _ = try? await mailbox.send(Named(number: number)) }
          return 0
        }
        group.addTask {
          var torn = 0
          for _ in 0..<count where (try? await mailbox.receive())?.isWhole != true { torn += 1 }
          return torn
        }
      }
      return await group.reduce(0, +)
    }
    #expect(torn == 0)
  }

  private func whileAThreadWrites(_ read: (_ protector: Protector<Named>, _ count: Int) async -> Int) async {
    let protector = Protector(Named(number: 0))
    let hasEnded = RelaxedFlag()
    let writer = Task {
      await onAThread {
        var number = 0
        while !hasEnded.isSet {
          number += 1
          let new = Named(number: number)
          protector.withWriteLock { $0 = new }
          PlatformThread.yield()
        }
      }
    }
    let torn = await read(protector, StressSize.pick(quick: 3_000, full: 300_000))
    hasEnded.set()
    await writer.value
    #expect(torn == 0)
  }
}
