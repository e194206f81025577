// The functions of `interlock_rows.h` that register observers and deliver edits to them.

// `interlock_rows.h` has the documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CRows
internal import ViewModels

@c @implementation
public func interlock_rows_observe(
  _ model: interlock_rows_model, _ observer: UnsafePointer<interlock_rows_observer>?,
  _ registration: UnsafeMutablePointer<interlock_rows_registration>?
) -> interlock_rows_status {
  unsafe attemptOnMain((observer, registration)) { (observer, registration) throws(Refusal) in
    let (shared, result) = unsafe (try sharedModel(model), try required(registration))
    let table = unsafe try required(observer)
    unsafe try checkSize(table)
    switch unsafe shared.observe(ObserverFunctions(table: table.pointee)) {
    case .registered(let handle): unsafe result.pointee = handle
    case .observed: throw Refusal(INTERLOCK_ROWS_OBSERVED)
    case .destroyed: throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE)
    }
  }
}

@c @implementation
public func interlock_rows_end_observation(
  _ registration: interlock_rows_registration
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let observer = Handles.registrations.remove(registration) else {
      throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE)
    }
    observer.end()
  }
}

@c @implementation
public func interlock_rows_deliver(_ model: interlock_rows_model) -> interlock_rows_status {
  attemptOnMain { () throws(Refusal) in try sharedModel(model).model.deliverPending() }
}
