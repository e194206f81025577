internal import BenchmarkHarness
internal import Testing

@Suite("Filter")
struct FilterTests {
  @Test("Any of the texts may occur, in capital or small letters")
  func admission() {
    let path = "locks/2 threads/90 % reads/UnfairLock"
    #expect(Filter().admits(path))
    #expect(Filter(["unfair"]).admits(path))
    #expect(Filter(["threads/90"]).admits(path))
    #expect(Filter(["16 threads", "LOCKS/"]).admits(path))
    #expect(!Filter(["16 threads"]).admits(path))
  }

  @Test("A suite keeps what is admitted, and no contest without contestants")
  func filteredSuite() {
    let suite = Suite.sample(contests: ["first": ["a", "b"], "second": ["b"]])
    #expect(suite.filtered(by: Filter(["/a"])).paths == ["sample/group/first/a"])
    #expect(
      suite.filtered(by: Filter(["/b"])).paths == ["sample/group/first/b", "sample/group/second/b"])
    #expect(suite.filtered(by: Filter(["nothing"])).contests.isEmpty)
  }
}
