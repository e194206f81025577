import Protectors

func next(_ jobs: Protector<[String]>) -> Int? {
  jobs.withWriteLock(waitingUntil: { $0.last != nil }) { $0.count }
}
