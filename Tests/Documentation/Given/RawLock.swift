import UnfairLocks
func lock() {}
func unlock() {}
