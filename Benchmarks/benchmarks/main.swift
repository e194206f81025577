internal import BenchmarkHarness

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

exit(
  Command(
    suites: [.locks, .bias, .property, .waits, .once, .atomicProperties, .snapshots], targets: Target.all
  )
  .run(Array(CommandLine.arguments.dropFirst())).rawValue)
