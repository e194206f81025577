internal import BenchmarkHarness

extension Suite {
  /// What a property costs against the stored field of a final class.
  static var property: Suite {
    Suite(
      name: "property", about: "one Float of a final class, read and written",
      contests: [FloatAccess.read, .write].map { access in
        Contest(
          group: "property", title: access.rawValue, metric: .cost, threads: 1, operationUnit: 100,
          reference: "stored field",
          contestants: [
            PropertyTrial(StoredField(), access).contestant(named: "stored field"),
            PropertyTrial(ComputedField(), access).contestant(named: "computed getter and setter"),
            PropertyTrial(UnfairLockField(), access).contestant(named: "behind UnfairLock"),
            PropertyTrial(ProtectorField(), access).contestant(named: "behind Protector"),
            PropertyTrial(MutexField(), access).contestant(named: "behind Synchronization.Mutex"),
            PropertyTrial(QueueField(), access).contestant(named: "behind DispatchQueue.sync"),
          ])
      })
  }
}
