import CaseSupport
import Dispatch

final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  private let queue = DispatchQueue(label: "document")
  private let storage = Document()

  var current: Document {
    queue.sync { storage }
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
