@testable import ContentionProfiles
import Testing

@Suite("Names of functions")
struct FunctionNameTests {
  @Test(
    "A name loses its module, its types and what the compiler made of it",
    arguments: [
      ("Shop.Store.restock(item: Swift.String, count: Swift.Int) -> ()", "Store.restock(item:count:)"),
      ("Shop.work() -> ()", "work()"),
      ("Shop.Store.take(Swift.Int) throws -> Swift.Int", "Store.take(_:)"),
      ("static Shop.Store.make(_: Swift.Int) async -> Shop.Store", "Store.make(_:)"),
      ("closure #1 @Sendable () -> () in Shop.Store.open() -> ()", "closure #1 in Store.open()"),
      (
        "closure #2 (Swift.Int) -> Swift.Int in closure #1 () -> () in Shop.main() -> ()",
        "closure #2 in closure #1 in main()"
      ),
      ("Shop.Store.count.getter : Swift.Int", "Store.count.getter"),
      ("Shop.Store.(refill in _0123ABCD)(by: (Swift.Int) -> Swift.Int) -> ()", "Store.refill(by:)"),
      ("Shop.each(of: (Swift.Int) -> Swift.Int, times: Swift.Int) -> ()", "each(of:times:)"),
      ("closure #1 (Swift.Int) -> () in static Shop.Store.run() -> ()", "closure #1 in Store.run()"),
      ("(extension in Shop):Swift.Array.sum<A where A: Shop.Priced>(of: A) -> A", "Array.sum(of:)"),
      (
        "function signature specialization <Arg[0] = Dead> of generic specialization <Swift.Int> of "
          + "Shop.last<A>(of: [A], if: (A, A) -> Swift.Bool) -> A",
        "last(of:if:)"
      ),
      ("partial apply forwarder for closure #1 () -> () in Shop.run() -> ()", "closure #1 in run()"),
      (
        // In this name, the demangler has left out the bracket that closes `[Closure`.
        "function signature specialization <Arg[1] = [Closure Propagated : $s6starveSbyYbcfU7_ySizYuXEfU_, "
          + "Argument Types : []> of generic specialization <Swift.Int, UnfairLocks.UnfairLock, (), Swift.Never> of "
          + "(extension in Protectors):Protectors.LockProtector< where B: ReadWriteLocks.TimedReadWriteLock, "
          + "A: ~Swift.Copyable, B: ~Swift.Copyable>.withWriteLock<A, B where B1: Swift.Error, A1: ~Swift.Copyable>"
          + "(timeout: Swift.Duration, _: (sending inout A) throws(B1) -> sending A1) throws(B1) -> "
          + "Swift.Optional<A1>",
        "LockProtector.withWriteLock(timeout:_:)"
      ),
      ("merged Shop.Store.init(size: Swift.Int) -> Shop.Store", "merged Store.init(size:)"),
      (
        "merged function signature specialization <Arg[0] = Exploded> of Shop.Store.open() -> ()",
        "merged Store.open()"
      ),
      ("specialized merged closure #1 () -> () in Shop.run() -> ()", "merged closure #1 in run()"),
      ("function signature specialization <Arg[0]", "function signature specialization "),
      (
        "(1) suspend resume partial function for closure #1 @Swift.MainActor @Sendable () async -> () in "
          + "Shop.Store.open() -> ()", "closure #1 in Store.open()"
      ),
      ("(12) await resume partial function for Shop.Store.open() async -> ()", "Store.open()"),
      (
        "protocol witness for Shop.Counter.count(of: Swift.Int) -> Swift.Int in conformance "
          + "Shop.Store<A> : Shop.Counter in Shop", "Store.count(of:)"
      ),
      (
        "merged protocol witness for static Shop.Counter.none.getter : A in conformance <A> Shop.Store<A>.Shelf "
          + ": Shop.Counter in Shop", "merged Store.Shelf.none.getter"
      ),
      ("closure #1 () -> () in Shop.run() -> () with unmangled suffix \".12\"", "closure #1 in run()"),
      ("Shop.Store.deinit with unmangled suffix \".12\"", "Store.deinit"),
      ("@objc closure #1 (Swift.Int) -> () in Shop.run() -> ()", "closure #1 in run()"),
      ("main", "main"), ("", ""), ("Shop.odd((", "odd(_:)"),
    ])
  func shortens(text: String, name: String) {
    #expect(FunctionName.short(text) == name)
  }
}
