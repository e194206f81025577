extension ModelStream {
  /// A stream of the results of calling `transform` with each value.
  ///
  /// - Parameter transform: Makes the new value; called once for each value and observer.
  /// - Complexity: O(1) to make the stream.
  public func map<Other: Sendable & Equatable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> ModelStream<Input, Other> {
    derived { stage in
      { input in
        switch stage(input) {
        case .nothing: .nothing
        case .value(let value): .value(transform(value))
        case .lastValue(let value): .lastValue(transform(value))
        case .end: .end
        }
      }
    }
  }

  /// A stream of the values for which `isIncluded` holds.
  ///
  /// - Parameter isIncluded: Whether a value is delivered; called once for each value and observer.
  /// - Complexity: O(1) to make the stream.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> ModelStream {
    derived { stage in
      { input in
        let step = stage(input)
        return switch step {
        case .value(let value) where !isIncluded(value): .nothing
        case .lastValue(let value) where !isIncluded(value): .end
        default: step
        }
      }
    }
  }

  /// A stream without the first `count` values.
  ///
  /// A stream of values begins with the current value, so `skip(1)` delivers only changes.
  ///
  /// - Parameter count: The number of values that are left out; a negative number traps.
  /// - Complexity: O(1) to make the stream.
  public func skip(_ count: Int) -> ModelStream {
    Self.checkCount(count)
    return derived { stage in
      var missing = count
      return { input in
        let step = stage(input)
        switch step {
        case .value where missing > 0:
          missing -= 1
          return .nothing
        case .lastValue where missing > 0:
          return .end
        default:
          return step
        }
      }
    }
  }

  /// A stream of the first `count` values.
  ///
  /// The stream ends with the last of these values.
  ///
  /// - Parameter count: The number of values that are delivered. With 0 the stream ends immediately. A
  ///   negative number traps.
  /// - Complexity: O(1) to make the stream.
  public func take(_ count: Int) -> ModelStream {
    Self.checkCount(count)
    return derived { stage in
      if count == 0 { return nil }
      var left = count
      return { input in
        let step = stage(input)
        guard case .value(let value) = step else { return step }
        left -= 1
        return left == 0 ? .lastValue(value) : step
      }
    }
  }

  /// A stream of the results of calling `transform` with the latest values of this stream and another one.
  ///
  /// The combined stream has a value as soon as both streams have one. When one change of the model changes
  /// both streams, `transform` is called once, with both new values. The combined stream ends when both
  /// streams have ended, or when one of them has ended without a value.
  ///
  /// - Parameters:
  ///   - other: Another stream of the same model; a stream of another model traps.
  ///   - transform: Makes one value from the two. Called for each observer, each time that one stream or both
  ///     have a new value.
  /// - Complexity: O(1) to make the stream.
  public func combine<Second: Sendable & Equatable, Other: Sendable & Equatable>(
    _ other: ModelStream<Input, Second>,
    _ transform: @escaping @Sendable (Value, Second) -> Other
  ) -> ModelStream<Input, Other> {
    if other.source !== source {
      misuse(
        "ModelStream", "combined with a stream of another model",
        "combine streams of one model, whose values belong together")
    }
    let makeFirst = makeStage
    let makeSecond = other.makeStage
    return ModelStream<Input, Other>(source: source, isDistinct: isDistinct) {
      guard let first = makeFirst(), let second = makeSecond() else { return nil }
      var left = LatestValue(of: first)
      var right = LatestValue(of: second)
      return { input in
        let leftChanged = left.update(input)
        let rightChanged = right.update(input)
        let isOver = left.isOver && right.isOver
        guard let leftValue = left.value, let rightValue = right.value else {
          return left.isBarren || right.isBarren ? .end : .nothing
        }
        guard leftChanged || rightChanged else { return isOver ? .end : .nothing }
        let value = transform(leftValue, rightValue)
        return isOver ? .lastValue(value) : .value(value)
      }
    }
  }

  /// Returns this stream followed by one more stage.
  ///
  /// - Parameter makeNext: Called for each observer with the stages so far. Returns them followed by the new
  ///   stage; `nil` if the result has no values.
  private func derived<Other>(
    _ makeNext: @escaping @Sendable (@escaping Stage) -> ModelStream<Input, Other>.Stage?
  ) -> ModelStream<Input, Other> {
    let makeStage = makeStage
    return ModelStream<Input, Other>(source: source, isDistinct: isDistinct) {
      makeStage().flatMap(makeNext)
    }
  }

  private static func checkCount(_ count: Int) {
    if count >= 0 { return }
    misuse("ModelStream", "asked to count \(count) values", "pass a number of at least 0")
  }
}
