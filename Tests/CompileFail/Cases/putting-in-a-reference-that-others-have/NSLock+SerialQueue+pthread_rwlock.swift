final class Document {
  var edits = 0
}

final class Documents: @unchecked Sendable {
  let lock = PeerLock()
  var all: [Document] = []
}

func run() {
  let document = Document()
  let documents = Documents()
  documents.lock.withLock { documents.all.append(document) }
  let inside = Gate()
  let changed = Gate()
  let end = startThread {
    documents.lock.withLock {
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
