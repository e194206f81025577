#if Exploration
  /// Repeats one execution, given the choices that were made in it.
  struct ReplayStrategy: Strategy {
    private let choices: [Int]
    private var position = 0
    private var isDone = false

    init(_ choices: [Int]) { self.choices = choices }

    mutating func begin() -> Bool {
      defer { isDone = true }
      return !isDone
    }

    mutating func chooseThread(_ point: SchedulingPoint) -> Int? {
      let chosen = choose() ?? point.current
      return point.enabled.contains(chosen) ? chosen : point.enabled[0]
    }

    mutating func chooseValue(count: Int) -> Int { min(choose() ?? 0, count - 1) }

    private mutating func choose() -> Int? {
      defer { position += 1 }
      return position < choices.count ? choices[position] : nil
    }
  }

  /// The choices of an execution as text: `0x5,1,0` is five times 0, then 1, then 0.
  enum Replay {
    static func text(_ choices: [Int]) -> String {
      var runs: [(choice: Int, count: Int)] = []
      for choice in choices {
        if let last = runs.last, last.choice == choice {
          runs[runs.count - 1].count += 1
        } else {
          runs.append((choice, 1))
        }
      }
      return runs.map { $0.count == 1 ? "\($0.choice)" : "\($0.choice)x\($0.count)" }.joined(separator: ",")
    }

    /// The choices that `text` stands for; `nil` when `text` is malformed.
    static func choices(_ text: String) -> [Int]? {
      var choices: [Int] = []
      for run in text.split(separator: ",") {
        let parts = run.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard let choice = parts[0], choice >= 0, parts.count <= 2 else { return nil }
        guard let count = parts.count == 2 ? parts[1] : 1, (1...1_000_000).contains(count) else { return nil }
        choices.append(contentsOf: repeatElement(choice, count: count))
      }
      return choices
    }
  }
#endif
