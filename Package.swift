// swift-tools-version: 6.3
import PackageDescription

// Warnings are errors in the steps of `.ci/run` alone. In a client's build, the build system `swiftbuild` suppresses the
// warnings of packages, and compilers refuse the two options together.
let isChecked = Context.environment["INTERLOCK_WARNINGS"] == "errors"
let warningsInSwift: [SwiftSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []
let warningsInC: [CSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []

// Programs, tests and probes: the same language rules as the libraries, without the `unsafe` markers.
let commonSettings: [SwiftSetting] =
  warningsInSwift + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

// Library modules: every use of an unsafe construct is marked, and a comment says why it is sound. Debug builds
// check that: the compiler refuses the check together with `-Ounchecked`.
let librarySettings: [SwiftSetting] = commonSettings + [.strictMemorySafety(.when(configuration: .debug))]

// The words of `InterlockCore` are `Synchronization.Atomic` written out, which needs these features.
let wordSettings: [SwiftSetting] = [
  .enableExperimentalFeature("BuiltinModule"), .enableExperimentalFeature("RawLayout"),
]

/// A library module: one target, and a product of the same name.
struct LibraryModule {
  var name: String
  var dependencies: [Target.Dependency]
}

// Each product that contains `InterlockCore` depends on this, through another module or itself: with the trait, the core
// calls the detector.
let detector: Target.Dependency = .byName(
  name: "DeadlockDetection", condition: .when(traits: ["DeadlockDetection"]))

let libraryModules = [
  // The deadlock detector. Without the trait of the same name, it only has functions that do nothing.
  LibraryModule(
    name: "DeadlockDetection", dependencies: ["CInterlock", "InterlockCore", "InterlockServices"]),
  LibraryModule(name: "UnfairLocks", dependencies: [detector, "InterlockCore"]),
  LibraryModule(
    name: "ReadWriteLocks", dependencies: ["CInterlock", "InterlockCore", "InterlockWaits", "UnfairLocks"]),
  // Re-exports what the author of a lock needs, and those who use locks don't.
  LibraryModule(name: "RawLocks", dependencies: ["InterlockCore", "ReadWriteLocks", "UnfairLocks"]),
  LibraryModule(
    name: "Protectors",
    dependencies: ["InterlockCore", "InterlockWaits", "ReadWriteLocks", "UnfairLocks"]),
  LibraryModule(
    name: "Snapshots",
    dependencies: ["CInterlock", "InterlockCore", "InterlockServices", "UnfairLocks"]),
  // Locks and limits for tasks.
  LibraryModule(
    name: "AsyncLocks",
    dependencies: ["InterlockCore", "InterlockTasks", "InterlockWaits"]),
  LibraryModule(
    name: "LazyInitialization", dependencies: ["InterlockCore", "InterlockTasks", "InterlockWaits"]),
  LibraryModule(
    name: "AtomicProperties", dependencies: ["InterlockCore", "InterlockWaits", "UnfairLocks"]),
  LibraryModule(
    name: "Lifecycles",
    dependencies: ["CInterlock", "InterlockCore", "InterlockTasks", "InterlockWaits", "UnfairLocks"]),
  LibraryModule(
    name: "Observers",
    dependencies: ["InterlockCore", "Protectors", "UnfairLocks"]),
  LibraryModule(
    name: "EventSources",
    dependencies: [
      "CInterlock", "InterlockCore", "Lifecycles", "Protectors", "UnfairLocks",
    ]),
  LibraryModule(
    name: "Jobs",
    dependencies: [
      "AsyncLocks", "CInterlock", "InterlockCore", "InterlockTasks", "InterlockWaits", "Protectors",
      "UnfairLocks",
    ]),
  // Records where threads wait. Nothing else depends on it.
  LibraryModule(name: "ContentionProfiles", dependencies: ["CContention", detector, "InterlockCore"]),
  // Re-exports the toolkit.
  LibraryModule(
    name: "Interlock",
    dependencies: [
      "AsyncLocks", "AtomicProperties", "EventSources", "Jobs", "LazyInitialization", "Lifecycles",
      "Observers", "Protectors", "ReadWriteLocks", "Snapshots", "UnfairLocks",
    ]),
]

let productNames = libraryModules.map(\.name) + ["Exploration"]

let libraryTargets: [Target] =
  [
    .target(
      name: "CInterlock",
      cSettings: warningsInC + [
        .define("INTERLOCK_MODULE"),
        .define("INTERLOCK_EXPLORATION", .when(traits: ["Exploration"])),
        .define("INTERLOCK_DEADLOCK_DETECTION", .when(traits: ["DeadlockDetection"])),
        .define("INTERLOCK_SEPARATE_IMAGES", .when(traits: ["SeparateImages"])),
      ]),
    // The stacks of a profile of contention.
    .target(
      name: "CContention", dependencies: ["CInterlock"],
      cSettings: warningsInC + [.define("CONTENTION_MODULE")]),
    // The explorer's hold on the system and on the runtime of tasks. Empty without the trait of that name.
    .target(
      name: "CExploration", dependencies: ["CInterlock"],
      cSettings: warningsInC + [
        .define("EXPLORATION_MODULE"),
        .define("INTERLOCK_EXPLORATION", .when(traits: ["Exploration"])),
      ]),
    // What the primitives share: words, platforms, threads, waiters, and the connection to the tools.
    .target(
      name: "InterlockCore", dependencies: ["CInterlock"], swiftSettings: librarySettings + wordSettings),
    // What a program with an `UnfairLock` alone does not need: a thread of the package's own, tasks that wait, their
    // timer, the slots of readers. A program contains the package functions of each target that it depends on, called or
    // not.
    .target(
      name: "InterlockServices", dependencies: ["CInterlock", "InterlockCore"], swiftSettings: librarySettings
    ),
    .target(
      name: "InterlockWaits", dependencies: ["CInterlock", detector, "InterlockCore", "InterlockServices"],
      swiftSettings: librarySettings),
    // For primitives of tasks alone: their queue, and the loan of their priorities.
    .target(
      name: "InterlockTasks", dependencies: ["CInterlock", "InterlockCore", "InterlockWaits"],
      swiftSettings: librarySettings),
  ]
  + libraryModules.map {
    .target(name: $0.name, dependencies: $0.dependencies, swiftSettings: librarySettings)
  } + [
    // For tests. Without the trait of the same name, it has only the checker of histories.
    .target(
      name: "Exploration",
      dependencies: ["CExploration", "CInterlock", detector, "InterlockCore"],
      swiftSettings: librarySettings)
  ]

// Clients, which depend on products alone.
let demonstrationTargets: [Target] = [
  .target(
    name: "ViewModels",
    dependencies: [
      "AsyncLocks", "AtomicProperties", "LazyInitialization", "Jobs", "Lifecycles", "Observers", "Protectors",
      "ReadWriteLocks", "Snapshots",
    ],
    swiftSettings: librarySettings),
  .target(
    name: "CTerminal", path: "Sources/Demonstration/CTerminal", cSettings: warningsInC),
  .executableTarget(
    name: "livetable",
    dependencies: [
      "CTerminal", "EventSources", "Lifecycles", "ReadWriteLocks", "Snapshots", "ViewModels",
    ],
    path: "Sources/Demonstration/livetable",
    swiftSettings: commonSettings),
  // A core in C that owns rows and the threads that edit them, and a program in Swift that shows them.
  .target(
    name: "CRowsCore", path: "Sources/Demonstration/Cores/c", cSettings: warningsInC),
  .target(
    name: "ForeignRows", dependencies: ["CRowsCore", "Observers"],
    path: "Sources/Demonstration/Cores/ForeignRows", swiftSettings: commonSettings),
  .executableTarget(
    name: "coretable", dependencies: ["CRowsCore", "ForeignRows"],
    path: "Sources/Demonstration/Cores/coretable", swiftSettings: commonSettings),
]

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: commonSettings)
}

