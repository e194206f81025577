internal import BenchmarkHarness

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

exit(
  Command(suites: [.locks, .property, .waits], targets: Target.all)
    .run(Array(CommandLine.arguments.dropFirst())).rawValue)
