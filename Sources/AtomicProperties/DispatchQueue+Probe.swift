internal import InterlockCore
internal import Dispatch

#if DeadlockDetection
  private let probeKey = DispatchSpecificKey<SharedProbe>()

  extension DispatchQueue {
    /// Returns the probe that stands for the queue in the deadlock detector.
    ///
    /// All `QueueProperty` objects of the queue share the probe. The first of them makes the probe, and passes
    /// the `primitive` that reports name.
    func probe(_ primitive: Primitive) -> SharedProbe {
      if let probe = getSpecific(key: probeKey) { return probe }
      let probe = SharedProbe(primitive)
      return Probe.exclusively {
        if let other = getSpecific(key: probeKey) { return other }
        setSpecific(key: probeKey, value: probe)
        return probe
      }
    }
  }
#else
  extension DispatchQueue {
    func probe(_ primitive: Primitive) -> SharedProbe { SharedProbe(primitive) }
  }
#endif
