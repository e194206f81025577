#if DeadlockDetection || Exploration
  package import Runtime

  // `Backtrace.capture` follows frame pointers without checks, and from the frame of an asynchronous function on the
  // contexts of its callers, which optimized code does not keep where it looks for them: it then reads any address. The
  // type has no initializer for addresses that were found otherwise, but it can be decoded.

  extension Backtrace {
    /// Makes a backtrace of frames with these return addresses, innermost first; `nil` if this version of the runtime
    /// encodes backtraces in another way.
    package init?(returnAddresses: ArraySlice<UInt>) {
      // The format: a version, which says that addresses have 64 bits; for each frame, an instruction for a return
      // address that differs from the last one by a number of eight bytes; an end.
      var bytes: [UInt8] = [2]
      var last: UInt = 0
      for address in returnAddresses {
        bytes.append(0x27)
        let difference = UInt64(address &- last)
        bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: difference >> $0) }
        last = address
      }
      bytes.append(0)
      #if arch(x86_64)
        let architecture = "x86_64"
      #else
        let architecture = "arm64"
      #endif
      try? self.init(
        from: TextFields(values: ["architecture": architecture, "backtrace": base64(bytes)]))
    }
  }

  /// The text that represents `bytes`, six bits for each character.
  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(digits[bits >> (18 - 6 * digit) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }

  private struct Missing: Error {}

  /// An encoded object whose fields are texts.
  private struct TextFields: Decoder {
    let values: [String: String]

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Container(values: values))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Missing() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Missing() }
  }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let values: [String: String]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { values.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      guard let value = values[key.stringValue] else { throw Missing() }
      return value
    }

    // What no backtrace has.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { throw Missing() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw Missing() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw Missing() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { throw Missing() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw Missing() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw Missing() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw Missing() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw Missing() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw Missing() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw Missing() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw Missing() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw Missing() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw Missing() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw Missing() }
    func nestedContainer<Nested>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Missing() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Missing() }
    func superDecoder() throws -> any Decoder { throw Missing() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Missing() }
  }
#endif
