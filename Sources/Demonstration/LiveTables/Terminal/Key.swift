/// A key press.
package enum Key: Sendable, Equatable {
  case character(Character)
  case enter, backspace, escape
  case up, down, pageUp, pageDown, home, end
}
