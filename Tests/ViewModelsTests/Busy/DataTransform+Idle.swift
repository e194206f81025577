import ViewModels

extension DataTransform {
  /// Waits until observers have been notified of the end of all work.
  @MainActor
  func idle() async {
    while pending > 0 { await Task.yield() }
  }
}
