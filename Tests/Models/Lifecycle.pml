/*
 * Lifecycle: deliveries in slots, and threads that close it and wait for them, on a processor with store buffers (total
 * store order). README.md says which line stands for which piece of code.
 *
 * Checked: no delivery is running or begins once a thread that closed the lifecycle has finished waiting (the assertions);
 * every thread finishes, so no wake-up is lost (spin's search for invalid end states).
 *
 * Variants, each of which must fail:
 *   -DNO_FENCE         no heavy barrier after closing (W2)
 *   -DNO_SECOND_FENCE  no heavy barrier after `sleepers` was raised (W5)
 *   -DNO_RECHECK       the delivery does not look at the state after it has filled its slot (D3)
 *   -DNO_REPORT        the delivery tells nobody that it leaves (D7)
 *   -DNO_COUNT         a report wakes, but does not change `departures`
 *   -DLATE_COUNT       `departures` is read after the slots were looked at (W6 after W7)
 *   -DWAKE_ONE         a report wakes one thread only
 */

#ifndef DELIVERERS
#define DELIVERERS 2
#endif
#ifndef CLOSERS
#define CLOSERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* `state`: open, or closed for good. The failing of an activation closes and waits in the same way. */
bool closed;

/* Whether a thread's slot holds the anchor, as memory has it, and the stores on their way there. */
bit slot[DELIVERERS];
chan buffer[DELIVERERS] = [2] of { bit };

byte sleepers;
byte departures;

/* Who sleeps in the kernel: one bit for each thread. */
byte asleep;

/* What the assertions look at. */
byte inside;
bool over;

/* A plain store to the own slot enters the buffer; it waits while the buffer is full. */
#define STORE(value) buffer[me]!value

/* The processor writes a buffered store to memory, whenever it likes. */
active [DELIVERERS] proctype StoreBuffer() {
  byte me = _pid;
end:
  do
  :: atomic { buffer[me]?[_] -> buffer[me]?slot[me] }
  od
}

/* A full barrier on the processor of one thread: its buffered stores reach memory. */
inline flush(who) {
  do
  :: len(buffer[who]) > 0 -> buffer[who]?slot[who]
  :: else -> break
  od
}

/* AsymmetricFence.heavy(): every running thread executes a full barrier, one after the other. */
inline heavy() {
  i = 0;
  do
  :: i < DELIVERERS -> atomic { flush(i) }; i++
  :: else -> break
  od
}

/* reportDeparture, where the state was found closed. */
inline report() {
  if
  :: sleepers > 0 ->
#ifndef NO_COUNT
    atomic { flush(me); departures++ };
#endif
    atomic {
#ifdef WAKE_ONE
      if
      :: (asleep & 1) -> asleep = asleep & ~1
      :: (asleep & 2) -> asleep = asleep & ~2
      :: asleep == 0
      fi
#else
      asleep = 0
#endif
    }
  :: else
  fi
}

proctype Deliverer(byte me) {
  byte round;
  for (round : 1 .. ROUNDS) {
    STORE(1);
#ifdef NO_RECHECK
    if
    :: true ->
#else
    if
    :: !closed ->
#endif
      atomic { inside++; assert(!over) };
      atomic { assert(!over); inside-- }
    :: else
    fi;
    STORE(0);
#ifndef NO_REPORT
    if
    :: closed -> report()
    :: else
    fi
#endif
  }
}

/* hasOtherDelivery: one look at each slot. */
inline scan() {
  found = false;
  i = 0;
  do
  :: i < DELIVERERS ->
    if
    :: slot[i] == 1 -> found = true
    :: else
    fi;
    i++
  :: else -> break
  od
}

proctype Closer(byte me) {
  byte i;
  byte seen;
  bool found;
  closed = true;
#ifndef NO_FENCE
  heavy();
#endif
  scan();
  if
  :: found ->
    sleepers++;
#ifndef NO_SECOND_FENCE
    heavy();
#endif
    do
    :: true ->
#ifndef LATE_COUNT
      seen = departures;
#endif
      scan();
      if
      :: !found -> break
      :: else
      fi;
#ifdef LATE_COUNT
      seen = departures;
#endif
      /* The kernel compares and goes to sleep in one step. */
      atomic {
        if
        :: departures == seen -> asleep = asleep | (1 << me)
        :: else
        fi
      };
      (asleep & (1 << me)) == 0
    od;
    sleepers--
  :: else
  fi;
  atomic { assert(inside == 0); over = true }
}

init {
  byte n;
  atomic {
    for (n : 0 .. DELIVERERS - 1) { run Deliverer(n) }
    for (n : 0 .. CLOSERS - 1) { run Closer(n) }
  }
}
