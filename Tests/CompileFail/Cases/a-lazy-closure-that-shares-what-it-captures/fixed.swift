import LazyInitialization

final class Words {
  var all: [String] = []
}

func count() -> Lazy<Int> {
  let words = Words()
  words.all.append("lock")
  let count = Lazy { words.all.count }
  return count
}
