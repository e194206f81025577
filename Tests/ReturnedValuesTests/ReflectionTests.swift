import Interlock
import Testing

/// `dump`, a debugger and a failed expectation reflect objects without their locks.
@Suite struct ReflectionTests {
  private final class Observer {}

  @Test func noGuardedValueIsReachable() {
    let observers = WeakObservers<Observer>()
    let observer = Observer()
    observers.observe(whileAlive: observer)
    let guarded: [Any] = [
      Protector("secret"), ExclusiveProtector("secret"), AtomicProperty("secret"), QueueProperty("secret"),
      AsyncMutex("secret"), Snapshot("secret"), Lazy { "secret" }, observers,
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
