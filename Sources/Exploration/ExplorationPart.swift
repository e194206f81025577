#if Exploration
  internal import CInterlock
  internal import InterlockCore

  /// The part of an exploration's work that this process does: one of `count` parts, numbered from 1.
  struct ExplorationPart: Equatable {
    let number: Int
    let count: Int

    static let whole = ExplorationPart(number: 1, count: 1)

    /// The part that the environment variable `INTERLOCK_EXPLORE_PART` names, in the form `2/3`; `whole` if
    /// the variable is not set.
    ///
    /// Traps if the variable has any other form.
    static let current: ExplorationPart = {
      guard let text = unsafe interlock_environment("INTERLOCK_EXPLORE_PART") else { return whole }
      guard let part = ExplorationPart(unsafe String(cString: text)) else {
        misuse(
          "explore", "the variable INTERLOCK_EXPLORE_PART is no part",
          "set it to a number and a count: 1/2, 2/2")
      }
      return part
    }()

    init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }

    init?(_ text: String) {
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
      guard count >= 1, (1...count).contains(number) else { return nil }
      self.init(number: number, count: count)
    }

    /// Whether an item of the exploration's work belongs to this part.
    ///
    /// Successive items belong to successive parts, in rotation.
    ///
    /// - Parameter item: The number, from 0, of an execution or of a schedule's prefix.
    func includes(_ item: Int) -> Bool { item % count == number - 1 }
  }
#endif
