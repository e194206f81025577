#if DeadlockDetection
  internal import CInterlock
  internal import InterlockCore
  internal import Runtime

  /// The call stack of a thread, captured for example when the thread acquires a lock.
  ///
  /// A stack is captured while the detector's mutex is held. The names and lines of its functions are looked
  /// up while the mutex of reports is held.
  // `@unchecked Sendable` is sound: only the lazily found names and lines change after `init`, and they are
  // accessed only while the mutex of reports is held.
  final class LockStack: @unchecked Sendable {
    /// At most four consecutive frames of a stack.
    ///
    /// The source lines of the frames are found when a report first needs them. Finding the line of one
    /// address takes tenths of a second in a large program, because the runtime reads the line tables of all
    /// files. A report finds the lines only of the parts that it shows.
    private final class Part {
      static let length = 4

      private let backtrace: Backtrace
      private let images: ImageMap
      private let addresses: ArraySlice<UInt>
      var count: Int { addresses.count }
      /// The function of each frame, without its line.
      private lazy var names = (backtrace.symbolicated(with: images, options: [])?.frames ?? []).prefix(count)
      /// For each frame, the functions at its address, innermost first.
      ///
      /// Each function but the last is inlined into the next one.
      private(set) lazy var functions: [[SymbolicatedBacktrace.Frame]] = {
        var functions: [[SymbolicatedBacktrace.Frame]] = [[]]
        for frame in backtrace.symbolicated(with: images)?.frames ?? [] {
          if frame.symbol != nil { functions[functions.count - 1].append(frame) }
          if !frame.inlined { functions.append([]) }
        }
        return functions
      }()

      /// Makes a part of frames with these return addresses; `nil` if that is not possible.
      init?(_ addresses: ArraySlice<UInt>, _ images: ImageMap) {
        guard let backtrace = Backtrace(returnAddresses: addresses) else { return nil }
        self.backtrace = backtrace
        self.images = images
        self.addresses = addresses
      }

      /// For each frame, whether it belongs to a function of this package.
      ///
      /// The function's name suffices to decide this, so no line tables are read.
      private lazy var areOfToolkit = names.map { frame in
        guard let name = frame.symbol?.rawName else { return false }
        return LockStack.prefixes.contains { name.hasPrefix($0) }
      }
      private lazy var areOfSystem = names.map { $0.isSystem || $0.isSwiftThunk }

      func isOfToolkit(_ index: Int) -> Bool { index < areOfToolkit.count && areOfToolkit[index] }

      func isOfSystem(_ index: Int) -> Bool { index >= areOfSystem.count || areOfSystem[index] }

      func address(_ index: Int) -> UInt { addresses[addresses.startIndex + index] }

      func isMain(_ index: Int) -> Bool { index < names.count && names[index].symbol?.rawName == "main" }
    }

    /// A frame of the stack, given as an index into a `Part`.
    private struct Frame {
      let part: Part
      let index: Int
    }

    private let frames: [Frame]
    /// Maps the `ThreadLocks.Held.frame` of each held lock to the number of innermost frames that began after
    /// the lock's acquisition.
    private let framesSinceHeld: [UInt: Int]

    private init(_ frames: [Frame], _ framesSinceHeld: [UInt: Int], in submitter: LockStack?) {
      var frames = frames
      var framesSinceHeld = framesSinceHeld
      if let submitter {
        for (frame, count) in submitter.framesSinceHeld { framesSinceHeld[frame] = frames.count + count }
        frames += submitter.frames
      }
      self.frames = frames
      self.framesSinceHeld = framesSinceHeld
    }

    // Sound: `images` and `captured` are accessed only while the detector's mutex is held.
    private nonisolated(unsafe) static var images: ImageMap?
    /// A cache of the frames of captured stacks, by their return addresses.
    ///
    /// It is worthwhile because capturing a stack takes most of a millisecond, and the same stacks recur:
    /// even programs with many locks acquire them in few places.
    private nonisolated(unsafe) static var captured: [[UInt]: [Frame]] = [:]

    /// Captures the calling thread's stack.
    ///
    /// In a work item of a dispatch queue, the stack of the thread that waits for the item is appended.
    /// Walking the frames alone would end in the functions of `Dispatch`, which have no frame pointers. From a task,
    /// the stack has the innermost asynchronous function, but not its callers.
    ///
    /// - Parameters:
    ///   - frames: The `ThreadLocks.Held.frame` of each lock that the thread holds.
    ///   - item: The work item that the thread runs; `nil` outside of work items.
    @inline(never)
    static func capture(heldFrom frames: [UInt], in item: WorkItem? = nil) -> LockStack {
      let depth = Int(interlock_frames_below(interlock_frame_address()))
      var framesSince: [UInt: Int] = [:]
      for frame in frames { framesSince[frame] = max(0, Int(interlock_frames_below(frame)) - depth) }
      let end = item?.submitterFrame ?? 0
      let addresses = unsafe [UInt](unsafeUninitializedCapacity: deepest) { buffer, count in
        count = Int(unsafe interlock_return_addresses(buffer.baseAddress, UInt32(deepest), end))
      }
      if let frames = unsafe captured[addresses] {
        return LockStack(frames, framesSince, in: item?.submitter)
      }
      let map = unsafe images ?? ImageMap.capture()
      unsafe images = map
      let parts = stride(from: 0, to: addresses.count, by: Part.length).compactMap { start in
        Part(addresses[start..<min(start + Part.length, addresses.count)], map)
      }
      if unsafe captured.count >= mostCaptured { unsafe captured = [:] }
      let all = parts.flatMap { part in (0..<part.count).map { Frame(part: part, index: $0) } }
      unsafe captured[addresses] = all
      return LockStack(all, framesSince, in: item?.submitter)
    }

    /// Identifies the place of an acquisition in the program: a hash of the return address in the innermost
    /// function that is not of this package or the system; 0 if that address is not known.
    ///
    /// - Parameter frame: The `ThreadLocks.Held.frame` of a held lock, to identify the place of its
    ///   acquisition; `nil` for the acquisition at which the stack was captured.
    func site(heldFrom frame: UInt? = nil) -> Int {
      var isInBody = frame != nil
      var site: Frame?
      for position in frames.dropFirst(frame.flatMap { framesSinceHeld[$0] } ?? 0) {
        if position.part.isOfSystem(position.index) { continue }
        if position.part.isOfToolkit(position.index) {
          if isInBody { site = nil }
          isInBody = false
        } else if site == nil {
          site = position
          if !isInBody { break }
        }
      }
      return site.map { $0.part.address($0.index).hashValue } ?? 0
    }

    /// The source lines of the innermost functions in the stack that are not of this package, at most
    /// `longest` of them, innermost first.
    ///
    /// - Parameter frame: The `ThreadLocks.Held.frame` of a held lock, to leave out functions that began
    ///   after its acquisition; `nil` for all functions.
    func lines(heldFrom frame: UInt? = nil) -> [String] {
      let first = frame.flatMap { framesSinceHeld[$0] } ?? 0
      // The innermost frames may belong to the closure that runs under the held lock. Their lines are dropped
      // at the first frame of this package, whose function has called the closure.
      var isInBody = frame != nil
      var lines: [String] = []
      for frame in frames.dropFirst(first) {
        let (part, index) = (frame.part, frame.index)
        if lines.count >= Self.longest || part.isMain(index) { break }
        if part.isOfSystem(index) { continue }
        if part.isOfToolkit(index) {
          if isInBody { lines = [] }
          isInBody = false
          continue
        }
        var place: String?
        for function in part.functions[index] {
          guard let symbol = function.symbol, let location = symbol.sourceLocation, location.line > 0
          else { continue }
          if function.isSwiftRuntimeFailure || location.path.hasPrefix("/<compiler") { continue }
          if Self.folders.contains(where: location.path.hasPrefix) {
            if isInBody { lines = [] }
            isInBody = false
            continue
          }
          // A specialized function is mostly one of this package, into which a closure of the program was inlined: the line
          // is the closure's, and the name that of the function with the closure.
          place = place ?? "\(location.path.split(separator: "/").last ?? "?"):\(location.line)"
          if symbol.name.hasPrefix("specialized ") { continue }
          let name = symbol.name.hasSuffix(" in ") ? symbol.name + "the main file" : symbol.name
          lines.append("\(place!) in \(name)")
          place = nil
        }
      }
      return lines
    }

    /// The maximum number of frames that are captured.
    private static let deepest = 40
    /// The maximum number of stacks in the cache `captured`, which is emptied when it is full.
    private static let mostCaptured = 4096
    private static let longest = 8

    private static let prefixes = Toolkit.modules.map { "$s\($0.utf8.count)\($0)" } + ["interlock_"]

    private static let folders: [String] = {
      let sources = #filePath.dropLast("DeadlockDetection/LockStack.swift".count)
      return Toolkit.modules.map { "\(sources)\($0)/" }
    }()
  }

  /// A work item of a dispatch queue, for which the thread that submitted it waits.
  final class WorkItem: Sendable {
    /// The stack of the submitting thread.
    let submitter: LockStack
    /// The address of the stack frame of the function that submitted the item; 0 if the item runs on another
    /// thread.
    let submitterFrame: UInt

    init(submitter: LockStack, submitterFrame: UInt) {
      self.submitter = submitter
      self.submitterFrame = submitterFrame
    }
  }
#endif
