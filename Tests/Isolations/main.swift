import Glibc
import Rows
import RowsOfCaller
import RowsOfMainActor
import Support

// A row that never ends is a failure: the signal ends the program.
alarm(60)

@concurrent
func runAll() async {
  let actor = actorContext
  let executor = executorContext
  let isOnActor: @Sendable () -> Bool = { isCurrent(actor.unownedExecutor) }
  for (name, rows) in [
    ("actor", rows_actor), ("parameter", rows_parameter), ("closure", rows_closure), ("task", rows_task),
  ] {
    await run(rows, as: name, isCurrent: isOnActor) { await actor.touch() }
  }
  for (name, rows) in [("executor", rows_executor), ("caller", rows_caller)] {
    await run(rows, as: name, isCurrent: { executor.executor.isCurrent }) { await executor.touch() }
  }
  await run(rows_global, as: "global actor", isCurrent: { isCurrent(GlobalContext.sharedUnownedExecutor) }) {
    await GlobalContext.shared.touch()
  }
  for (name, rows) in [("main actor", rows_main), ("main actor by default", rows_default)] {
    await run(rows, as: name, isCurrent: { isCurrent(MainActor.sharedUnownedExecutor) }) {
      await MainActor.run {}
    }
  }
}

await runAll()
exit(report(CommandLine.arguments[1]) ? 0 : 1)
