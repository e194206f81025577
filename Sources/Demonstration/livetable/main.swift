internal import Commands
internal import LiveTables

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// Before anything opens a file.
StandardStreams.prepare()
exit(await Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
