// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// This file stands in for Dispatch when the package is type-checked for Darwin on another system. It has only
// the declarations that the package uses, as in swift-corelibs-libdispatch.

public class DispatchObject: @unchecked Sendable {
  public func activate() {}
  public func suspend() {}
  public func resume() {}
}

public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

public struct DispatchQoS: Sendable {
  public enum QoSClass: Sendable {
    case background, utility, `default`, userInitiated, userInteractive, unspecified
  }
  public static let unspecified = DispatchQoS()
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let barrier = DispatchWorkItemFlags(rawValue: 1)
}

public enum DispatchTimeInterval: Sendable {
  case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public var uptimeNanoseconds: UInt64 { 0 }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 1)
  }
  public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }
  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { self.init(label) }
  private init(_ label: String) { self.label = label }
  public let label: String
  public static let main = DispatchQueue("")
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { main }
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { nil }
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
  @preconcurrency public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}

  @preconcurrency public func asyncAfter(
    deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void
  ) {}
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
  public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T { try work() }
}

public protocol DispatchSourceProtocol: Sendable {
  typealias DispatchSourceHandler = @Sendable @convention(block) () -> Void
  func setEventHandler(handler: DispatchSourceHandler?)
  func setCancelHandler(handler: DispatchSourceHandler?)
  func setRegistrationHandler(handler: DispatchSourceHandler?)
  func cancel()
  func suspend()
  func resume()
  func activate()
  var data: UInt { get }
}
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval)
}
public protocol DispatchSourceRead: DispatchSourceProtocol {}
public protocol DispatchSourceWrite: DispatchSourceProtocol {}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
public protocol DispatchSourceUserDataAdd: DispatchSourceProtocol { func add(data: UInt) }
public protocol DispatchSourceUserDataOr: DispatchSourceProtocol { func or(data: UInt) }
public protocol DispatchSourceUserDataReplace: DispatchSourceProtocol { func replace(data: UInt) }

public final class DispatchSource: DispatchObject, DispatchSourceTimer, DispatchSourceRead,
  DispatchSourceWrite,
  DispatchSourceSignal, DispatchSourceUserDataAdd, DispatchSourceUserDataOr, DispatchSourceUserDataReplace,
  @unchecked Sendable
{
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let strict = TimerFlags(rawValue: 1)
  }
  public func setEventHandler(handler: DispatchSourceHandler?) {}
  public func setCancelHandler(handler: DispatchSourceHandler?) {}
  public func setRegistrationHandler(handler: DispatchSourceHandler?) {}
  public func cancel() {}
  public var data: UInt { 0 }
  public func schedule(deadline: DispatchTime, repeating: DispatchTimeInterval, leeway: DispatchTimeInterval)
  {}
  public func add(data: UInt) {}
  public func or(data: UInt) {}
  public func replace(data: UInt) {}
  public class func makeTimerSource(
    flags: TimerFlags = [], queue: DispatchQueue? = nil
  ) -> any DispatchSourceTimer { DispatchSource() }
  public class func makeReadSource(
    fileDescriptor: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceRead { DispatchSource() }
  public class func makeWriteSource(
    fileDescriptor: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceWrite { DispatchSource() }
  public class func makeSignalSource(
    signal: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceSignal { DispatchSource() }
  public class func makeUserDataAddSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataAdd { DispatchSource() }
  public class func makeUserDataOrSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataOr { DispatchSource() }
  public class func makeUserDataReplaceSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataReplace { DispatchSource() }
}
