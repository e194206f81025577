final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  let lock = PeerLock()
  let document = Document()
}

func run() {
  let shared = Shared()
  let inside = Gate()
  let changed = Gate()
  var kept: Document?
  shared.lock.withLock { kept = shared.document }
  let end = startThread {
    shared.lock.withLock {
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
  conclude(shared.lock.withLock { shared.document.edits }, shouldBe: 2)
}
