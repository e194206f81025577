import Exploration

// The rest of the product needs the trait `Exploration`.
struct Counter: SequentialModel {
  var value = 0

  mutating func apply(_ number: Int) -> Int {
    value += number
    return value
  }
}

var counter = Counter()
precondition(counter.apply(2) == 2)
