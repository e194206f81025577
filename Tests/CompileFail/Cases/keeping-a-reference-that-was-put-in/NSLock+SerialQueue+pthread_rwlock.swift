final class Document {
  var edits = 0
}

final class Shared: @unchecked Sendable {
  let lock = PeerLock()
  let document: Document

  init(_ document: Document) { self.document = document }
}

func run() {
  let document = Document()
  let shared = Shared(document)
  let inside = Gate()
  let changed = Gate()
  let end = startThread {
    shared.lock.withLock {
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
