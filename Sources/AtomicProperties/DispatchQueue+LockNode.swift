internal import DeadlockDetector
internal import Dispatch
internal import LockSupport

#if DeadlockDetection
  private let lockNodeKey = DispatchSpecificKey<SharedLockNode>()

  extension DispatchQueue {
    /// Returns the node that stands for the queue in the deadlock detector.
    ///
    /// All `QueueProperty` objects of the queue share the node. The first of them makes the node, and passes
    /// the `primitive` that reports name.
    func lockNode(_ primitive: Primitive) -> SharedLockNode {
      if let node = getSpecific(key: lockNodeKey) { return node }
      let node = SharedLockNode(primitive)
      return Detector.shared.exclusively {
        if let other = getSpecific(key: lockNodeKey) { return other }
        setSpecific(key: lockNodeKey, value: node)
        return node
      }
    }
  }
#else
  extension DispatchQueue {
    func lockNode(_ primitive: Primitive) -> SharedLockNode { SharedLockNode(primitive) }
  }
#endif
