import CaseSupport
import Foundation

final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  private let lock = makePthreadLock()
  private let storage = Document()

  var current: Document {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return storage
  }
}

@main enum Program {
  static func main() {
    let shared = Shared()
    let document = shared.current
    let edits = document.edits
    onAnotherThread { shared.current.edits += 1 }
    document.edits = edits + 1
    conclude(document.edits, shouldBe: 2)
  }
}
