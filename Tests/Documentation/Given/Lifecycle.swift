import Lifecycles

protocol TransformObserver: AnyObject {}
final class DataTransform: Sendable {
  static let shared = DataTransform()
  func register(_ observer: any TransformObserver) {}
  func unregister(_ observer: any TransformObserver) {}
}
enum Activity { case busy }
func show(_ activity: Activity) {}
let isInvalidated = false
