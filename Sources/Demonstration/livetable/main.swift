internal import Commands
internal import LiveTables

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

// The streams are prepared before anything opens a file, which could take the number of a closed stream.
StandardStreams.prepare()
exit(await Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
