/*
 * Lifecycle: deliveries in slots, and threads that close it and wait for them, on a processor with store buffers (total
 * store order). README.md says which line stands for which piece of code.
 *
 * Checked: no delivery is running or begins once a thread that closed the lifecycle has finished waiting (the assertions);
 * every thread finishes.
 *
 * Variants, each of which must fail:
 *   -DNO_BARRIER       the slot is filled with a plain store (D1)
 *   -DNO_RECHECK       the delivery does not look at the state after it has filled its slot (D2)
 *   -DNO_SCAN          the thread that closes it does not look at the slots (W2)
 *   -DNO_SECOND_SCAN   it does not look at them again after it has slept (W5)
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

/* Whether a thread's slot holds the key, as memory has it, and the stores on their way there. */
bit slot[DELIVERERS];
chan buffer[DELIVERERS] = [2] of { bit };

/* What the assertions look at. */
byte inside;
bool over;

/* The processor writes a buffered store to memory, whenever it likes. */
active [DELIVERERS] proctype StoreBuffer() {
  byte me = _pid;
end:
  do
  :: atomic { buffer[me]?[_] -> buffer[me]?slot[me] }
  od
}

/* A full barrier: the thread's buffered stores reach memory. */
inline flush() {
  do
  :: len(buffer[me]) > 0 -> buffer[me]?slot[me]
  :: else -> break
  od
}

proctype Deliverer(byte me) {
  byte round;
  for (round : 1 .. ROUNDS) {
#ifdef NO_BARRIER
    buffer[me]!1;
#else
    atomic { flush(); slot[me] = 1 };
#endif
    if
#ifdef NO_RECHECK
    :: true ->
#else
    :: !closed ->
#endif
      atomic { inside++; assert(!over) };
      atomic { assert(!over); inside-- }
    :: else
    fi;
    /* What it reports to sleeping threads changes nothing here: they may wake at any moment. */
    buffer[me]!0
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

proctype Closer() {
  byte i;
  bool found;
  closed = true;
  found = false;
#ifndef NO_SCAN
  scan();
#endif
  do
  :: !found -> break
  /* It sleeps until a delivery reports, or for a millisecond. */
  :: found ->
#ifdef NO_SECOND_SCAN
    found = false
#else
    scan()
#endif
  od;
  atomic { assert(inside == 0); over = true }
}

init {
  byte n;
  atomic {
    for (n : 0 .. DELIVERERS - 1) { run Deliverer(n) }
    for (n : 0 .. CLOSERS - 1) { run Closer() }
  }
}
