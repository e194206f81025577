import Dispatch

final class Record: @unchecked Sendable {
  var ended = 0
  var endedAtCompletion = 0
}

func run() {
  let queue = DispatchQueue(label: "jobs")
  let group = DispatchGroup()
  let record = Record()
  let isCompleted = Gate()
  queue.async(group: group) { record.ended += 1 }
  group.notify(queue: queue) {
    record.endedAtCompletion = record.ended
    isCompleted.open()
  }
  isCompleted.pass()
  queue.async(group: group) { record.ended += 1 }
  queue.sync {}
  conclude(record.endedAtCompletion, shouldBe: record.ended)
}
