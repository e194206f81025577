import Jobs
import TestSupport
import Testing

@Suite struct WithTimeoutCrashTests {
  @Test func aNegativeTimeoutTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withTimeout(.seconds(-1)) {}
    }
    #expect(
      result?.standardErrorContent.trap
        == "withTimeout: a timeout of -1.0 seconds is negative; pass .zero to try once without waiting")
  }
}
