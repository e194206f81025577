import Interlock
import ViewModels

// The actors of the rows, and what else the rows use.

package actor ActorContext {
  package func touch() {}
}

package nonisolated let actorContext = ActorContext()

/// Has an executor of its own.
package actor ExecutorContext {
  package nonisolated let executor = QueueExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package func touch() {}

  package func call(_ row: nonisolated(nonsending) () async throws -> Void) async throws { try await row() }
}

package nonisolated let executorContext = ExecutorContext()

@globalActor
package actor GlobalContext {
  package static let shared = GlobalContext()
  package func touch() {}
}

package final class SharedCell: Sendable {
  package let cell = OnceCell<Int>()
  package init() {}
}

@MainActor
package func emptyModel() -> RowsViewModel { RowsViewModel() }
