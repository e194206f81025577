import CaseSupport
import Dispatch

final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  let queue = DispatchQueue(label: "document")
  let document = Document()
}

@main enum Program {
  static func main() {
    let shared = Shared()
    let inside = Gate()
    let changed = Gate()
    let document = shared.queue.sync { shared.document }
    let end = startThread {
      shared.queue.sync {
        let edits = shared.document.edits
        inside.open()
        changed.pass()
        shared.document.edits = edits + 1
      }
    }
    inside.pass()
    document.edits += 1
    changed.open()
    end.pass()
    conclude(shared.queue.sync { shared.document.edits }, shouldBe: 2)
  }
}
