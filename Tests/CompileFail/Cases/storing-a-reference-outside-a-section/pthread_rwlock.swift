import CaseSupport
import Foundation

final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  let lock = makePthreadLock()
  let document = Document()

  func withLock<R>(_ body: () -> R) -> R {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body()
  }
}

@main enum Program {
  static func main() {
    let shared = Shared()
    let inside = Gate()
    let changed = Gate()
    var kept: Document?
    shared.withLock { kept = shared.document }
    let end = startThread {
      shared.withLock {
        let edits = shared.document.edits
        inside.open()
        changed.pass()
        shared.document.edits = edits + 1
      }
    }
    inside.pass()
    kept?.edits += 1
    changed.open()
    end.pass()
    conclude(shared.withLock { shared.document.edits }, shouldBe: 2)
  }
}
