/// A set of accounts whose total balance is constant, except during a transfer.
package struct Bank: Sendable {
  private var balances: [Int]

  /// Opens accounts with a balance of 1000 each.
  ///
  /// - Parameter accounts: The number of accounts; must be positive.
  package init(accounts: Int) {
    balances = Array(repeating: 1_000, count: accounts)
  }

  /// Whether the sum of all balances is still the initial sum.
  ///
  /// The caller must be in a read section.
  package var isBalanced: Bool {
    balances.reduce(0, +) == 1_000 * balances.count
  }

  /// Moves a random amount between two random accounts, which can be the same account.
  ///
  /// The caller must be in a write section.
  ///
  /// - Parameter pause: Called after the withdrawal and before the deposit.
  package mutating func transfer(
    using random: inout some RandomNumberGenerator, pause: () -> Void = {}
  ) {
    let amount = Int.random(in: 1...100, using: &random)
    balances[balances.indices.randomElement(using: &random)!] -= amount
    pause()
    balances[balances.indices.randomElement(using: &random)!] += amount
  }
}
