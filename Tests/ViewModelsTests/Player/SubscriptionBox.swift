import Protectors
import ViewModels

/// A subscription that another thread can end.
final class SubscriptionBox: Sendable {
  let subscription: ExclusiveProtector<StreamSubscription?>

  init(_ subscription: consuming sending StreamSubscription) {
    self.subscription = ExclusiveProtector(subscription)
  }
}
