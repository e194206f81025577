import LazyInitialization

func makeNumber() -> Int { 1 }

func number(_ cell: borrowing OnceCell<Int>) async -> Int {
  await cell.value(orInitialize: { makeNumber() })
}

func sameNumber(_ cell: borrowing OnceCell<Int>) async -> Int {
  await cell.value(orInitialize: { makeNumber() })
}
