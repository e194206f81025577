internal import BenchmarkHarness
internal import Foundation

Interruption.watch()
let status = Command(suites: Suite.all, targets: Target.all)
  .run(Array(CommandLine.arguments.dropFirst()))
// A thread of a round that was given up still runs, so nothing that it uses may be destroyed.
_exit(status)
