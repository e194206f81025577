import Protectors

final class Document {
  var edits = 0
}

func share() -> ExclusiveProtector<Document> {
  let document = Document()
  document.edits += 1
  let shared = ExclusiveProtector(document)
  return shared
}
