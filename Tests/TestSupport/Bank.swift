/// Accounts whose sum is constant, except during a transfer.
package struct Bank: Sendable {
  private var balances: [Int]

  /// Opens accounts.
  ///
  /// - Parameter accounts: The number of accounts. Each has 1000 at first.
  package init(accounts: Int) {
    balances = Array(repeating: 1_000, count: accounts)
  }

  /// Whether the balances still have their initial sum.
  ///
  /// Call this in a read section.
  package var isBalanced: Bool {
    balances.reduce(0, +) == 1_000 * balances.count
  }

  /// Moves a random amount between two random accounts.
  ///
  /// Call this in a write section.
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
