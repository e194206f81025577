import Protectors
import ReadWriteLocks
import Testing
import UnfairLocks

/// Functions that forward a caller's closure to a lock or a protector.
///
/// They are declared as in libraries for metrics, logging and event loops, which wrap `NSLock` and
/// `pthread_rwlock_t`.
private final class Wrapper<State: Sendable>: Sendable {
  private let lock = UnfairLock()
  private let readWriteLock = CompactReadWriteLock()
  private let state: ExclusiveProtector<State>
  private let shared: Protector<State>

  init(_ state: State) {
    self.state = ExclusiveProtector(state)
    shared = Protector(state)
  }

  func withLock<T>(_ body: () throws -> T) rethrows -> T { try lock.withLock(body) }

  func withReaderLock<T>(_ body: () throws -> T) rethrows -> T { try readWriteLock.withReadLock(body) }

  func withWriterLock<T>(_ body: () throws -> T) rethrows -> T { try readWriteLock.withWriteLock(body) }

  func withWriterLockVoid(_ body: () throws -> Void) rethrows { try readWriteLock.withWriteLock(body) }

  func withState<T>(_ body: (inout State) throws -> T) rethrows -> T { try state.withLock(body) }

  func reading<T>(_ body: (State) throws -> T) rethrows -> T { try shared.withReadLock(body) }

  func writing<T>(_ body: (inout State) throws -> T) rethrows -> T { try shared.withWriteLock(body) }
}

@Suite struct ForwardingTests {
  private final class NotSendable {}

  @Test func resultsThatAreNotSendableArePassedOn() {
    let wrapper = Wrapper(1)
    let object = NotSendable()
    #expect(wrapper.withLock { object } === object)
    #expect(wrapper.withReaderLock { object } === object)
    #expect(wrapper.withWriterLock { object } === object)
    #expect(wrapper.withState { _ in object } === object)
    #expect(wrapper.reading { _ in object } === object)
    #expect(wrapper.writing { _ in object } === object)
  }
}
