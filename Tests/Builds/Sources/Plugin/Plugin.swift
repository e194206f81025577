import ContentionProfiles
import Snapshots

private final class Numbers: Sendable {
  let all: [Int]

  init(_ all: [Int]) { self.all = all }
}

private let numbers = Snapshot(Numbers([1, 2, 3]))

/// Calls `body` while the calling thread reads the published numbers; returns their count, or 0 if they were freed.
@c public func plugin_read(_ body: @convention(c) () -> Void) -> Int {
  numbers.withCurrent { current in
    weak let read = current
    body()
    return read?.all.count ?? 0
  }
}

/// Replaces the numbers, which a thread of the library then frees.
@c public func plugin_publish() { numbers.publish(Numbers([4, 5, 6])) }

/// Whether a profile is recording: the library contains the profile, whose mutex `fork` acquires.
@c public func plugin_is_profiled() -> Bool { ContentionProfile.isOn }
