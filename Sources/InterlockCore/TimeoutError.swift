/// The error of a call that gives up because its timeout passed.
///
/// A form with a `timeout:` throws it *instead of* running its body. So a caller whose body has thrown nothing knows
/// that nothing was done. If the body may throw the same type, the error of an inner wait passes through the outer form;
/// ``isThrown(by:)`` tells the two apart:
///
/// ```swift
/// do {
///   try pool.withWriteLock(waitingUntil: { !$0.isEmpty }, timeout: .seconds(5)) { try use(&$0) }
/// } catch let error as TimeoutError where error.isThrown(by: pool) {
///   // `use` was not called.
/// }
/// ```
public struct TimeoutError: Error, Sendable {
  private enum Source {
    case primitive(Primitive)
    case label(String)
  }
  private let source: Source
  /// The address of what was waited for; 0 if it has none.
  @usableFromInline
  package let address: UInt

  /// Creates the error, for a test or an operation that measures its time itself.
  ///
  /// - Parameter label: What was waited for.
  public init(label: String = "") {
    source = .label(label)
    address = 0
  }

  /// Creates the error of a wait for `primitive`, which is at `address`.
  @usableFromInline
  package init(_ primitive: Primitive, at address: UInt = 0) {
    source = .primitive(primitive)
    self.address = address
  }

  /// Creates the error of a wait for `object`, which traps and reports identify as `primitive`.
  // Out of line: code that gives up must not make a fast path longer. Generic: before macOS 15, an object with a noncopyable
  // value can't be converted to `AnyObject`.
  @usableFromInline
  @inline(never)
  package init<Object: AnyObject>(_ primitive: Primitive, of object: Object) {
    self.init(primitive, at: Self.address(of: object))
  }

  private static func address<Object: AnyObject>(of object: Object) -> UInt {
    // Sound: the pointer is never dereferenced.
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// What was waited for: its type, and its label where the type stores one or a tool's trait is on.
  ///
  /// If the program created the error, the label that it passed.
  public var label: String {
    switch source {
    case .primitive(let primitive): primitive.name
    case .label(let label): label
    }
  }

  /// Whether `object` has thrown this error: the timeout of a call of `object` has passed, and not that of another wait
  /// inside its body.
  ///
  /// - Parameter object: A protector, an `AsyncMutex` or another object of this package that still exists.
  public func isThrown(by object: AnyObject) -> Bool {
    address != 0 && address == Self.address(of: object)
  }
}

extension TimeoutError: CustomStringConvertible {
  /// A sentence with the label.
  public var description: String {
    label.isEmpty ? "the timeout passed" : "the timeout of \(label) passed"
  }
}
