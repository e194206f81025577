import Protectors

final class Document {
  var edits = 0
}

func open(in documents: ExclusiveProtector<[Document]>) {
  let document = Document()
  document.edits = 1
  documents.withLock(sending: document) { documents, document in documents.append(document) }
}
