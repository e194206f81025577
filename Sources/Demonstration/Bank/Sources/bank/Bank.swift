import Foundation
import Protectors
import Synchronization

/// A bank whose tellers transfer money between accounts, and write each transfer into a journal.
final class Bank: Sendable {
  struct Transfer {
    var from: Int
    var to: Int
  }

  static let openingBalances = [Int](repeating: 100, count: 20)

  let accounts = Protector(Bank.openingBalances, label: "accounts")
  let journal = ExclusiveProtector<[Transfer]>([], label: "journal")
  private let isOpen = Atomic(true)

  /// Runs three teller threads while the calling thread prints ten statements.
  ///
  /// Returns when the tellers have ended. If `printsFromCopy` is set, each statement is printed from a copy
  /// of the balances, without the lock.
  func openForADay(printsFromCopy: Bool) {
    let tellers = DispatchGroup()
    for _ in 1...3 {
      tellers.enter()
      Thread.detachNewThread {
        self.serveCustomers()
        tellers.leave()
      }
    }
    for _ in 1...10 {
      if printsFromCopy { printStatementFromCopy() } else { printStatement() }
    }
    isOpen.store(false, ordering: .relaxed)
    tellers.wait()
  }

  /// Makes random transfers, about one each millisecond, until the bank closes; makes at least one.
  func serveCustomers() {
    let accounts = Bank.openingBalances.indices
    repeat {
      transfer(Transfer(from: accounts.randomElement()!, to: accounts.randomElement()!))
      Thread.sleep(forTimeInterval: 0.001)  // until the next customer comes
    } while isOpen.load(ordering: .relaxed)
  }

  func transfer(_ transfer: Transfer) {
    accounts.withWriteLock { balances in
      balances.apply(transfer)
      record(transfer)
    }
  }

  func record(_ transfer: Transfer) {
    journal.withLock { $0.append(transfer) }
  }

  /// Prints the balances under the read lock, so that no teller can change them before all are printed.
  func printStatement() {
    accounts.withReadLock { balances in
      for balance in balances { Printer.printLine("\(balance)") }
    }
  }

  /// Whether the opening balances and the transfers in the journal give the current balances.
  func audit() -> Bool {
    journal.withLock { transfers in
      hasBalances(Bank.balances(after: transfers))
    }
  }

  func hasBalances(_ expected: [Int]) -> Bool {
    accounts.withReadLock { $0 == expected }
  }

  static func balances(after transfers: [Transfer]) -> [Int] {
    transfers.reduce(into: openingBalances) { $0.apply($1) }
  }
}

extension [Int] {
  mutating func apply(_ transfer: Bank.Transfer) {
    self[transfer.from] -= 1
    self[transfer.to] += 1
  }
}

/// Simulates a slow printer: takes a millisecond per line, and prints nothing.
enum Printer {
  static func printLine(_ line: String) { Thread.sleep(forTimeInterval: 0.001) }
}
