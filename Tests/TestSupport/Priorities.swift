extension TaskPriority {
  /// A priority above that of any other task of the tests: that of user interaction, the highest one that the runtime
  /// of Linux takes.
  package static var lent: TaskPriority { TaskPriority(rawValue: 0x21) }
}

/// Suspends the calling task again and again until it has at least this priority.
package func untilPriority(is priority: TaskPriority) async {
  while Task.currentPriority < priority { await Task.yield() }
}
