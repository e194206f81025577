import Foundation

struct File: ~Copyable {
  let descriptor: Int
}

final class Shared: @unchecked Sendable {
  let lock = makePthreadLock()
  var file = File(descriptor: 1)

  func take() -> Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    let file = self.file
    // error: 'self.file' is borrowed and cannot be consumed
    return file.descriptor
  }
}
