internal import Observers
package import CRowsCore

/// A model whose rows belong to a core in another language, which edits them on its own threads.
///
/// The core calls back inside its critical section, on the thread that made the edit. The callback only posts
/// the change to an `OrderedDelivery`, so the main actor gets the changes in their order. Each change that waits
/// keeps a snapshot, and the core's threads pause while too many of them are live.
///
/// Ending the value ends the model, also when a function that holds it throws or returns early. The threads
/// are then joined, and the receiver is released. On the main actor, nothing is received afterwards.
package struct RowCore: ~Copyable {
  package let handle: rows_model
  private let delivery: OrderedDelivery<CoreChange>

  /// Creates a model without rows, and starts its threads.
  ///
  /// - Parameters:
  ///   - speed: The threads sleep 1 to 4 seconds divided by this between two edits.
  ///   - receive: Called on the main actor with one change after another.
  package init(
    threads: Int, seed: UInt64 = 1, speed: Double = 1, receive: @escaping @MainActor (CoreChange) -> Void
  ) throws(CoreFailure) {
    let delivery = OrderedDelivery(receive: receive)
    // `destroy_user` balances this.
    let user = Unmanaged.passRetained(delivery)
    var observer = rows_observer()
    observer.user = user.toOpaque()
    observer.destroy_user = { Unmanaged<OrderedDelivery<CoreChange>>.fromOpaque($0!).release() }
    observer.inserted = { CoreChange.post(.inserted, $0, $1, $2, $3) }
    observer.removed = { CoreChange.post(.removed, $0, $1, $2, $3) }
    observer.modified = { CoreChange.post(.modified, $0, $1, $2, $3) }
    var options = rows_options(threads: threads, seed: seed, speed: speed)
    var handle: rows_model = 0
    do {
      try check(rows_create(&options, &observer, &handle))
    } catch {
      // The core refused, so `destroy_user` is not called.
      user.release()
      throw error
    }
    self.handle = handle
    self.delivery = delivery
  }

  deinit {
    // The receiver may be ending the core while further changes wait for it.
    delivery.finish()
    rows_destroy(handle)
  }

  /// Inserts, removes or modifies a row; a removal ignores the text and the number.
  package borrowing func edit(
    _ kind: CoreChange.Kind, at index: Int, text: String = "", number: UInt64 = 0
  ) throws(CoreFailure) {
    var text = text
    let status = text.withUTF8 { text in
      var row = rows_row(bytes: text.baseAddress, length: text.count, number: number)
      return rows_edit(handle, kind.rawValue, index, &row)
    }
    try check(status)
  }
}

/// The reason why a core did nothing.
package enum CoreFailure: rows_status, Error {
  case inCallback = 1, nullArgument, invalidArgument, invalidUTF8, invalidHandle, noSuchRow, noThreads
}

func check(_ status: rows_status) throws(CoreFailure) {
  if let failure = CoreFailure(rawValue: status) { throw failure }
}
