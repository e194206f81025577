internal import AtomicProperties

/// An edit that comes between another edit and its notification, once: what the model with the bug
/// `unlock-first` permits.
///
/// With that bug the lock is released there, so that another thread may come first. Seldom does one. Here the
/// thread itself makes another edit at this point, which is the same to all who look on, and happens every
/// time.
final class Overtaking: Sendable {
  private let edit = AtomicProperty<(@Sendable () -> Void)?>(nil)

  /// - Parameter edit: The edit to make at the next occasion.
  func prepare(_ edit: @escaping @Sendable () -> Void) {
    self.edit.exchange(edit)
  }

  /// Called where the lock has been released, on any thread.
  func happen() {
    // Taken out first: the edit comes here too.
    edit.exchange(nil)?()
  }
}
