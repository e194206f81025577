/// The results of a run, and whether they are as they must be.
struct Audit: Equatable {
  var generations = 0
  /// The changes that the table was notified of.
  var changes = 0
  /// The changes that broke the table rule (see `TableRule`).
  var violations = 0
  /// Whether the rows that follow from the changes are those that the table was notified of, in each
  /// generation.
  var agrees = true
  /// Whether the model's rows are those of the table, after all edits were delivered.
  var isComplete = true
  /// The numbers of threads and objects that exist after the end.
  var remains = 0

  var isClean: Bool { violations == 0 && agrees && isComplete && remains == 0 }

  var text: String {
    func line(_ holds: Bool, _ text: String) -> String { (holds ? "  ok     " : "  WRONG  ") + text }
    return [
      "Audit of \(changes) changes in \(generations) generations",
      line(violations == 0, "changes that broke the table rule: \(violations)"),
      line(agrees, "the rows that follow from the changes are those of the table"),
      line(isComplete, "the table has all edits of the model"),
      line(remains == 0, "threads and objects that are left: \(remains)"),
      isClean ? "The audit is clean." : "The audit is not clean.",
    ].joined(separator: "\n")
  }
}
