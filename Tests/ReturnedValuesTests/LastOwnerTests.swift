import Interlock
import TestSupport
import Testing

/// A read through the last reference to the owner of a place returns a value that still exists: the owner's life,
/// which the optimizer may end after its last use, ends after the read.
@Suite struct LastOwnerTests {
  private final class Owner: Sendable {
    let cell: OnceCell<Tracked>
    let lazy: Lazy<Tracked>
    let protector: Protector<Tracked>
    let exclusive: ExclusiveProtector<Tracked>
    let snapshot: Snapshot<Tracked>
    let property: AtomicProperty<Tracked>
    let mutex: AsyncMutex<Tracked>
    let mailbox = Mailbox<Tracked>(capacity: 1)

    init(_ value: Tracked) {
      cell = OnceCell(value)
      lazy = Lazy { value }
      protector = Protector(value)
      exclusive = ExclusiveProtector(value)
      snapshot = Snapshot(value)
      property = AtomicProperty(value)
      mutex = AsyncMutex(value)
      _ = lazy.value
      _ = mailbox.sendIfRoom(value)
    }
  }

  /// A cache with one owner, which `take` removes.
  private final class Cache {
    let lifetimes = Lifetimes()
    private var owner: Owner?

    init() { owner = Owner(Tracked(lifetimes)) }

    @inline(never) func take() -> Owner { owner.take()! }
  }

  @inline(never) private func expectAlive(_ read: (Cache) -> Tracked?) {
    let cache = Cache()
    let value = read(cache)
    #expect(cache.lifetimes.alive == 1 && value != nil)
    withExtendedLifetime(value) {}
  }

  @Test func ofACell() {
    expectAlive { $0.take().cell.withValue { $0 } }
  }

  @Test func ofACellThatMayBeEmpty() {
    expectAlive { $0.take().cell.withValue(orInitialize: { fatalError() }) { $0 } }
  }

  @Test func ofACellsCopy() {
    expectAlive { $0.take().cell.value }
  }

  @Test func ofACopyOfACellThatMayBeEmpty() {
    expectAlive { $0.take().cell.value { fatalError() } }
  }

  @Test func ofACellInATask() async throws {
    let cache = Cache()
    let value = try await cache.take().cell.value { () async in fatalError() }
    #expect(cache.lifetimes.alive == 1)
    withExtendedLifetime(value) {}
  }

  @Test func ofAMutex() async {
    let cache = Cache()
    let value = await cache.take().mutex.withLock { $0 }
    #expect(cache.lifetimes.alive == 1)
    withExtendedLifetime(value) {}
  }

  @Test func ofAMailbox() async {
    let cache = Cache()
    let value = try? await cache.take().mailbox.receive()
    #expect(cache.lifetimes.alive == 1)
    withExtendedLifetime(value) {}
  }

  @Test func ofALazyValue() {
    expectAlive { $0.take().lazy.value }
  }

  @Test func ofAProtector() {
    expectAlive { $0.take().protector.withReadLock { $0 } }
    expectAlive { $0.take().protector.withWriteLock { $0 } }
    expectAlive { $0.take().exclusive.withLock { $0 } }
    expectAlive { $0.take().protector.withReadLock(waitingUntil: { _ in true }) { $0 } }
    expectAlive { try! $0.take().protector.withWriteLock(timeout: .seconds(60)) { $0 } }
    let other = ExclusiveProtector(0)
    expectAlive { withWriteLocks($0.take().protector, other) { value, _ in value } }
    expectAlive {
      withWriteLocks($0.take().protector, other, waitingUntil: { _, _ in true }) { value, _ in value }
    }
  }

  @Test func ofASnapshot() {
    expectAlive { $0.take().snapshot.withCurrent { $0 } }
    expectAlive { $0.take().snapshot.current }
  }

  @Test func ofAProperty() {
    expectAlive { $0.take().property.value }
  }
}
