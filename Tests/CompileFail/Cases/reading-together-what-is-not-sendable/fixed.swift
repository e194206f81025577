import Protectors

final class Cache {
  private(set) var hits = 0

  func find() { hits += 1 }
}

func find(in cache: Protector<Cache>) {
  cache.withWriteLock { $0.find() }
}
