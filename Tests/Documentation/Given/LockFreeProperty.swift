import AtomicProperties
import Synchronization

final class Word: Sendable {
  private let word = Atomic(0)
  func load(ordering: AtomicLoadOrdering) -> Int { word.load(ordering: .relaxed) }
  func store(_ value: Int, ordering: AtomicStoreOrdering) { word.store(value, ordering: .relaxed) }
}
let atomic = Word()
