internal import AtomicProperties

/// Makes the bug `unlock-first` visible, once: makes an edit between another edit and its notification.
///
/// The model with that bug releases the lock between the two, so that another thread's edit may come between.
/// That is rare. Here the same thread makes another edit at this point. To observers that looks the same, and
/// it happens every time.
final class Overtaking: Sendable {
  private let edit = AtomicProperty<(@Sendable () -> Void)?>(nil)

  /// Prepares an edit.
  ///
  /// - Parameter edit: Makes an edit when the lock is released next.
  func prepare(_ edit: @escaping @Sendable () -> Void) {
    self.edit.exchange(edit)
  }

  /// Called after the lock was released, on any thread.
  func happen() {
    // The edit is taken out first, because it calls this function itself.
    edit.exchange(nil)?()
  }
}
