import Foundation

// Opens /dev/null on each standard stream that is closed. Otherwise the next descriptor, of a pipe of signals
// for instance, could become standard output. `open` returns the lowest free descriptor.
for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
  _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
}
// A write to a pipe without a reader fails, instead of ending the program.
signal(SIGPIPE, SIG_IGN)
exit(await runProgram(Array(CommandLine.arguments.dropFirst())))
