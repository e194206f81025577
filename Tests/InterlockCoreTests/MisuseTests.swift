import Foundation
import InterlockCore
import TestSupport
import Testing

@Suite struct MisuseTests {
  /// The first line that a misuse prints must be the message alone, without a file name or line number of this
  /// package.
  @Test func theFirstLineIsTheSentence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse("Switch", "turned twice — 2×", "turn it once")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.hasPrefix("Interlock: Switch: turned twice — 2×; turn it once\n"), "\(text)")
  }

  private static let misuses =
    [
      Misuse(
        "UnfairLock: a timeout of -1e-09 seconds is negative", "pass .zero to try once without waiting"
      ) {
        _ = Timeout(.nanoseconds(-1), for: Primitive(.unfairLock))
      },
      // Too negative to be described.
      Misuse(
        "UnfairLock: a timeout of less than -9223372036854775808 seconds is negative",
        "pass .zero to try once without waiting"
      ) {
        _ = Timeout(.seconds(Int64.min) * 2, for: Primitive(.unfairLock))
      },
    ] + refusals

  // Darwin has the same error for memory that is not there yet.
  #if os(Linux) && !DarwinShim
    private static let refusals = [
      // The word has an unmapped address, so the kernel refuses to wait on it.
      Misuse("LockWord: the kernel refused to wait (error \(EFAULT))", "report this as a bug") {
        UnsafePointer<LockWord>(bitPattern: 64)!.pointee.wait(while: 0)
      }
    ]
  #else
    private static let refusals: [Misuse] = []
  #endif

  @Test(arguments: misuses.indices) func misuseTraps(index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
      try await Self.misuses[index].commit()
    }
    #expect(result?.standardErrorContent.trap == Self.misuses[index].message)
  }
}
