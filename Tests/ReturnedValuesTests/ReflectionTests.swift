import Interlock
import Testing

/// `dump`, a debugger and a failed expectation reflect objects without their locks.
@Suite struct ReflectionTests {
  private final class Observer {}

  @Test func noGuardedValueIsReachable() async {
    let protector = Protector("secret")
    var values = protector.values(of: { $0 }).makeAsyncIterator()
    _ = await values.next()
    let observers = WeakObservers<Observer>()
    let observer = Observer()
    observers.add(whileAlive: observer)
    let guarded: [Any] = [
      protector, ExclusiveProtector("secret"), AtomicProperty("secret"), QueueProperty("secret"),
      AsyncMutex("secret"), Snapshot("secret"), Lazy { "secret" }, observers,
      // What waits is guarded, too.
      values, protector.condition { $0.isEmpty }, DispatchReadWriteLock(),
    ]
    for object in guarded {
      var text = ""
      dump(object, to: &text)
      #expect(!text.contains("secret"), "\(text)")
      #expect(Mirror(reflecting: object).children.isEmpty, "\(text)")
    }
    withExtendedLifetime(observer) {}
  }
}
