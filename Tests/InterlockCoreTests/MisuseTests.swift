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
}
