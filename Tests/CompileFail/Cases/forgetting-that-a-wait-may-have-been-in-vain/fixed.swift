import Protectors

func next(_ jobs: Protector<[String]>) -> String? {
  jobs.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(1)) { $0.removeFirst() }
}
