// swift-tools-version: 6.3
import PackageDescription

// Programs, tests and probes: the same language rules as the libraries, without the `unsafe` markers.
let commonSettings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Library modules: every use of an unsafe construct is marked, and a comment says why it is sound. Debug builds
// check that: the compiler refuses the check together with `-Ounchecked`.
let librarySettings: [SwiftSetting] = commonSettings + [.strictMemorySafety(.when(configuration: .debug))]

// The words of `LockSupport` are `Synchronization.Atomic` written out, which needs these features.
let wordSettings: [SwiftSetting] = [
  .enableExperimentalFeature("BuiltinModule"), .enableExperimentalFeature("RawLayout"),
]

/// A library module: one target, and a product of the same name.
struct LibraryModule {
  var name: String
  var dependencies: [Target.Dependency]
}

let libraryModules = [
  LibraryModule(name: "UnfairLocks", dependencies: ["DeadlockDetector", "LockSupport"]),
  LibraryModule(
    name: "ReadWriteLocks", dependencies: ["DeadlockDetector", "LockSupport", "ThreadRecords", "UnfairLocks"]),
  LibraryModule(
    name: "Protectors",
    dependencies: ["DeadlockDetector", "LockSupport", "ReadWriteLocks", "TaskWaiters", "UnfairLocks"]),
  LibraryModule(
    name: "Snapshots", dependencies: ["CInterlock", "DeadlockDetector", "LockSupport", "UnfairLocks"]),
  // Locks and limits for tasks. `TaskWaiters`, below, has their waiting tasks.
  LibraryModule(
    name: "AsyncLocks",
    dependencies: ["DeadlockDetector", "LockSupport", "TaskWaiters", "ThreadSupport", "UnfairLocks"]),
  LibraryModule(
    name: "LazyInitialization", dependencies: ["DeadlockDetector", "LockSupport", "TaskWaiters"]),
  LibraryModule(name: "AtomicProperties", dependencies: ["DeadlockDetector", "LockSupport", "UnfairLocks"]),
  LibraryModule(
    name: "Lifecycles",
    dependencies: ["DeadlockDetector", "LockSupport", "TaskWaiters", "ThreadRecords", "UnfairLocks"]),
  LibraryModule(
    name: "Observers",
    dependencies: ["DeadlockDetector", "LockSupport", "Protectors", "ReadWriteLocks", "UnfairLocks"]),
  LibraryModule(
    name: "EventSources",
    dependencies: [
      "CInterlock", "DeadlockDetector", "Lifecycles", "LockSupport", "Observers", "Protectors",
      "ReadWriteLocks",
      "UnfairLocks",
    ]),
  LibraryModule(
    name: "Jobs",
    dependencies: [
      "DeadlockDetector", "LockSupport", "Protectors", "ReadWriteLocks", "TaskWaiters", "ThreadSupport",
      "UnfairLocks",
    ]),
  // Records where threads wait. Nothing else depends on it.
  LibraryModule(name: "ContentionProfiles", dependencies: ["CContention", "LockSupport"]),
  LibraryModule(name: "RowTrees", dependencies: ["LockSupport"]),
  // From here to `RowsInterface`, and `livetable`: clients, which depend on products alone.
  LibraryModule(
    name: "ViewModels",
    dependencies: [
      "AsyncLocks", "AtomicProperties", "LazyInitialization", "EventSources", "Jobs", "Lifecycles",
      "Observers", "Protectors", "ReadWriteLocks", "RowTrees", "Snapshots", "UnfairLocks",
    ]),
  // Configures the deadlock detector. Its functions do nothing without the trait of the same name.
  LibraryModule(name: "DeadlockDetection", dependencies: ["DeadlockDetector"]),
  // The row model for other languages, and rows that these own.
  LibraryModule(
    name: "RowsInterface",
    dependencies: [
      "AtomicProperties", "CRows", "EventSources", "Jobs", "Lifecycles", "Observers", "Protectors",
      "ViewModels",
    ]),
  // Re-exports the toolkit: the modules above without the view models and their C interface.
  LibraryModule(
    name: "Interlock",
    dependencies: [
      "AsyncLocks", "AtomicProperties", "EventSources", "Jobs", "LazyInitialization", "Lifecycles",
      "Observers",
      "Protectors",
      "ReadWriteLocks", "Snapshots", "UnfairLocks",
    ]),
]

