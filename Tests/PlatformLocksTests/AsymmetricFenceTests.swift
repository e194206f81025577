import PlatformLocks
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite struct AsymmetricFenceTests {
  /// A process that has not asked for it is refused, as one would be that may use it no longer.
  @Test func beingRefusedTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      AsymmetricFence.heavy()
    }
    let message = Trap.message(in: result?.standardErrorContent)
    // Not registered; not there.
    #expect(
      [EPERM, ENOSYS].contains { code in
        message
          == "AsymmetricFence: the kernel took back membarrier (error \(code)); "
          + "allow it, or forbid it from the start"
      }, "\(message ?? "nothing")")
  }
}
