import Synchronization

final class Shared: Sendable {
  let document = Mutex(Document())
}

func run() {
  let shared = Shared()
  let inside = Gate()
  let changed = Gate()
  let document = shared.document.withLock { $0 }
  let end = startThread {
    shared.document.withLock { document in
      let edits = document.edits
      inside.open()
      changed.pass()
      document.edits = edits + 1
    }
  }
  inside.pass()
  document.edits += 1
  changed.open()
  end.pass()
  conclude(shared.document.withLock { $0.edits }, shouldBe: 2)
}
