import CaseSupport
import Foundation

struct File: ~Copyable {
  consuming func close() {}
}

final class Shared: @unchecked Sendable {
  let lock = makePthreadLock()
  var file = File()

  func close() {
    pthread_rwlock_wrlock(lock)
    file.close()
    // error: cannot consume noncopyable stored property 'self.file' of a class
    pthread_rwlock_unlock(lock)
  }
}
