/// Accounts whose sum never changes, except for a moment in which a transfer is under way.
package struct Bank: Sendable {
  private var balances: [Int]

  /// - Parameter accounts: How many accounts there are, with 1000 in each.
  package init(accounts: Int) {
    balances = Array(repeating: 1_000, count: accounts)
  }

  /// Whether the sum is what it was in the beginning.
  ///
  /// For a read section.
  package var isBalanced: Bool {
    balances.reduce(0, +) == 1_000 * balances.count
  }

  /// Moves an amount between two accounts, all chosen by `random`.
  ///
  /// For a write section.
  ///
  /// - Parameter pause: Called while the amount is in neither account.
  package mutating func transfer(
    using random: inout some RandomNumberGenerator, pause: () -> Void = {}
  ) {
    let amount = Int.random(in: 1...100, using: &random)
    balances[balances.indices.randomElement(using: &random)!] -= amount
    pause()
    balances[balances.indices.randomElement(using: &random)!] += amount
  }
}
