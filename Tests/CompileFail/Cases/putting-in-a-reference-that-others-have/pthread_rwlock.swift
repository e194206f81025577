import CaseSupport
import Foundation

final class Document {
  var edits = 0
}

final class Documents: @unchecked Sendable {
  let lock = makePthreadLock()
  var all: [Document] = []
}

@main enum Program {
  static func main() {
    let document = Document()
    let documents = Documents()
    pthread_rwlock_wrlock(documents.lock)
    documents.all.append(document)
    pthread_rwlock_unlock(documents.lock)
    let inside = Gate()
    let changed = Gate()
    let end = startThread {
      pthread_rwlock_wrlock(documents.lock)
      let edits = documents.all[0].edits
      inside.open()
      changed.pass()
      documents.all[0].edits = edits + 1
      pthread_rwlock_unlock(documents.lock)
    }
    inside.pass()
    document.edits += 1
    changed.open()
    end.pass()
    conclude(document.edits, shouldBe: 2)
  }
}
