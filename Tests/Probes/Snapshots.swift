import Snapshots

let numbers = Snapshot([1, 2])
numbers.update { $0.append(3) }
precondition(numbers.withCurrent { $0.count } == 3)
