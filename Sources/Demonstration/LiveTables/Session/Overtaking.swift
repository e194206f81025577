internal import AtomicProperties

/// Makes the bug `unlock-first` visible: makes one edit between another edit and its notification.
///
/// The model with that bug releases the lock between an edit and its notification, so another thread's edit
/// may come between these two. That happens only now and then. Here the same thread makes another edit at
/// this point. To observers that looks the same, and it happens every time.
final class Overtaking: Sendable {
  private let edit = AtomicProperty<(@Sendable () -> Void)?>(nil)

  /// Prepares an edit for the next time that the lock is released.
  ///
  /// - Parameter edit: Makes the edit.
  func prepare(_ edit: @escaping @Sendable () -> Void) {
    self.edit.exchange(edit)
  }

  /// Makes the prepared edit, if there is one.
  ///
  /// Called after the lock was released, on any thread.
  func happen() {
    // The closure is taken out first, because the edit that it makes calls this function again.
    edit.exchange(nil)?()
  }
}
