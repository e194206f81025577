import Protectors

final class Filter: Sendable {
  func accepts(_ job: String?) -> Bool {
    return job != nil
  }
}

func next(_ jobs: Protector<[String]>, _ filter: Filter) -> String? {
  jobs.withWriteLock(waitingUntil: { filter.accepts($0.first) }) { $0.removeFirst() }
}
