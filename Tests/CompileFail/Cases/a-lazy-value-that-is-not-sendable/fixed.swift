import LazyInitialization

final class Cache: Sendable {
  let hits = 0
}

let cache = Lazy { Cache() }
