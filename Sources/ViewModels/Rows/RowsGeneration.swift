internal import Dispatch
internal import Observers

/// The rows from one restart of a `RowsViewModel` to the next, as threads see them.
final class RowsGeneration: Sendable {
  let delivery: OrderedDelivery<RowMessage>
  let editor: any RowEditor

  init(
    _ list: RowList, _ configuration: RowsConfiguration,
    receive: @escaping @MainActor (RowMessage) -> Void
  ) {
    delivery = OrderedDelivery(limit: configuration.backlogLimit, receive: receive)
    editor = configuration.strategy.makeEditor(list, delivery)
  }

  func apply(_ edit: RowEdit) -> RowEditResult {
    let result = editor.apply(edit)
    return result == .noRoom && delivery.isFinished ? .ended : result
  }

  /// Blocks while there is no room.
  @available(*, noasync)
  func applyWaiting(_ edit: RowEdit) -> RowEditResult {
    repeat {
      let result = editor.apply(edit)
      if result != .noRoom { return result }
      if DispatchQueue.getSpecific(key: Self.mainQueueKey) == true {
        misuse(
          "RowsViewModel", "waits for room on the main thread, which makes the room",
          "use apply(_:), or await applyWaiting(_:)")
      }
    } while delivery.waitForRoom()
    return .ended
  }

  /// Marks the main queue, on which the main actor runs.
  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Suspends the task while there is no room; returns `noRoom` if the task is cancelled.
  func applyWaiting(_ edit: RowEdit, isolation: isolated (any Actor)? = #isolation) async -> RowEditResult {
    repeat {
      let result = apply(edit)
      if result != .noRoom { return result }
    } while (try? await delivery.waitForRoom()) == true
    return apply(edit)
  }
}