let productNames = libraryModules.map(\.name) + ["Exploration"]

let libraryTargets: [Target] =
  [
    .target(
      name: "CInterlock",
      cSettings: [
        .treatAllWarnings(as: .error), .define("INTERLOCK_EXPLORATION", .when(traits: ["Exploration"])),
        .define("INTERLOCK_DEADLOCK_DETECTION", .when(traits: ["DeadlockDetection"])),
      ]),
    // The stacks of a profile of contention.
    .target(name: "CContention", dependencies: ["CInterlock"], cSettings: [.treatAllWarnings(as: .error)]),
    // The header of the interface for other languages.
    .target(name: "CRows", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "LockSupport", dependencies: ["CInterlock"], swiftSettings: librarySettings + wordSettings),
    // The deadlock detector; without the trait of that name, empty functions that the primitives call.
    .target(
      name: "DeadlockDetector", dependencies: ["CInterlock", "LockSupport"], swiftSettings: librarySettings),
    .target(
      name: "ThreadRecords", dependencies: ["CInterlock", "LockSupport"], swiftSettings: librarySettings),
    // Threads, monitors, a clock and random numbers, for the view models, the programs and the tests.
    .target(name: "ThreadSupport", dependencies: ["LockSupport"], swiftSettings: librarySettings),
    // Waiting tasks in a list, and one timer for all their deadlines. Below every module in which tasks wait.
    .target(
      name: "TaskWaiters",
      dependencies: ["CInterlock", "DeadlockDetector", "LockSupport", "ThreadSupport", "UnfairLocks"],
      swiftSettings: librarySettings),
  ]
  + libraryModules.map {
    .target(name: $0.name, dependencies: $0.dependencies, swiftSettings: librarySettings)
  } + [
    // For tests. Without the trait of the same name, it has only the checker of histories.
    .target(
      name: "Exploration",
      dependencies: ["CInterlock", "LockSupport", "Snapshots", "ThreadRecords", "ThreadSupport"],
      swiftSettings: librarySettings)
  ]

/// A target that only the demonstration `livetable` needs.
///
/// The benchmarks use `Commands` too.
func demonstration(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Demonstration/\(name)",
    swiftSettings: commonSettings)
}

let demonstrationTargets: [Target] = [
  // Arguments, console, files and JSON.
  demonstration("Commands"),
  .target(
    name: "CTerminal", path: "Sources/Demonstration/CTerminal", cSettings: [.treatAllWarnings(as: .error)]),
  // A core in C that owns rows, and the threads that edit them.
  .target(
    name: "OwningCoreInC", dependencies: ["CRows"], path: "Sources/Demonstration/ForeignCores/c",
    cSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("m")]),
  demonstration(
    "LiveTables", "AsyncLocks", "AtomicProperties", "Commands", "ContentionProfiles", "CRows", "CTerminal",
    "EventSources", "LazyInitialization", "Lifecycles", "OwningCoreInC", "RowTrees", "RowsInterface",
    "Snapshots", "ViewModels"),
  .executableTarget(
    name: "livetable",
    dependencies: ["Commands", "LiveTables"],
    path: "Sources/Demonstration/livetable",
    swiftSettings: commonSettings),
]

let benchmarkTargets: [Target] = [
  .target(
    name: "CBenchmarkCounters",
    path: "Benchmarks/CBenchmarkCounters",
    cSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "BenchmarkHarness",
    dependencies: ["CBenchmarkCounters", "CTerminal", "Commands", "ThreadSupport"],
    path: "Benchmarks/BenchmarkHarness",
    swiftSettings: commonSettings),
  .target(
    name: "CAllocationCounter",
    path: "Benchmarks/CAllocationCounter",
    cSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "OtherModule",
    path: "Benchmarks/OtherModule",
    swiftSettings: commonSettings),
  .executableTarget(
    name: "benchmarks",
    dependencies: [
      "AsyncLocks", "BenchmarkHarness", "CAllocationCounter", "Commands", "ContentionProfiles", "OtherModule",
      "UnfairLocks", "ReadWriteLocks",
      "Protectors", "LazyInitialization", "AtomicProperties", "EventSources", "Jobs", "Lifecycles",
      "Observers", "RowTrees", "Snapshots", "ThreadSupport", "ViewModels",
    ],
    path: "Benchmarks/benchmarks",
    swiftSettings: commonSettings),
]

