internal import BenchmarkHarness
internal import Commands

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// The streams are prepared before the program opens a file, which could get the descriptor of a closed
// stream.
StandardStreams.prepare()
Interruption.watch()
exit(
  Command(
    suites: [
      .selfCheck, .property, .locks, .contention, .mix, .crowd, .ownLocks, .bystander, .waits, .once,
      .atomicProperties,
      .lifecycle, .snapshots, .memory,
    ],
    targets: Target.all
  )
  .run(Array(CommandLine.arguments.dropFirst())).rawValue)
