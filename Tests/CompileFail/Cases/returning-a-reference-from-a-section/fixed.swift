import CaseSupport
import Protectors

final class Document {
  var edits = 0
}

@main enum Program {
  static func main() {
    let shared = ExclusiveProtector(Document())
    let inside = Gate()
    let changed = Gate()
    let end = startThread {
      shared.withWriteLock { document in
        let edits = document.edits
        inside.open()
        changed.pass()
        document.edits = edits + 1
      }
    }
    inside.pass()
    changed.open()
    shared.withWriteLock { $0.edits += 1 }
    end.pass()
    conclude(shared.withWriteLock { $0.edits }, shouldBe: 2)
  }
}
