internal import LiveTables

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

exit(await Program().run(Array(CommandLine.arguments.dropFirst())).rawValue)
