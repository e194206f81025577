// Opened, and cancelled, before and while the task waits.
for isCancelled in [false, true] {
  for yields in [0, 100] {
    let gate = Gate()
    let task = Task.detached { await gate.wait() }
    for _ in 0..<yields { await Task.yield() }
    if isCancelled { task.cancel() } else { gate.open() }
    await task.value
  }
}
