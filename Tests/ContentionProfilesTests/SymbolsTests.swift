@testable import ContentionProfiles
import Foundation
import Testing

/// Tests that return addresses are attributed to the right functions.
@Suite("Symbols")
struct SymbolsTests {
  private func frame(_ returnAddress: UInt) throws -> ContentionReport.Frame {
    var symbols = Symbols()
    return try #require(symbols.stack([returnAddress]).frames.first)
  }

  @Test("A return address belongs to the function that ends before it, if the call was its last instruction")
  func endOfFunction() throws {
    let function: @convention(c) () -> pid_t = getpid
    let start = unsafeBitCast(function, to: UInt.self)
    #expect(try frame(start + 1).function.contains("getpid"))
    #expect(try !frame(start).function.contains("getpid"))
  }

  @Test("A function of Swift's runtime, or between those of a wait, is not one of the program")
  func runtimeFunction() throws {
    for name in [
      "swift_retain", "swift_task_switch", "$ss17withUnsafePointer2to_q_x_q_SPyxGKXEtKr0_lF",
    ] {
      let address = UInt(bitPattern: dlsym(UnsafeMutableRawPointer(bitPattern: 0), name))
      #expect(try frame(address + 1).isInternal, "\(name)")
    }
  }

  @Test("A function without a name is shown by its address, and is not one of this package")
  func unknownFunction() throws {
    let frame = try frame(0x1f)
    #expect(frame.function == "0x1f")
    #expect(!frame.isInternal)
  }

  @Test(
    "A name does not say for what the compiler has specialized the function",
    arguments: [
      ("Shop.Store.restock(item: Swift.String) -> ()", "Shop.Store.restock(item: Swift.String) -> ()"),
      (
        "function signature specialization <Arg[0] = Dead> of generic specialization <Swift.Int> of "
          + "Shop.last<A>(of: [A]) -> A", "Shop.last<A>(of: [A]) -> A"
      ),
      ("generic specialization <Swift.Int", "generic specialization <Swift.Int"),
    ])
  func specializations(name: String, expected: String) {
    #expect(Symbols.withoutSpecializations(name) == expected)
  }

  @Test(
    "A thunk is one also when it is specialized or merged",
    arguments: [
      ("reabstraction thunk helper from @escaping @callee_guaranteed () -> () to @escaping () -> ()", true),
      ("partial apply forwarder for reabstraction thunk helper from @callee_guaranteed () -> ()", true),
      ("generic specialization <Swift.Int> of reabstraction thunk helper <A> from () -> A", true),
      ("merged reabstraction thunk helper from () -> ()", true),
      (
        "partial apply forwarder for generic specialization <Swift.Int> of reabstraction thunk helper <A>",
        true
      ),
      ("dispatch thunk of Shop.Store.restock() -> ()", true),
      ("partial apply forwarder for closure #1 () -> () in Shop.open() -> ()", false),
      ("merged Shop.open() -> ()", false),
    ])
  func thunks(name: String, isThunk: Bool) {
    #expect(Symbols.isThunk(name) == isThunk)
  }

  @Test(
    "The module of a Swift symbol is the name that it begins with",
    arguments: [
      ("$s4Bank8transferyyF", "Bank"), ("_$s4Bank8transferyyF", "Bank"), ("getpid", nil), ("$sSa", nil),
      ("$s11UnfairLocks0A4LockV", "UnfairLocks"),
    ])
  func modules(symbol: String, module: String?) {
    #expect(Symbols.module(ofSymbol: symbol) == module)
  }
}
