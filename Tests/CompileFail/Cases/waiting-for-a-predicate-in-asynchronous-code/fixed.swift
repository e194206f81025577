import Protectors

func read(_ answer: Protector<Int?>) async -> Int? {
  await answer.withReadLock(waitingUntil: { $0 != nil }) { $0! }
}

func readInTime(_ answer: Protector<Int?>) async -> Bool {
  await answer.withWriteLock(waitingUntil: { $0 != nil }, timeout: .seconds(1)) { $0 = nil }
}
