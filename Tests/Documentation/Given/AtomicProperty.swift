import AtomicProperties

final class Lock: Sendable {
  func withLock(_ body: () -> Int) -> Int { body() }
  func withLock(_ body: () -> Void) { body() }
}
let lock = Lock()
nonisolated(unsafe) var storage = 0
