import AtomicProperties

final class Statistics: Sendable {
  let hits = AtomicProperty(0)
}
