// Repairs of the deliberate mistakes in `Bank.swift`. Try your own repairs before you read these.

extension Bank {
  /// `audit()`, but with the locks acquired in the order of `transfer(_:)`.
  func auditInOrder() -> Bool {
    accounts.withReadLock { balances in
      journal.withLock { balances == Bank.balances(after: $0) }
    }
  }

  /// `printStatement()`, but with the lock released before the first line is printed.
  func printStatementFromCopy() {
    let balances = accounts.value
    for balance in balances { Printer.printLine("\(balance)") }
  }
}
