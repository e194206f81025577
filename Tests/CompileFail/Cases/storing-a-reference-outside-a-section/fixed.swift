import Protectors

final class Document {
  var edits = 0
}

func edit(_ shared: ExclusiveProtector<Document>) {
  shared.withWriteLock { $0.edits += 1 }
}
