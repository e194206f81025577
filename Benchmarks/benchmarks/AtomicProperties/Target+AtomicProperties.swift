internal import BenchmarkHarness

extension Target {
  static var atomicProperties: [Target] {
    func place(_ name: String, _ access: CountAccess) -> Place {
      Place("atomic properties", "atomic properties", access.rawValue, name)
    }
    return [
      Target(
        "LockFreeProperty / stored field, read, time",
        .ratio(place(PropertyName.lockFree, .read), over: place(PropertyName.plain, .read)), .atMost(1.1))
    ]
      + CountAccess.allCases.map { access in
        Target(
          "AtomicProperty / Mutex, \(access.rawValue), time",
          .ratio(place(PropertyName.property, access), over: place(PropertyName.mutex, access)), .atMost(1.1))
      }
  }
}
