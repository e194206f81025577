internal import BenchmarkHarness

/// The names of the implementations in the suite "tasks", as its result tables show them.
enum TaskName {
  static let protector = "Protector"
  static let mutex = "AsyncMutex"
  static let predicate = "Protector, predicate that holds"
  static let semaphore = "AsyncSemaphore"
  static let handWritten = "hand-written semaphore"
  static let actor = "actor on a queue"
  static let continuations = "bare continuations"
  static let few = "100 waiting tasks"
  static let many = "10 000 waiting tasks"
}

extension Suite {
  /// Measures the locks for tasks.
  static var tasks: Suite {
    Suite(
      name: "tasks", about: "tasks that lock, wait and give up",
      contests: [
        Contest(
          group: taskGroup, title: taskSection, metric: .cost, threads: 1, operationUnit: 10_000,
          reference: TaskName.protector,
          contestants: [
            TaskTrial.protector, TaskTrial.mutex, TaskTrial.predicate,
            TaskTrial.permits(TaskName.semaphore, AsyncSemaphoreOfTasks(), tasks: 1),
            TaskTrial.permits(TaskName.handWritten, HandWrittenSemaphore(permits: 1), tasks: 1),
          ], runsOnOtherThreads: true),
        Contest(
          group: taskGroup, title: taskCall, metric: .cost, threads: 1, operationUnit: 500,
          reference: TaskName.actor, contestants: [TaskTrial.actor, TaskTrial.mutex],
          runsOnOtherThreads: true),
        Contest(
          group: "hand-offs between tasks", title: taskHandOff, metric: .cost, threads: 1,
          operationUnit: 2_000, reference: TaskName.continuations,
          contestants: [TaskTrial.continuationHandOffs, TaskTrial.mutexHandOffs], runsOnOtherThreads: true),
      ]
        + [2, 64, 1_000].map { waiting in
          Contest(
            group: "hand-offs between tasks", title: taskTitle(waiting: waiting), metric: .cost, threads: 1,
            operationUnit: 10 * (waiting + 1), reference: TaskName.handWritten,
            contestants: [
              TaskTrial.permits(TaskName.semaphore, AsyncSemaphoreOfTasks(), tasks: waiting + 1),
              TaskTrial.permits(
                TaskName.handWritten, HandWrittenSemaphore(permits: 1), tasks: waiting + 1),
            ], runsOnOtherThreads: true)
        } + [
          Contest(
            group: "tasks that are cancelled", title: taskCancellation, metric: .cost, threads: 1,
            operationUnit: 10_000, reference: TaskName.few,
            contestants: [
              TaskTrial.cancellations(TaskName.few, waiting: 100),
              TaskTrial.cancellations(TaskName.many, waiting: 10_000),
            ], runsOnOtherThreads: true)
        ])
  }

  static let taskGroup = "uncontended, in a task"
  static let taskSection = "section"
  static let taskCall = "section, or call"
  static let taskHandOff = "two tasks in turn"
  static let taskCancellation = "a waiting task"

  static func taskTitle(waiting: Int) -> String { "\(waiting) waiting tasks" }
}

extension Target {
  /// The claims that compare locks for tasks with other ways to guard data or to resume tasks.
  static var tasks: [Target] {
    func path(_ name: String, _ title: String, _ group: String = Suite.taskGroup) -> Path {
      Path("tasks", group, title, name)
    }
    func handOffs(_ name: String, _ title: String) -> Path { path(name, title, "hand-offs between tasks") }
    func cancelled(_ name: String) -> Path {
      path(name, Suite.taskCancellation, "tasks that are cancelled")
    }
    return [
      Target(
        "AsyncMutex / Protector.withWriteLock, time",
        .ratio(path(TaskName.mutex, Suite.taskSection), over: path(TaskName.protector, Suite.taskSection)),
        .atMost(4)),
      Target(
        "a wait whose predicate holds / AsyncMutex, time",
        .ratio(path(TaskName.predicate, Suite.taskSection), over: path(TaskName.mutex, Suite.taskSection)),
        .atMost(1)),
      Target(
        "a call to an actor on another thread / AsyncMutex, time",
        .ratio(path(TaskName.actor, Suite.taskCall), over: path(TaskName.mutex, Suite.taskCall)),
        .atLeast(10)),
      Target(
        "hand-written semaphore / AsyncSemaphore, time",
        .ratio(
          path(TaskName.handWritten, Suite.taskSection), over: path(TaskName.semaphore, Suite.taskSection)),
        .atLeast(2)),
      Target(
        "two tasks in turn: AsyncMutex / bare continuations, time",
        .ratio(
          handOffs(TaskName.mutex, Suite.taskHandOff),
          over: handOffs(TaskName.continuations, Suite.taskHandOff)),
        .atMost(1.2)),
    ]
      + [2, 64, 1_000].map { waiting in
        let title = Suite.taskTitle(waiting: waiting)
        return Target(
          "\(title): AsyncSemaphore / hand-written semaphore, time",
          .ratio(handOffs(TaskName.semaphore, title), over: handOffs(TaskName.handWritten, title)),
          .atMost(1))
      } + [
        Target(
          "a cancelled task of 10 000 / one of 100, time",
          .ratio(cancelled(TaskName.many), over: cancelled(TaskName.few)), .atMost(2))
      ]
  }
}
