import AtomicProperties

final class Statistics: Sendable {
  let hits = AtomicProperty(0)

  func record() {
    hits.value += 1
  }
}