let testTargets: [Target] = [
  .target(name: "CTestSupport", path: "Tests/CTestSupport", cSettings: warningsInC),
  .target(
    name: "TestSupport", dependencies: ["CTestSupport", "Exploration", "InterlockCore", "InterlockWaits"],
    path: "Tests/TestSupport",
    swiftSettings: commonSettings),
  .testTarget(
    name: "TestSupportTests", dependencies: ["TestSupport", "InterlockCore", "InterlockWaits"],
    swiftSettings: commonSettings),
  .target(
    name: "LocksUnderTest",
    dependencies: ["InterlockCore", "Protectors", "ReadWriteLocks", "UnfairLocks"],
    path: "Tests/LocksUnderTest",
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
  .target(name: "CForking", path: "Tests/CForking", cSettings: warningsInC),
  // The waits of Darwin before macOS 14.4, for their tests on other systems.
  .target(
    name: "CParkingTable", dependencies: ["CInterlock"], path: "Tests/CParkingTable",
    cSettings: warningsInC),
  tests(
    "InterlockCoreTests", "CForking", "CInterlock", "CParkingTable", "InterlockCore", "InterlockServices",
    "InterlockTasks", "InterlockWaits", "UnfairLocks"),
  tests("UnfairLocksTests", "InterlockCore", "UnfairLocks"),
  tests(
    "ReadWriteLocksTests", "LocksUnderTest", "InterlockCore", "InterlockWaits", "ReadWriteLocks",
    "UnfairLocks"),
  tests(
    "ProtectorsTests", "Exploration", "InterlockCore", "InterlockWaits", "LocksUnderTest", "Protectors",
    "ReadWriteLocks", "UnfairLocks"),
  // What a read returns, as a client's optimizer leaves it.
  tests("ReturnedValuesTests", "Interlock"),
  tests(
    "SnapshotsTests", "CForking", "CTestSupport", "InterlockCore", "InterlockServices", "Snapshots",
    "UnfairLocks"),
  tests("AsyncLocksTests", "AsyncLocks", "InterlockCore", "InterlockTasks", "InterlockWaits"),
  tests("LazyInitializationTests", "LazyInitialization", "InterlockCore", "InterlockTasks", "InterlockWaits"),
  tests("AtomicPropertiesTests", "AtomicProperties", "Exploration"),
  // Waits for locks, for a profile.
  .executableTarget(
    name: "ContendedProgram",
    dependencies: ["ContentionProfiles", "Protectors", "InterlockCore", "UnfairLocks"],
    path: "Tests/ContendedProgram", swiftSettings: commonSettings),
  // Runs `ContendedProgram`.
  tests(
    "ContentionProfilesTests", "AsyncLocks", "AtomicProperties", "CContention", "CForking",
    "ContentionProfiles", "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers",
    "InterlockCore", "InterlockTasks", "InterlockWaits", "LocksUnderTest", "Protectors", "ReadWriteLocks",
    "UnfairLocks"),
  tests(
    "LifecyclesTests", "EventSources", "Lifecycles", "InterlockCore", "InterlockTasks", "InterlockWaits",
    "Protectors"),
  tests("EventSourcesTests", "EventSources", "Lifecycles", "InterlockCore", "Protectors", "ReadWriteLocks"),
  tests(
    "JobsTests", "AsyncLocks", "CForking", "CInterlock", "Jobs", "InterlockCore", "InterlockTasks",
    "InterlockWaits",
    "LazyInitialization", "Protectors", "ReadWriteLocks"),
  tests("ObserversTests", "InterlockCore", "Observers", "Protectors", "ReadWriteLocks"),
  tests(
    "ViewModelsTests", "ViewModels", "AtomicProperties", "LazyInitialization", "EventSources", "Jobs",
    "Lifecycles", "Observers", "Protectors", "ReadWriteLocks", "Snapshots"),
  tests("CoresTests", "CRowsCore", "ForeignRows"),
  tests(
    "FaultTests", "AtomicProperties", "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers",
    "LocksUnderTest", "Protectors", "ReadWriteLocks", "UnfairLocks", "ViewModels"),
  // Contains no tests without the trait `DeadlockDetection`.
  tests(
    "DeadlockDetectionTests", "AsyncLocks", "AtomicProperties", "CForking", "DeadlockDetection",
    "InterlockCore", "LazyInitialization", "EventSources", "Jobs", "Lifecycles", "Observers", "Protectors",
    "ReadWriteLocks", "UnfairLocks"),
  // Empty without the trait `Exploration`.
  tests(
    "ExplorationTests", "AsyncLocks", "AtomicProperties", "Exploration", "LazyInitialization", "EventSources",
    "Jobs", "Lifecycles", "LocksUnderTest", "Observers", "InterlockCore", "InterlockServices",
    "InterlockTasks", "InterlockWaits", "Protectors", "ReadWriteLocks", "Snapshots", "UnfairLocks",
    "ViewModels"),
  // Empty without the trait `Exploration` and the condition `ShippedLayout`, with which `.ci/lines` builds it.
  .testTarget(
    name: "LineTests",
    dependencies: [
      "AsyncLocks", "AtomicProperties", "EventSources", "Exploration", "InterlockCore", "Jobs",
      "LazyInitialization", "Lifecycles", "Observers", "Protectors", "ReadWriteLocks", "Snapshots",
      "TestSupport",
      "UnfairLocks",
    ], exclude: ["lines.txt"], swiftSettings: commonSettings),
  // Runs `livetable`, too.
  tests("LiveTableTests", "CTerminal", "ViewModels", "livetable"),
]

let products: [Product] = productNames.map { .library(name: $0, targets: [$0]) }

// Without a tool's trait, nothing of the tool is compiled.
let traits: Set<Trait> = [
  .trait(name: "DeadlockDetection", description: "Reports deadlocks that can happen, before they do."),
  .trait(name: "Exploration", description: "Tests that run their threads under every schedule."),
  .trait(
    name: "SeparateImages",
    description: "Permits copies in other images of the process, which share no primitive."),
]

let package = Package(
  name: "swift-interlock",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: products,
  traits: traits,
  targets: libraryTargets + demonstrationTargets + testTargets,
  swiftLanguageModes: [.v6])
