import Protectors

struct Cache: Sendable {
  var isStale = true
  mutating func refresh() { isStale = false }
}
let cache = Protector(Cache())
