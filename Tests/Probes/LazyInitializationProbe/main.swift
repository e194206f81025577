import LazyInitialization

// A client of the product LazyInitialization alone: it shows that the product compiles and loads by itself.

struct Refused: Error {}

let setUp = Once()
do {
  try setUp.run { () throws(Refused) in throw Refused() }
} catch {
  precondition(!setUp.isCompleted)
}
setUp.run {}
precondition(setUp.isCompleted)

/// A value that can't be copied.
struct Token: ~Copyable, Sendable {
  let number: Int
}

let token = OnceCell<Token>()
let number = token.withValue(orInitialize: { Token(number: 7) }) { $0.number }
precondition(number == 7)

let names = Lazy { ["Ann", "Bob"] }
precondition(names.valueIfInitialized == nil)
precondition(names.value.count == 2)

/// Uses the property wrapper in a function, because it can't be used at the top level.
func useWrapper() {
  @Lazy var squares = (0..<4).map { $0 * $0 }
  precondition(squares == [0, 1, 4, 9])
}

useWrapper()

print("LazyInitialization: once in \(MemoryLayout<Once>.size) bytes")
