// The functions of `interlock_rows.h` that make, destroy and audit models. The header says what each function
// promises. The compiler checks that the declarations here match it.

// `interlock_rows.h` has the documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CRows
internal import ViewModels

@c @implementation
public func interlock_rows_serve(_ nanoseconds: UInt64) -> interlock_rows_status {
  attemptOnMain { () throws(Refusal) in
    if ForeignObserver.runningCallbacks > 0 || visitorCalls.isInside || destroyCalls.isInside {
      throw Refusal(INTERLOCK_ROWS_IN_CALLBACK)
    }
    if try !MainLoop.serve(for: nanoseconds) { throw Refusal(INTERLOCK_ROWS_TIMED_OUT) }
  }
}

@c @implementation
public func interlock_rows_stop_serving() -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    MainLoop.stop()
  }
}

@c @implementation
public func interlock_rows_options_init(
  _ options: UnsafeMutablePointer<interlock_rows_options>?
) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    let defaults = RowsConfiguration()
    // Sound: the caller must pass memory for one structure, which may be uninitialised.
    unsafe try required(options).initialize(
      to: interlock_rows_options(
        size: MemoryLayout<interlock_rows_options>.size, strategy: UInt32(INTERLOCK_ROWS_TREE), audits: 0,
        speed: defaults.speed, seed: defaults.seed, initial_rows: nil, initial_count: 0,
        backlog_bytes: defaults.backlogBytes, command_limit: defaults.commandLimit))
  }
}

@c @implementation
public func interlock_rows_create(
  _ options: UnsafePointer<interlock_rows_options>?, _ model: UnsafeMutablePointer<interlock_rows_model>?
) -> interlock_rows_status {
  unsafe attemptOnMain((options, model)) { (options, model) throws(Refusal) in
    let (configuration, result) = unsafe (try configuration(options), try required(model))
    unsafe result.pointee = Handles.models.insert(SharedModel(RowsViewModel(configuration)))
  }
}

@c @implementation
public func interlock_rows_create_over(
  _ options: UnsafePointer<interlock_rows_options>?, _ core: UnsafePointer<interlock_rows_core>?,
  _ model: UnsafeMutablePointer<interlock_rows_model>?
) -> interlock_rows_status {
  unsafe attemptOnMain((options, core, model)) { (options, core, model) throws(Refusal) in
    let (configuration, result) = unsafe (try configuration(options), try required(model))
    let table = unsafe try required(core)
    unsafe try checkSize(table)
    guard unsafe hasAllFunctions(table.pointee) else { throw Refusal(INTERLOCK_ROWS_NULL_ARGUMENT) }
    let rows = unsafe ForeignRows(table.pointee)
    guard let model = RowsViewModel(configuration, core: rows) else {
      rows.invalidate()
      throw Refusal(INTERLOCK_ROWS_REFUSED)
    }
    unsafe result.pointee = Handles.models.insert(SharedModel(model, core: rows))
  }
}

private func hasAllFunctions(_ core: interlock_rows_core) -> Bool {
  unsafe core.activate != nil && core.begin != nil && core.start != nil && core.stop != nil
    && core.edit != nil
    && core.read != nil && core.invalidate != nil
}

@c @implementation
public func interlock_rows_destroy(_ model: interlock_rows_model) -> interlock_rows_status {
  attempt { () throws(Refusal) in
    try checkOutsideCore()
    guard let model = Handles.models.remove(model) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
    model.destroy()
  }
}

/// The model that a handle refers to; throws if there is none.
@inline(__always)
func sharedModel(_ handle: interlock_rows_model) throws(Refusal) -> SharedModel {
  guard let model = Handles.models.object(handle) else { throw Refusal(INTERLOCK_ROWS_INVALID_HANDLE) }
  return model
}

@c @implementation
public func interlock_rows_restart(_ model: interlock_rows_model, _ workers: Int) -> interlock_rows_status {
  attemptOnMain { () throws(Refusal) in
    let shared = try sharedModel(model)
    guard (0...Int(INTERLOCK_ROWS_MOST_WORKERS)).contains(workers) else {
      throw Refusal(INTERLOCK_ROWS_INVALID_ARGUMENT)
    }
    shared.model.restart(workers: workers)
  }
}

@c @implementation
public func interlock_rows_stop(_ model: interlock_rows_model) -> interlock_rows_status {
  attemptOnMain { () throws(Refusal) in try sharedModel(model).model.stop() }
}

@c @implementation
public func interlock_rows_audit(
  _ model: interlock_rows_model, _ account: UnsafeMutablePointer<interlock_rows_account>?
) -> interlock_rows_status {
  unsafe attemptOnMain(account) { account throws(Refusal) in
    let (shared, result) = unsafe (try sharedModel(model), try required(account))
    unsafe try checkSize(UnsafePointer(result))
    let audit = shared.model.audit()
    let statistics = audit.statistics
    unsafe result.pointee = interlock_rows_account(
      size: MemoryLayout<interlock_rows_account>.size, generation: UInt64(statistics.generation),
      posted: UInt64(statistics.posted.total), delivered: UInt64(statistics.delivered),
      unobserved: UInt64(statistics.unobserved), dropped: UInt64(statistics.droppedByGeneration),
      queued: UInt64(statistics.queued), composed: UInt64(statistics.composedBatches),
      rows: UInt64(audit.rows),
      fingerprint: audit.fingerprint, threads: UInt64(statistics.liveThreads),
      snapshots: UInt64(statistics.liveSnapshots ?? 0), violations: UInt64(statistics.violations ?? 0),
      gaps: UInt64(statistics.sequenceGaps ?? 0), complaints: UInt64(audit.complaints.count))
  }
}

@c @implementation
public func interlock_rows_live_handles() -> Int {
  Handles.models.count + Handles.registrations.count + Handles.snapshots.count + Handles.sinks.count
}

@c @implementation
public func interlock_rows_refused_edits() -> UInt64 {
  CoreSink.refusals
}