// The row model through its C interface, beside the same in Swift. On the main actor, and so a program of its own.
let borderTargets: [Target] = [
  .target(
    name: "CBorder", dependencies: ["CRows"], path: "Benchmarks/CBorder",
    cSettings: [.treatAllWarnings(as: .error)]),
  .executableTarget(
    name: "border",
    dependencies: ["CBorder", "CRows", "RowsInterface", "ThreadSupport", "ViewModels"],
    path: "Benchmarks/border",
    swiftSettings: commonSettings),
]

/// A program that depends on one product alone.
///
/// It shows that the product compiles and loads by itself.
func probe(_ product: String) -> Target {
  .executableTarget(
    name: "\(product)Probe",
    dependencies: [.byName(name: product)],
    path: "Tests/Probes/\(product)Probe",
    swiftSettings: commonSettings)
}

let probeTargets = productNames.map { probe($0) }

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: commonSettings)
}

let testTargets: [Target] = [
  .target(name: "CTestSupport", path: "Tests/CTestSupport", cSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "TestSupport", dependencies: ["CTestSupport", "Exploration", "ThreadRecords", "ThreadSupport"],
    path: "Tests/TestSupport",
    swiftSettings: commonSettings),
  .testTarget(
    name: "TestSupportTests", dependencies: ["TestSupport", "ThreadRecords"], swiftSettings: commonSettings),
  .target(
    name: "LocksUnderTest",
    dependencies: ["ReadWriteLocks", "UnfairLocks"],
    path: "Tests/LocksUnderTest",
    swiftSettings: commonSettings),
  .target(
    name: "ProtectorsUnderTest",
    dependencies: ["Protectors", "ReadWriteLocks", "UnfairLocks"],
    path: "Tests/ProtectorsUnderTest",
    swiftSettings: commonSettings),
  .executableTarget(
    name: "NegativeControl",
    dependencies: ["TestSupport"],
    path: "Tests/NegativeControl",
    swiftSettings: commonSettings),
  .target(name: "CaseSupport", path: "Tests/CompileFail/Support", swiftSettings: commonSettings),
  .executableTarget(
    name: "CompileFail",
    // The modules that the cases import, which must be built before the cases are compiled.
    dependencies: ["CaseSupport"] + libraryModules.map { .byName(name: $0.name) },
    path: "Tests/CompileFail/Runner",
    swiftSettings: commonSettings),
  .testTarget(
    name: "CompileFailTests", dependencies: ["CompileFail"], swiftSettings: commonSettings),
  .executableTarget(
    name: "rows-in-c",
    dependencies: ["CRows", "OwningCoreInC", "RowsInterface"],
    path: "Tests/ForeignCores/c",
    cSettings: [.treatAllWarnings(as: .error)]),
  .target(name: "CForking", path: "Tests/CForking", cSettings: [.treatAllWarnings(as: .error)]),
  // The waits of Darwin before macOS 14.4, for their tests on other systems.
  .target(
    name: "CParkingTable", dependencies: ["CInterlock"], path: "Tests/CParkingTable",
    cSettings: [.treatAllWarnings(as: .error)]),
  tests("LockSupportTests", "CForking", "CInterlock", "CParkingTable", "LockSupport"),
  tests("UnfairLocksTests", "LockSupport", "UnfairLocks"),
  tests(
    "ReadWriteLocksTests", "LocksUnderTest", "LockSupport", "ReadWriteLocks", "ThreadRecords", "UnfairLocks"
  ),
  tests("ReadWriteLocksStressTests", "LocksUnderTest", "ReadWriteLocks", "UnfairLocks"),
  tests(
    "ProtectorsTests", "LockSupport", "Protectors", "ProtectorsUnderTest", "ReadWriteLocks", "UnfairLocks"),
  tests(
    "ProtectorsStressTests", "Exploration", "LockSupport", "Protectors", "ProtectorsUnderTest",
    "ReadWriteLocks", "UnfairLocks"),
  tests("SnapshotsTests", "CForking", "LockSupport", "Snapshots"),
  tests("TaskWaitersTests", "LockSupport", "TaskWaiters"),
  tests("AsyncLocksTests", "AsyncLocks", "LockSupport", "TaskWaiters"),
  tests("LazyInitializationTests", "LazyInitialization", "LockSupport", "TaskWaiters"),
  tests("LazyInitializationStressTests", "LazyInitialization", "LockSupport", "TaskWaiters"),
  tests("AtomicPropertiesTests", "AtomicProperties", "Exploration"),
  tests("AtomicPropertiesStressTests", "AtomicProperties"),
  // Waits for locks, for a profile.
  .executableTarget(
    name: "ContendedProgram",
    dependencies: ["ContentionProfiles", "Protectors", "ThreadSupport", "UnfairLocks"],
    path: "Tests/ContendedProgram", swiftSettings: commonSettings),
  // Runs `ContendedProgram`.
  tests(
    "ContentionProfilesTests", "AsyncLocks", "AtomicProperties", "CForking", "ContentionProfiles",
    "LazyInitialization",
    "EventSources", "Jobs", "Lifecycles", "Observers", "LockSupport", "Protectors", "ReadWriteLocks",
    "UnfairLocks"),
  tests(
    "LifecyclesTests", "EventSources", "Lifecycles", "LockSupport", "Protectors", "ReadWriteLocks",
    "TaskWaiters"),
  tests("EventSourcesTests", "EventSources", "Lifecycles", "LockSupport", "Protectors", "ReadWriteLocks"),
  tests("JobsTests", "Jobs", "LockSupport", "Protectors", "ReadWriteLocks"),
  tests("ObserversTests", "LockSupport", "Observers", "Protectors", "ReadWriteLocks"),
  tests("LifecyclesStressTests", "EventSources", "Jobs", "Lifecycles", "Observers", "Protectors"),
  tests("RowTreesTests", "RowTrees"),
  tests(
    "ViewModelsTests", "ViewModels", "AtomicProperties", "LazyInitialization", "EventSources", "Jobs",
    "Lifecycles", "Observers", "Protectors", "RowTrees", "Snapshots"),
  // Runs `rows-in-c`, which is built with everything else.
  tests("RowsInterfaceTests", "CRows", "RowsInterface", "ViewModels"),
  tests("ViewModelsStressTests", "ViewModels", "Protectors"),
  tests(
    "FaultTests", "AtomicProperties", "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers",
    "LocksUnderTest", "Protectors",
    "ProtectorsUnderTest", "ReadWriteLocks", "UnfairLocks", "ViewModels"),
  // Contains no tests without the trait `DeadlockDetection`.
  tests(
    "DeadlockDetectionTests", "AsyncLocks", "AtomicProperties", "DeadlockDetection", "DeadlockDetector",
    "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers",
    "Protectors", "ReadWriteLocks", "UnfairLocks"),
  // Empty without the trait `Exploration`.
  tests(
    "ExplorationTests", "AsyncLocks", "AtomicProperties", "ContentionProfiles", "Exploration",
    "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers", "LockSupport", "Protectors",
    "ReadWriteLocks", "Snapshots", "TaskWaiters", "ThreadRecords", "UnfairLocks", "ViewModels"),
  tests("BenchmarkHarnessTests", "BenchmarkHarness", "Commands"),
  tests("CommandsTests", "Commands"),
  .target(
    name: "CPseudoTerminal",
    path: "Tests/CPseudoTerminal",
    cSettings: [.treatAllWarnings(as: .error)]),
  tests(
    "LiveTableTests", "CPseudoTerminal", "CTerminal", "Commands", "LiveTables", "ViewModels", "benchmarks",
    "livetable"),
]

let products: [Product] =
  productNames.map { .library(name: $0, targets: [$0]) } + [
    // For programs that are not built by this package manager: `libInterlockRows.so`.
    .library(name: "InterlockRows", type: .dynamic, targets: ["RowsInterface"])
  ]

// Without a trait, nothing of what it stands for is compiled.
let traits: Set<Trait> = [
  .trait(name: "DeadlockDetection", description: "Reports deadlocks that can happen, before they do."),
  .trait(name: "Exploration", description: "Tests that run their threads under every schedule."),
]

let package = Package(
  name: "swift-interlock",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: products,
  traits: traits,
  targets: libraryTargets + demonstrationTargets + benchmarkTargets + borderTargets + probeTargets
    + testTargets,
  swiftLanguageModes: [.v6])
