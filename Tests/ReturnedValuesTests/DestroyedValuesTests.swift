import Interlock
import TestSupport
import Testing

/// Each box destroys its value and its lock, in a client whose optimizer has specialized it for a type with a `deinit`.
@Suite struct DestroyedValuesTests {
  /// A lock that has something to destroy.
  private struct TrackedLock: ~Copyable, ReadWriteLock {
    private let lock = CompactReadWriteLock()
    private let token: TrackedToken

    init(_ lifetimes: Lifetimes) { token = TrackedToken(lifetimes) }

    // Sound: each section is one of `lock`.
    @unsafe static func unsafePromiseOfExclusion() {}

    borrowing func withReadLock<R: ~Copyable, E: Error>(
      _ body: () throws(E) -> sending R
    ) throws(E) -> sending R {
      try lock.withReadLock(body)
    }

    borrowing func withWriteLock<R: ~Copyable, E: Error>(
      _ body: () throws(E) -> sending R
    ) throws(E) -> sending R {
      try lock.withWriteLock(body)
    }
  }

  @inline(never) private func expectDestroyed(_ use: (Lifetimes) -> Void) {
    let lifetimes = Lifetimes()
    use(lifetimes)
    #expect(lifetimes.alive == 0 && lifetimes.made > 0)
  }

  @Test func byAProtectorWithEachLock() {
    expectDestroyed { Protector(TrackedToken($0)).withWriteLock { _ in } }
    expectDestroyed { ExclusiveProtector(TrackedToken($0)).withLock { _ in } }
    expectDestroyed { LockProtector(TrackedToken($0), lock: CompactReadWriteLock()).withWriteLock { _ in } }
    expectDestroyed { LockProtector(TrackedToken($0), lock: SpinReadWriteLock()).withWriteLock { _ in } }
    expectDestroyed { LockProtector(TrackedToken($0), lock: PosixReadWriteLock()).withWriteLock { _ in } }
    expectDestroyed { LockProtector(TrackedToken($0), lock: DispatchReadWriteLock()).withWriteLock { _ in } }
  }

  @Test func withTheirLocks() {
    expectDestroyed { LockProtector(1, lock: TrackedLock($0)).withWriteLock { $0 += 1 } }
    expectDestroyed { LockProtector(TrackedToken($0), lock: TrackedLock($0)).withReadLock { _ in } }
  }

  @Test func byCells() {
    expectDestroyed { _ = OnceCell<TrackedToken>().set(TrackedToken($0)) }
    expectDestroyed { OnceCell(TrackedToken($0)).withValue { _ in } }
    expectDestroyed { lifetimes in _ = Lazy { Tracked(lifetimes) }.value }
    expectDestroyed { lifetimes in
      let tracked = Tracked(lifetimes)
      _ = Lazy { tracked }
    }
  }

  @Test func byProperties() {
    expectDestroyed { AtomicProperty(Tracked($0)).value = Tracked($0) }
    expectDestroyed { _ = QueueProperty(Tracked($0)).value }
  }

  @Test func byMailboxes() {
    expectDestroyed { _ = Mailbox<Tracked>(capacity: 2).sendIfRoom(Tracked($0)) }
    expectDestroyed {
      let mailbox = Mailbox<Tracked>(capacity: 2)
      _ = mailbox.sendIfRoom(Tracked($0)) && mailbox.sendIfRoom(Tracked($0))
      mailbox.finish()
    }
  }

  @Test func byAMutex() async {
    let lifetimes = Lifetimes()
    await AsyncMutex(TrackedToken(lifetimes)).withLock { _ in await Task.yield() }
    #expect(lifetimes.alive == 0 && lifetimes.made == 1)
  }

  @TaskLocal private static var number = 0

  @Test func inScopesOfTaskLocalsAndSeveralAsyncLets() async throws {
    let lifetimes = Lifetimes()
    do {
      let mutex = AsyncMutex([Tracked]())
      let mailbox = Mailbox<Tracked>(capacity: 1)
      for number in 1...200 {
        try await Self.$number.withValue(number) {
          async let first: Void = mutex.withLock { $0 = [Tracked(lifetimes)] }
          async let second = mailbox.receive()
          async let third = mailbox.send(Tracked(lifetimes))
          async let last = mutex.withLock { _ in Self.number }
          let results = try await (first, second != nil, third, last)
          #expect(results.1 && results.2 && results.3 == number)
        }
      }
    }
    #expect(lifetimes.alive == 0 && lifetimes.made == 400)
  }
}
