import CRows
import Testing
import ViewModels

@testable import RowsInterface

@MainActor
@Suite("Shared model")
struct SharedModelTests {
  @Test("A model that was destroyed gets no observer, although a snapshot or a callback may keep it alive")
  func destroyed() {
    let shared = SharedModel(RowsViewModel())
    shared.destroy()
    let observation = shared.observe(ObserverFunctions(table: interlock_rows_observer()))
    guard case .destroyed = observation else {
      Issue.record("the model has an observer")
      return
    }
    #expect(shared.model.observer == nil)
  }

  @Test("Every option reaches the model's configuration")
  func options() throws {
    var options = interlock_rows_options()
    #expect(interlock_rows_options_init(&options) == INTERLOCK_ROWS_OK)
    options.strategy = UInt32(INTERLOCK_ROWS_DELTA)
    options.audits = 1
    options.speed = 12.5
    options.seed = 77
    options.backlog_bytes = 1_234
    options.command_limit = 56
    let configuration = try configuration(&options)
    #expect(configuration.strategy == .delta && configuration.audits && configuration.speed == 12.5)
    #expect(configuration.seed == 77 && configuration.initialRows == [])
    #expect(configuration.backlogBytes == 1_234 && configuration.commandLimit == 56)
  }

  /// The object that the functions of an observer get as `user`.
  private final class User {
    var observer: ForeignObserver?
    var insertions = 0
    var endings = 0
  }

  @Test("An observer that ends itself in a callback is destroyed once, after the callback")
  func endsInCallback() {
    let user = User()
    var table = interlock_rows_observer()
    table.user = Unmanaged.passUnretained(user).toOpaque()
    table.inserted = { pointer, _ in
      let user = Unmanaged<User>.fromOpaque(pointer!).takeUnretainedValue()
      user.insertions += 1
      user.observer!.end()
      #expect(user.endings == 0)
    }
    table.destroy_user = { Unmanaged<User>.fromOpaque($0!).takeUnretainedValue().endings += 1 }
    let observer = ForeignObserver(ObserverFunctions(table: table))
    user.observer = observer
    let model = RowsViewModel()
    model.observer = observer
    for _ in 0..<3 { model.apply(.insert("row", .index(0))) }
    model.deliverPending()
    #expect(user.insertions == 1 && user.endings == 1 && !observer.isActive)
    model.apply(.insert("row", .index(0)))
    model.deliverPending()
    #expect(user.endings == 1)
  }
}
