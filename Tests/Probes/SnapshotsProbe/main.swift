import Snapshots

// A client of the product Snapshots alone: it shows that the product compiles and loads by itself.

func publishAndRead() -> Int {
  let numbers = Snapshot([1, 2])
  numbers.update { $0.append(3) }
  return numbers.withCurrent { $0.count }
}

print("Snapshots: \(publishAndRead()) numbers are current")
