import CContention
import Foundation
import TestSupport
import Testing
import InterlockCore
import Exploration

@Suite("Stacks of waits")
struct StackTests {
  /// The number of frames in each recorded stack.
  private static let depths = Monitor<[UInt32]>([])

  private static func recordStack() {
    var addresses = [UInt](repeating: 0, count: 48)
    let depth = contention_stack(&addresses, 48)
    depths.enter { $0.append(depth) }
  }

  /// Records a stack in a signal handler that runs on a stack of its own.
  private static func recordForeignStack() {
    let size = 1 << 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
    defer { memory.deallocate() }
    var before = stack_t()
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = size
    sigaltstack(&stack, &before)
    var actionBefore = sigaction()
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in StackTests.recordStack() }
    #else
      action.__sigaction_handler.sa_handler = { _ in StackTests.recordStack() }
    #endif
    action.sa_flags = SA_ONSTACK
    sigaction(SIGUSR1, &action, &actionBefore)
    // A thread inherits the blocked signals of a dispatch queue's thread.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGUSR1)
    sigaction(SIGUSR1, &actionBefore, nil)
    sigaltstack(&before, nil)
  }

  @Test("A wait on a stack of the program hides no frames of waits on the thread's own, nor the reverse")
  func foreignStack() async {
    // In a process of its own, because other tests handle the signal.
    await #expect(processExitsWith: .success) {
      for isFirstForeign in [false, true] {
        PlatformThread {
          if !isFirstForeign { Self.recordStack() }
          Self.recordForeignStack()
          Self.recordStack()
          Self.recordForeignStack()
        }
        .join()
      }
      let depths = Self.depths.enter { $0 }
      precondition(depths.count == 7 && depths.allSatisfy { $0 > 0 }, "\(depths)")
    }
  }
}
