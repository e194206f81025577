internal import Commands
internal import LiveTables

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// The standard streams are prepared before any file is opened. Otherwise a file could get the descriptor of a
// standard stream that is closed.
StandardStreams.prepare()
exit(await Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
