#if Exploration
  internal import CExploration
  internal import CInterlock
  internal import InterlockCore

  // The tasks of an execution.
  //
  // The runtime cuts a task into jobs: the code between two points where the task may be suspended. The
  // runtime's hooks pass each job that an explored thread enqueues to the explorer. Each task has an explored
  // thread of its own, which runs the task's jobs and rests while the task is suspended.
  //
  // A task executor alone would not be enough, because unstructured tasks do not inherit one. The hooks alone
  // would miss hops to a free actor.
  //
  // - **Hops**: a task that enters or leaves an actor calls `swift_task_switch`. For code that is linked with
  //   this package, the explorer's function takes its place (see `ExploredTasks.c`). The function gives up
  //   the actor, waits for the strategy, and only then lets the runtime enter the next actor. At that moment
  //   the actor is free, so the runtime goes on with the task on the same thread.
  // - **Queues of actors**: a task that is resumed or created on an actor is enqueued there by the runtime. The
  //   runtime then enqueues one job that runs the actor's queue, and a worker runs this job. Before each job of
  //   the queue, the runtime calls the function that is meant for ThreadSanitizer, and the worker waits there.
  // - **Order**: from the runtime's calls for ThreadSanitizer, the explorer also learns which jobs happen
  //   before which.
  // - **Cancellation**: the runtime calls a handler while it holds a mutex of the task that other threads may wait
  //   for. So no other thread runs between the steps of a handler. If one could have run, the search is not
  //   exhaustive. While the handler itself waits, other threads run; one that needs the mutex waits in the
  //   explorer.
  // - **Reduction**: tasks share state that the explorer does not see (cancellation, groups, streams). So in an
  //   execution with tasks, all steps depend on one another.

  /// A job that the runtime has enqueued, the end of a yield or a sleep, or the expiry of a deadline.
  struct ExploredJob {
    /// The address of the runtime's job; 0 for the end of a yield or a sleep, and for the expiry of a
    /// deadline.
    var address: UInt = 0
    /// Resumes a task that has yielded or slept, or expires a deadline; `nil` for a job of the runtime.
    var resume: (() -> Void)?
    /// The actor on which the job runs; 0 if there is none.
    var actor: UInt = 0
    var isOnMainActor = false
    /// The job's position in the main actor's queue; `nil` for a task that hops to the main actor, and for
    /// other actors' jobs.
    var place: Int?
    /// The thread that has yielded or slept, or whose task has the deadline; `nil` for a job of the runtime.
    var poller: ExecutionThread?
    var isPoll: Bool { poller != nil }
    /// If not `nil`, the job may run only when another thread has changed something after this step, or when
    /// no thread can go on otherwise.
    var since: Int?
    /// Identifies the deadline that this job expires; `nil` for other jobs.
    var timer: ObjectIdentifier?
    var deadline = Deadline.never
    /// Whether the job is the first one of a task.
    var isFirst = false
    /// The thread that has enqueued the job.
    var enqueuer: Int?
    /// The task that has the deadline.
    var waitingTask: ExecutionThread? { timer == nil ? nil : poller }
  }

  extension Scheduler {
    private static let mainActor = ExploredMainExecutor.address

    /// Enqueues a job of the runtime.
    func enqueue(_ address: UInt, onMainActor: Bool, by thread: ExecutionThread) {
      var job = ExploredJob(address: address)
      let target: ExecutionThread
      if interlock_job_kind(address) == 0 {
        let number = interlock_job_number(address)
        job.isFirst = tasks[number] == nil
        target = tasks[number] ?? startForJobs(.task)
        tasks[number] = target
      } else {
        job.actor = interlock_job_actor(address)
        target = worker()
      }
      if onMainActor {
        job.actor = Self.mainActor
        job.isOnMainActor = true
        if thread.isEnteringMainActor { callsActors = true } else { job.place = enqueuedJobs }
        thread.isEnteringMainActor = false
        enqueuedJobs += 1
      }
      add(job, to: target, by: thread)
    }

    /// Enqueues a job that calls `resume` to end the yield or the sleep of `thread`.
    func enqueueEnd(ofSleep isSleep: Bool, by thread: ExecutionThread, _ resume: @escaping () -> Void) {
      let target = isSleep || thread.kind == .thread ? worker() : thread
      add(ExploredJob(resume: resume, poller: thread, since: thread.lastPoll), to: target, by: thread)
    }

    /// Enqueues a job that calls `expire` when `deadline` passes, on behalf of the waiting task of `thread`.
    ///
    /// The job occupies no thread of the pool.
    func enqueue(
      _ timer: AnyObject, at deadline: Deadline, by thread: ExecutionThread, _ expire: @escaping () -> Void
    ) {
      let job = ExploredJob(
        resume: expire, poller: thread, since: thread.lastPoll, timer: ObjectIdentifier(timer),
        deadline: deadline)
      add(job, to: worker(), by: thread)
    }

    /// Removes the deadline that `timer` identifies; does nothing if the deadline has passed.
    func cancel(_ timer: AnyObject) {
      let timer = ObjectIdentifier(timer)
      guard let worker = threads.first(where: { $0.jobs.first?.timer == timer }) else { return }
      worker.jobs = []
      worker.pending = .suspended
      if !isOver { strategy.didPreventTimeout(worker.id, in: stepCount - 1) }
    }

    private func add(_ job: ExploredJob, to target: ExecutionThread, by thread: ExecutionThread) {
      var job = job
      job.enqueuer = thread.id
      thread.stepOfCheck = stepCount
      memory.advanceClock(of: thread.id)
      target.jobs.append(job)
      if target !== thread {
        memory.threads[target.id].current.join(memory.threads[thread.id].current)
        strategy.didSynchronize(target.id, with: thread.id)
      }
      if target.job == nil, target.jobs.count == 1 { target.pending = .job }
    }

    /// A worker without a job.
    private func worker() -> ExecutionThread {
      threads.first { $0.kind == .worker && $0.isAtRest && $0.job == nil } ?? startForJobs(.worker)
    }

    // MARK: Which jobs may run

    private func isFree(_ actor: UInt) -> Bool { !threads.contains { $0.actor == actor } }

    /// Whether a task may enter an actor: no thread runs on it, and the actor's queue is empty.
    ///
    /// Always `true` if `actor` is 0, which stands for a custom executor.
    func mayEnter(_ actor: UInt) -> Bool {
      guard actor != 0 else { return true }
      return isFree(actor)
        && !threads.contains { thread in
          if case .job = thread.pending { thread.jobs[0].actor == actor } else { false }
        }
    }

    func mayRun(_ job: ExploredJob, on thread: ExecutionThread) -> Bool {
      if job.isPoll, let since = job.since, !mayCheckAgain(thread, since: since, for: job.waitingTask) {
        return false
      }
      if job.timer != nil { return true }
      guard job.isOnMainActor else { return hasThread(for: thread) && (job.actor == 0 || isFree(job.actor)) }
      guard isFree(job.actor) else { return false }
      guard let place = job.place else { return true }
      return !threads.contains { other in
        guard case .job = other.pending, let first = other.jobs[0].place else { return false }
        return first < place
      }
    }

    /// Whether the pool has a thread for the job that `thread` runs next.
    func hasThread(for thread: ExecutionThread) -> Bool {
      var occupied = 0
      for other in threads where other !== thread && other.occupiesPool { occupied += 1 }
      return occupied < poolThreads
    }

    // MARK: Mutexes

    /// Lets the threads that wait for a mutex try again, which `thread` has unlocked.
    func didUnlock(_ mutex: UInt, _ thread: ExecutionThread) {
      for other in threads {
        guard case .mutex(mutex) = other.pending else { continue }
        other.pending = .nextJob
        memory.advanceClock(of: thread.id)
        memory.threads[other.id].current.join(memory.threads[thread.id].current)
        strategy.didSynchronize(other.id, with: thread.id)
      }
    }

    // MARK: Steps

    /// Begins the thread's next job, and returns the job's closure, which nothing else holds then.
    func beginJob(_ thread: ExecutionThread) -> (() -> Void)? {
      beginStep(thread)
      var job = thread.jobs.removeFirst()
      let resume = job.resume.take()
      thread.job = job
      if thread.kind == .task, job.address != 0 { thread.task = job.address }
      thread.actor = job.actor
      thread.startedJobs = 0
      if job.isPoll {
        job.poller!.lastPoll = stepCount
        thread.mayCheckAgain = false
      }
      didMove(thread)
      if job.timer != nil {
        passTime(to: job.deadline)
      }
      note(thread, action(of: job, thread), resuming: interlock_job_resume_point(job.address))
      return resume
    }

    /// Records where each task is suspended that must end, for the report of a deadlock.
    func noteSuspensions() {
      for thread in threads where thread.mustEnd && thread.isAtRest {
        // The task exists still, because it has not ended.
        note(thread, .isSuspended, resuming: interlock_job_resume_point(thread.task))
      }
    }

    private func action(of job: ExploredJob, _ thread: ExecutionThread) -> Step.Action {
      if job.timer != nil { return .expires(deadlineOf: job.poller!.id) }
      if let poller = job.poller, poller !== thread { return .resumes(poller.id) }
      if job.actor != 0 { return .runs(on: name(of: job.actor)) }
      if job.isFirst { return .begins }
      return .goesOn(resumedBy: job.enqueuer == thread.id ? nil : job.enqueuer)
    }

    func endJob(_ thread: ExecutionThread) {
      memory.advanceClock(of: thread.id)
      thread.job = nil
      thread.actor = 0
      thread.pending = thread.jobs.isEmpty ? .suspended : .job
    }

    func enter(_ thread: ExecutionThread, _ actor: UInt, at point: interlock_resume_point) {
      beginStep(thread)
      thread.actor = actor
      callsActors = true
      didMove(thread)
      note(thread, .enters(name(of: actor)), resuming: point)
    }

    func leave(_ thread: ExecutionThread, at point: interlock_resume_point) {
      beginStep(thread)
      didMove(thread)
      note(thread, .leaves, resuming: point)
    }

    func startNextJob(_ thread: ExecutionThread, at point: interlock_resume_point = .init()) {
      beginStep(thread)
      didMove(thread)
      let isOnActor = thread.actor != 0
      note(thread, isOnActor ? .runs(on: name(of: thread.actor)) : .goesOn(resumedBy: nil), resuming: point)
    }

    /// Records that a step of a task may have changed something that other threads wait for.
    ///
    /// Does nothing if the task has ever resumed from a yield or a sleep, or a deadline of it has expired.
    /// Otherwise two such tasks could let each other go on forever.
    private func didMove(_ thread: ExecutionThread) {
      if thread.lastPoll == nil, thread.job?.isPoll != true { didChange(thread) }
    }

    /// Notes that the task of `thread` has ended.
    ///
    /// The running thread must be the one that ran the task's last job.
    func endTask(_ thread: ExecutionThread) {
      guard let running else { return }
      memory.advanceClock(of: running.id)
      thread.mustEnd = false
      memory.threads[thread.id].current.join(memory.threads[running.id].current)
      strategy.didSynchronize(thread.id, with: running.id)
      didChange(running)
    }

    func release(_ object: UInt, _ thread: ExecutionThread) {
      memory.advanceClock(of: thread.id)
      knowledge[object, default: .init()].join(memory.threads[thread.id].current)
    }

    /// Orders the next steps of `thread` after all releases of the object; returns `false` if there were
    /// none.
    func acquire(_ object: UInt, _ thread: ExecutionThread) -> Bool {
      guard let knowledge = knowledge[object] else { return false }
      memory.threads[thread.id].current.join(knowledge)
      return true
    }

    func name(of actor: UInt) -> ActorName {
      if actor == Self.mainActor { return ActorName(type: nil, number: nil) }
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: actor) else {
        return ActorName(type: nil, number: 0)
      }
      let number = actorNumbers[actor] ?? actorNumbers.count
      actorNumbers[actor] = number
      // Sound: a task that enters an actor, or runs on it, holds a reference to it.
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
      return ActorName(type: type(of: object), number: number)
    }
  }

  extension ExecutionThread {
    /// Whether the thread is at a point where its task may be suspended, so that a switch is no preemption.
    var isSuspendable: Bool {
      switch pending {
      case .job, .enter, .leave, .nextJob, .suspended: true
      default: false
      }
    }

    /// Whether the thread occupies a thread of the pool, which other tasks then cannot use.
    var occupiesPool: Bool {
      guard let job, !job.isOnMainActor, job.timer == nil else { return false }
      switch pending {
      case .enter, .leave: return false
      default: return true
      }
    }

    /// Runs the jobs of a task or of a worker, until the execution ends.
    func runJobs() {
      prepare()
      let threads = ExploredThreads(self)
      while !isClosing {
        var resume = scheduler.beginJob(self)
        ExploredThreads.setCurrent(threads)
        if resume != nil {
          // Takes the closure out of the variable, so that its captures are released before the thread stops
          // being explored, and before it hands on the baton. They have words, whose end the explorer must see:
          // later words may get their addresses.
          resume.take()?()
        } else {
          interlock_run_job(job!.address, job!.isOnMainActor)
        }
        ExploredThreads.setCurrent(nil)
        scheduler.endJob(self)
        scheduler.end(self)
        turn.wait()
      }
      withExtendedLifetime(threads) {}
    }

    /// Makes `runJobs` return.
    ///
    /// The scheduler may be deallocated before the thread returns from `runJobs`, so the thread must not use
    /// it any more.
    func close() {
      isClosing = true
      turn.grant()
    }

    fileprivate static var current: ExecutionThread? { ExploredThreads.current as? ExecutionThread }

    private func willEnter(_ next: interlock_task_switch) {
      if next.identity == ExploredMainExecutor.address {
        // A hop to the main actor is no step yet: the runtime enqueues a job, and running that job is the
        // step.
        isEnteringMainActor = true
      } else {
        // The explorer knows whether an actor is free, but not whether a custom executor is. A custom
        // executor has the number 0 and always counts as free.
        let actor = next.implementation == 0 ? next.identity : 0
        reach(.enter(actor: actor)) { scheduler.enter(self, actor, at: next.resume) }
      }
    }

    private func willLeave(_ next: interlock_task_switch) {
      inExplorer {
        scheduler.switches[interlock_task_id()] = next
        actor = 0
      }
    }

    private func didLeave() -> interlock_task_switch {
      let next = inExplorer { scheduler.switches.removeValue(forKey: interlock_task_id())! }
      if next.identity != 0 {
        willEnter(next)
      } else if startedJobs != 1 || stepOfJob != scheduler.stepCount {
        reach(.leave) { scheduler.leave(self, at: next.resume) }
      }
      return next
    }

    private func acquire(_ object: UInt, startsJob: Bool) {
      let isKnown = inExplorer { scheduler.acquire(object, self) }
      // The runtime calls the release hook for each job that is enqueued. An object for which the hook was never
      // called is therefore no job of this execution.
      guard startsJob, isKnown, undivided == 0 else { return }
      startedJobs += 1
      stepOfJob = scheduler.stepCount
      // `startedJobs` also counts the start of an actor's queue. That start and the first job are one step.
      // Each later job of the queue is a step of its own.
      if kind == .thread || startedJobs > 2 {
        reach(.nextJob) { scheduler.startNextJob(self, at: interlock_job_resume_point(object)) }
      }
    }

    /// Waits until the mutex was unlocked, which another thread of the execution holds.
    ///
    /// Returns `false` in an execution without tasks: the search then leaves out orders of steps that are
    /// independent of each other, and would not know that the mutex makes them dependent.
    private func waitForMutex(_ mutex: UInt) -> Bool {
      guard !scheduler.tasks.isEmpty else { return false }
      reach(.mutex(mutex)) { scheduler.startNextJob(self) }
      return true
    }

    /// Makes a step in which the thread reads what other threads change without a step.
    private func observe(_ observation: Step.Observation) {
      reach(.observation) { scheduler.observe(self, observation) }
    }

    /// A check in the middle of a step may find a cancellation by another thread only if the thread has checked before in
    /// this step, or has started that thread in it.
    private func willCheckCancellation() {
      if stepOfCheck == scheduler.stepCount { observe(.cancellation) }
    }

    private func didCheckCancellation(isCancelled: Bool) {
      if !isCancelled { stepOfCheck = scheduler.stepCount }
    }

    fileprivate static func enqueue(_ job: UInt, onMainActor: Bool = false) {
      guard let thread = current else { return }
      thread.inExplorer {
        thread.scheduler.enqueue(job, onMainActor: onMainActor, by: thread)
      }
    }

    /// Begins (`true`) or ends (`false`) a period in which other threads run only if this thread can't make
    /// a step.
    ///
    /// Periods can nest.
    private func setUndivided(_ isUndivided: Bool) {
      undivided += isUndivided ? 1 : -1
      scheduler.hasUndividedThread = scheduler.threads.contains { $0.undivided > 0 }
    }

    /// Installs the task hooks at the first use, so that explored threads pass their jobs to the scheduler;
    /// `false` if the runtime does not allow it.
    static let exploresTasks: Bool = {
      let mainExecutor = unsafe ExploredMainExecutor.shared.asUnownedSerialExecutor()
      // Sound: an executor is two words.
      let (identity, implementation) = unsafe unsafeBitCast(mainExecutor, to: (UInt, UInt).self)
      var hooks = interlock_task_hooks(
        main_executor: identity, main_executor_implementation: implementation,
        enqueue: { enqueue($0) },
        will_enter: { current?.willEnter($0) },
        will_leave: { current?.willLeave($0) },
        did_leave: { current!.didLeave() },
        set_undivided: { current?.setUndivided($0) },
        wait_for_mutex: { current?.waitForMutex($0) ?? false },
        did_unlock: { mutex in
          guard let thread = current else { return }
          thread.inExplorer { thread.scheduler.didUnlock(mutex, thread) }
        },
        acquire: { current?.acquire($0, startsJob: $1) },
        release: { object in
          guard let thread = current else { return }
          thread.inExplorer { thread.scheduler.release(object, thread) }
        },
        will_load_reference: { current?.observe(.reference) },
        will_check_cancellation: { current?.willCheckCancellation() },
        did_check_cancellation: { current?.didCheckCancellation(isCancelled: $0) })
      return unsafe interlock_explore_tasks(&hooks)
    }()
  }

  /// Does what `Task.yield` does, on an explored thread.
  @_silgen_name("interlock_explored_yield")
  func yieldExplored() async {
    // Sound: the scheduler runs the enqueued job once, so it resumes the continuation once.
    unsafe await withUnsafeContinuation { continuation in
      let thread = ExecutionThread.current!
      thread.inExplorer {
        thread.scheduler.enqueueEnd(ofSleep: false, by: thread) { unsafe continuation.resume() }
      }
    }
  }

  /// Does what `Task.sleep` does, on an explored thread.
  ///
  /// The strategy chooses when the sleep ends, as for a thread that sleeps with a deadline.
  @_silgen_name("interlock_explored_sleep")
  func sleepExplored() async throws {
    let sleep = ExploredSleep()
    try await withTaskCancellationHandler {
      // Sound: `ExploredSleep` takes the continuation out of its variable to resume it, so it resumes it
      // once.
      unsafe try await withUnsafeThrowingContinuation { unsafe sleep.begin($0) }
    } onCancel: {
      sleep.end(isCancelled: true)
    }
  }

  /// The sleep of one task, which a job of the scheduler or a cancellation ends.
  // `@safe`: to resume the continuation, the code takes it out of the variable, so nothing can resume it
  // twice.
  @safe
  private final class ExploredSleep: @unchecked Sendable {
    // `ExploredSleep` is `@unchecked Sendable`, which is sound: one thread of an execution runs at a time.
    private var continuation: UnsafeContinuation<Void, any Error>?
    private var isCancelled = false

    func begin(_ continuation: UnsafeContinuation<Void, any Error>) {
      guard !isCancelled else { return unsafe continuation.resume(throwing: CancellationError()) }
      unsafe self.continuation = continuation
      let thread = ExecutionThread.current!
      thread.inExplorer {
        thread.scheduler.enqueueEnd(ofSleep: true, by: thread) { self.end(isCancelled: false) }
      }
    }

    /// Resumes the task, unless it was resumed before.
    func end(isCancelled: Bool) {
      self.isCancelled = isCancelled
      let continuation = unsafe continuation.take()
      if isCancelled {
        unsafe continuation?.resume(throwing: CancellationError())
      } else {
        unsafe continuation?.resume()
      }
    }
  }

  /// The executor of the main actor on explored threads.
  private final class ExploredMainExecutor: SerialExecutor {
    static let shared = ExploredMainExecutor()
    static let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(shared).toOpaque())

    func enqueue(_ job: UnownedJob) {
      ExecutionThread.enqueue(unsafe unsafeBitCast(job, to: UInt.self), onMainActor: true)
    }
  }
#endif
