internal import BenchmarkHarness
internal import Commands

// The standard streams are prepared before any file is opened. Otherwise a file could get the descriptor of a
// standard stream that is closed.
StandardStreams.prepare()
Interruption.watch()
Interruption.exit(
  Command(
    suites: [
      .selfCheck, .property, .locks, .contention, .mix, .crowd, .ownLocks, .bystander, .waits, .once,
      .atomicProperties,
      .lifecycle, .tasks, .snapshots, .publishedValue, .memory,
    ],
    targets: Target.all,
    contention: { ProfiledBatches.shared.profile }
  )
  .run(Array(CommandLine.arguments.dropFirst())).code)
