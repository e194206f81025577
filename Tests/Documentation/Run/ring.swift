// A thread writes more samples than fit; another one reads those that were not dropped, in order.
import Jobs

let ring = Ring(capacity: 4)
let written = LockFreeProperty(0)
let hasEnded = LockFreeProperty(false)
withThreads(2) { thread in
  if thread == 0 {
    for sample in 1...10_000 where ring.write(Float(sample)) { written.wrappingAdd(1, ordering: .relaxed) }
    hasEnded.store(true, ordering: .releasing)
  } else {
    var last: Float = 0
    var count = 0
    while true {
      let isLast = hasEnded.value
      while let sample = ring.read() {
        precondition(sample > last)
        last = sample
        count += 1
      }
      if isLast { break }
    }
    precondition(count == written.value)
  }
}
precondition(ring.read() == nil)
for _ in 0..<4 { precondition(ring.write(1)) }
precondition(!ring.write(1))
