import Foundation

nonisolated(unsafe) let lock = makePthreadLock()
nonisolated(unsafe) var current = Session(0)
nonisolated(unsafe) var ended = 0

final class Session: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  deinit {
    pthread_rwlock_wrlock(lock)
    ended += 1
    pthread_rwlock_unlock(lock)
  }
}

func run() {
  pthread_rwlock_wrlock(lock)
  current = Session(1)
  // It has given way: the deinit has unlocked what this thread holds.
  let before = ended
  onAnotherThread {
    pthread_rwlock_wrlock(lock)
    ended += 1
    pthread_rwlock_unlock(lock)
  }
  ended = before + 1
  pthread_rwlock_unlock(lock)
  conclude(ended, shouldBe: 3)
}
