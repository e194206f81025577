import Synchronization

final class Shared: Sendable {
  private let storage = Mutex(Document())

  var current: Document {
    storage.withLock { $0 }
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
