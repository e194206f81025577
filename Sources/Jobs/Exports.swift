@_exported public import struct InterlockCore.TimeoutError
