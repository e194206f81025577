import Dispatch

final class Words {
  var all: [String] = []
}

func read(_ words: Words, on queue: DispatchQueue) {
  queue.async { words.all.append("lock") }
  // error: capture of 'words' with non-Sendable type 'Words' in a '@Sendable' closure
}
