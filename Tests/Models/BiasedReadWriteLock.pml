/*
 * BiasedReadWriteLock: readers in slots, readers that are counted, and writers, on a processor with store buffers (total
 * store order). README.md says which line stands for which piece of code. The central lock is taken for correct here.
 *
 * Checked: no writer is in together with anybody else (the assertions); every thread finishes.
 *
 * Variants, each of which must fail:
 *   -DNO_RECHECK       the reader does not look at the word after it has filled its slot (R3)
 *   -DNO_BARRIER       the slot is filled with a plain store (R2)
 *   -DNO_SCAN          the writer does not look at the slots (W3)
 *   -DEARLY_CLEAR      the writer clears the bias before it has waited for the slots
 *   -DNO_BIAS_CHECK    the reader's second look is for a writer alone, and not for the bias
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READER_ROUNDS
#define READER_ROUNDS 2
#endif
#ifndef WRITER_ROUNDS
#define WRITER_ROUNDS 1
#endif

/* The lock's word: the bias, the writer, and the readers that are counted. */
bool biased = true;
bool writeLocked;
byte counted;

/* Whether a thread's slot holds the key, as memory has it, and the stores on their way there. */
bit slot[READERS];
chan buffer[READERS] = [2] of { bit };

bit drainer;

/* What the assertions look at. */
byte reading;
byte writing;

/* The processor writes a buffered store to memory, whenever it likes. */
active [READERS] proctype StoreBuffer() {
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

/* Slot.vacate, and wakeWriterWaitingForSlots after a look at the word. */
inline vacate() {
  buffer[me]!0;
  if
  :: writeLocked -> atomic { flush(); drainer = 0 }
  :: else
  fi
}

inline read() {
  atomic { reading++; assert(writing == 0) };
  atomic { assert(writing == 0); reading-- }
}

proctype Reader(byte me) {
  byte round;
  for (round : 1 .. READER_ROUNDS) {
again:
    if
    :: biased && !writeLocked ->
#ifdef NO_BARRIER
      buffer[me]!1;
#else
      atomic { flush(); slot[me] = 1 };
#endif
      if
#if defined(NO_RECHECK)
      :: true ->
#elif defined(NO_BIAS_CHECK)
      :: !writeLocked ->
#else
      :: biased && !writeLocked ->
#endif
        read();
        vacate()
      :: else ->
        vacate();
        goto again
      fi
    /* Also where it is biased: the thread may have found no slot. */
    :: atomic { !writeLocked -> flush(); counted++ };
      read();
      if
      :: biased = true
      :: true
      fi;
      atomic { flush(); counted-- }
    fi
  }
}

/* SlotTable.contains: one look at each slot. */
inline scan() {
  found = false;
  i = 0;
  do
  :: i < READERS ->
    if
    :: slot[i] == 1 -> found = true
    :: else
    fi;
    i++
  :: else -> break
  od
}

proctype Writer() {
  byte round, i;
  bool found, wasBiased;
  for (round : 1 .. WRITER_ROUNDS) {
    atomic { !writeLocked && counted == 0 -> writeLocked = true; wasBiased = biased };
    found = false;
    if
    :: wasBiased ->
#ifdef EARLY_CLEAR
      biased = false;
#endif
      do
      :: true ->
#ifndef NO_SCAN
        scan();
#endif
        if
        :: !found -> break
        /* The deadline has passed. */
        :: found -> break
        :: found ->
          drainer = 1;
          scan();
          if
          :: !found -> break
          /* It sleeps until it is woken, or for a millisecond. */
          :: found -> drainer = 0
          fi
        fi
      od
    :: else
    fi;
    if
    :: !found ->
      atomic { writing++; assert(writing == 1 && reading == 0) };
      atomic { assert(writing == 1 && reading == 0); writing-- };
      if
      :: biased = false
      :: true
      fi
    :: else
    fi;
    writeLocked = false
  }
}

init {
  byte n;
  atomic {
    for (n : 0 .. READERS - 1) { run Reader(n) }
    for (n : 0 .. WRITERS - 1) { run Writer() }
  }
}
