#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Whether the calling thread leaves the signals of the program to others, as threads of the package do.
package var leavesSignals: Bool {
  var mask = sigset_t()
  pthread_sigmask(SIG_SETMASK, nil, &mask)
  let isOwnOpen = sigismember(&mask, SIGSEGV) == 0
  return isOwnOpen && [SIGTERM, SIGUSR1, SIGALRM].allSatisfy { sigismember(&mask, $0) == 1 }
}
