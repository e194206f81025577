import Interlock

/// A value that contains a reference, and can tell whether its objects still exist.
protocol Returned: Sendable {
  init(number: Int)
  /// Reads the objects of the value. A freed object gives `false`, or ends the process.
  var isWhole: Bool { get }
}

/// An object that does not survive its end unnoticed.
final class Box: Returned, Numbered {
  let number: Int
  private let complement: Int

  init(number: Int) {
    self.number = number
    complement = ~number
  }

  var isWhole: Bool { number == ~complement }
}

protocol Numbered: Sendable {
  var number: Int { get }
  var isWhole: Bool { get }
}

extension [Int]: Returned {
  init(number: Int) { self = [number, ~number, number] }

  var isWhole: Bool { count == 3 && self[0] == ~self[1] && self[0] == self[2] }
}

extension String: Returned {
  // Longer than what a string stores without an object.
  init(number: Int) { self = "the number of this string is \(number), no other" }

  var isWhole: Bool { hasPrefix("the number of") && hasSuffix("no other") }
}

struct Existential: Returned {
  let numbered: any Numbered

  init(number: Int) { numbered = Box(number: number) }

  var isWhole: Bool { numbered.isWhole }
}

struct Named: Returned {
  let name: String
  let box: Box?
  let number: Int

  init(number: Int) {
    name = String(number: number)
    box = Box(number: number)
    self.number = number
  }

  var isWhole: Bool { name.isWhole && box?.number == number }
}

/// A noncopyable value with a reference, as a section may return it.
struct Handle: ~Copyable, Sendable {
  let box: Box
}

/// An object that others call until it is invalidated, which ends its value.
final class Owner<Value: Returned>: @unchecked Sendable {
  // Sound: `value` changes only after `invalidate` has returned, and is read only in deliveries.
  let lifecycle = Lifecycle(label: "owner")
  var value: Value?

  init(number: Int) {
    value = Value(number: number)
    lifecycle.activate()
  }

  func end() {
    lifecycle.invalidate()
    value = nil
  }
}
