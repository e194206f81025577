// An event type of one's own.
//
// No source makes such events: a task that awaits them waits forever.

import EventSources

#if WRONG
  struct Alarm: SourceEvent {}
// error: type 'Alarm' does not conform to protocol 'SourceEvent'
#else
  typealias Alarm = TimerEvent
#endif

func show(_ alarm: Alarm) {}
