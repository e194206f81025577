import AtomicProperties

final class Document: Sendable {
  let edits = 0
}

let current = AtomicProperty(Document())
