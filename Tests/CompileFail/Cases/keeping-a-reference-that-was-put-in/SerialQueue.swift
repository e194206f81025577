import CaseSupport
import Dispatch

final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  let queue = DispatchQueue(label: "document")
  let document: Document

  init(_ document: Document) { self.document = document }
}

@main enum Program {
  static func main() {
    let document = Document()
    let shared = Shared(document)
    let inside = Gate()
    let changed = Gate()
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
    conclude(document.edits, shouldBe: 2)
  }
}
