import Snapshots

private let numbers = Snapshot([1, 2, 3])

/// The number of the published numbers; makes the calling thread a reader.
@c public func plugin_count() -> Int { numbers.withCurrent { $0.count } }

/// Replaces the numbers, which a thread of the library then frees.
@c public func plugin_publish() { numbers.publish([]) }
