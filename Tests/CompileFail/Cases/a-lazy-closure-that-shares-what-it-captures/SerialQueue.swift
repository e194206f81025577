import Dispatch

final class Words {
  var all: [String] = []
}

func count(_ queue: DispatchQueue) {
  let words = Words()
  queue.async { print(words.all.count) }
  // error: capture of 'words' with non-Sendable type 'Words' in a '@Sendable' closure
  words.all.append("lock")
}
