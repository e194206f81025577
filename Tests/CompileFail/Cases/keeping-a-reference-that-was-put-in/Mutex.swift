import Synchronization

func share(_ body: (borrowing Mutex<Document>) -> Void) {
  let document = Document()
  let shared = Mutex(document)
  // error: sending 'document' risks causing data races
  document.edits += 1
  body(shared)
}
