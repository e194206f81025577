import Protectors

final class Document {
  var edits = 0
}

func open(in documents: ExclusiveProtector<[Document]>) {
  documents.withWriteLock { $0.append(Document()) }
}
