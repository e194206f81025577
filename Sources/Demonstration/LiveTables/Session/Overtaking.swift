internal import AtomicProperties

/// Makes the bug `unlock-first` visible in every run.
///
/// A model with this bug releases its lock between an edit and the notification of that edit. The bug is
/// visible only if a second edit is made at that moment, which is rare. This class makes a second edit there,
/// on the same thread. Observers can't tell which thread made it.
final class Overtaking: Sendable {
  private let edit = AtomicProperty<(@Sendable () -> Void)?>(nil)

  /// Stores a second edit, which is made when the model next releases its lock.
  ///
  /// - Parameter edit: A closure that makes the second edit.
  func prepare(_ edit: @escaping @Sendable () -> Void) {
    self.edit.exchange(edit)
  }

  /// Makes the stored edit, if there is one.
  ///
  /// The model must call this function each time that it has released its lock after an edit.
  func happen() {
    // The closure is removed before it is called, because the edit that it makes calls `happen()` again.
    edit.exchange(nil)?()
  }
}
