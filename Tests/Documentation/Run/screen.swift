// The screen shows the current value and the newest one, but none after it has disappeared.
let screen = Screen()
screen.appear()
while screen.label != "0 points" { await Task.yield() }
for points in 1...3 { game.withWriteLock { $0.points = points } }
while screen.label != "3 points" { await Task.yield() }
screen.disappear()
