import Snapshots

final class Cache: Sendable {
  let hits = 0
}

final class Server: Sendable {
  let cache = Snapshot(Cache())
}
