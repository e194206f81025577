internal import Protectors

/// Maps handles to objects.
///
/// A handle is a number that code in another language can keep, copy, and even use after the object was
/// removed.
///
/// A handle is a slot's index (32 bits), the slot's generation (28 bits, from 1) and the kind of the object
/// (4 bits). The generation counts up when an object is removed, so an old handle never leads to a later
/// object. A slot whose generations are used up is not used again.
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
  private struct Slot: Sendable {
    var generation: UInt32 = 1
    var object: Object?
  }

  private struct State: Sendable {
    var slots: [Slot] = []
    var vacant: [UInt32] = []
  }

  private let state = Protector(State())
  let kind: UInt64
  private let lastGeneration: UInt32

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - kind: The kind of the objects: a number from 1 to 15 that no other table uses.
  ///   - lastGeneration: The last generation of a slot, less than 2^28. Tests pass a small number, to use up
  ///     the generations of a slot.
  init(kind: UInt64, lastGeneration: UInt32 = 1 << 28 - 1) {
    self.kind = kind
    self.lastGeneration = lastGeneration
  }

  private func index(of handle: UInt64) -> (slot: Int, generation: UInt32)? {
    guard handle >> 60 == kind else { return nil }
    return (Int(handle & 0xFFFF_FFFF), UInt32(handle >> 32 & 0xFFF_FFFF))
  }

  /// The object of a handle; `nil` if it has been removed, or if there never was such a handle.
  func object(_ handle: UInt64) -> Object? {
    guard let (slot, generation) = index(of: handle) else { return nil }
    return state.withReadLock { state in
      guard slot < state.slots.count, state.slots[slot].generation == generation else { return nil }
      return state.slots[slot].object
    }
  }

  /// Adds an object, and returns its handle.
  func insert(_ object: Object) -> UInt64 {
    state.withWriteLock { state in
      let slot = state.vacant.popLast() ?? UInt32(state.slots.count)
      if slot == state.slots.count { state.slots.append(Slot()) }
      state.slots[Int(slot)].object = object
      return kind << 60 | UInt64(state.slots[Int(slot)].generation) << 32 | UInt64(slot)
    }
  }

  /// Removes and returns the object of a handle; `nil` if it has been removed, or if there never was such a
  /// handle.
  func remove(_ handle: UInt64) -> Object? {
    guard let (slot, generation) = index(of: handle) else { return nil }
    return state.withWriteLock { state in
      guard slot < state.slots.count, state.slots[slot].generation == generation,
        let object = state.slots[slot].object
      else { return nil }
      state.slots[slot].object = nil
      if generation < lastGeneration {
        state.slots[slot].generation += 1
        state.vacant.append(UInt32(slot))
      }
      return object
    }
  }

  /// The number of objects that have a handle.
  var count: Int { state.withReadLock { state in state.slots.count { $0.object != nil } } }
}

/// The handle tables of the process, one for each kind of object.
enum Handles {
  static let models = HandleTable<SharedModel>(kind: 1)
  static let registrations = HandleTable<ForeignObserver>(kind: 2)
  static let snapshots = HandleTable<SharedSnapshot>(kind: 3)
  static let sinks = HandleTable<CoreSink>(kind: 4)
}
