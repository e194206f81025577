internal import BenchmarkHarness

extension Target {
  static var atomicProperties: [Target] {
    func path(_ name: String, _ access: CountAccess) -> Path {
      Path("atomic properties", "atomic properties", access.rawValue, name)
    }
    return [
      Target(
        "LockFreeProperty / stored field, read, time",
        .ratio(path(PropertyName.lockFree, .read), over: path(PropertyName.plain, .read)), .atMost(1.1))
    ]
      + CountAccess.allCases.map { access in
        Target(
          "AtomicProperty / Mutex, \(access.rawValue), time",
          .ratio(path(PropertyName.property, access), over: path(PropertyName.mutex, access)), .atMost(1.1))
      }
  }
}
