import CaseSupport
import Dispatch

final class Document {
  var edits = 0
}

final class Documents: @unchecked Sendable {
  let queue = DispatchQueue(label: "documents")
  var all: [Document] = []
}

@main enum Program {
  static func main() {
    let document = Document()
    let documents = Documents()
    documents.queue.sync { documents.all.append(document) }
    let inside = Gate()
    let changed = Gate()
    let end = startThread {
      documents.queue.sync {
        let edits = documents.all[0].edits
        inside.open()
        changed.pass()
        documents.all[0].edits = edits + 1
      }
    }
    inside.pass()
    document.edits += 1
    changed.open()
    end.pass()
    conclude(document.edits, shouldBe: 2)
  }
}
