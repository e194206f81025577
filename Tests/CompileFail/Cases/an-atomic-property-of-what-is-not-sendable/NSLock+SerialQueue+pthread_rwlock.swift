final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  private let lock = PeerLock()
  private let storage = Document()

  var current: Document {
    lock.withLock { storage }
  }
}

func run() {
  let shared = Shared()
  let document = shared.current
  let edits = document.edits
  onAnotherThread { shared.current.edits += 1 }
  document.edits = edits + 1
  conclude(document.edits, shouldBe: 2)
}
