/*
 * BiasedReadWriteLock in asymmetric and entry-fenced mode, on a processor with store buffers (total store order): README.md
 * says which line stands for which piece of code.
 *
 * Checked: no reader and writer in at once, no two writers in at once (the assertions); every thread finishes, so no
 * wake-up is lost and nothing deadlocks (spin's search for invalid end states).
 *
 * Variants, each of which must fail:
 *   -DNO_FENCE    the writer that ends an asymmetric bias does not use AsymmetricFence.heavy()
 *   -DNO_SLEEP_FENCE  nor does the one that goes to sleep
 *   -DNO_ENTRY_FENCE  the reader that has seen the entry-fenced mode publishes its slot with a plain store
 *   -DNO_ENTRY_RECHECK  the same reader does not look at the mode again after that
 *   -DNO_EXCHANGE the writer looks at the mode first, and stores `draining` then
 *   -DNO_RECHECK  the reader does not look at the mode again after it has published its slot
 *   -DNO_REPORT   the leaving reader does not tell a writer that may be asleep
 *   -DNO_RESCAN   the writer does not look at the slots again between raising `isAsleep` and going to sleep
 *   -DNO_RETREAT  the reader that fails at the central lock with its anchor in the slot does not tell such a writer
 *   -DLATE_NOTE   the reader in the central lock takes its anchor out of the slot only after it has left
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
#define WRITER_ROUNDS 2
#endif

/* `resuming` is CENTRAL here: it differs in who starts the next bias, which anybody may. */
mtype = { CENTRAL, DRAINING, ASYMMETRIC, ENTRY_FENCED };

mtype mode;

/* Whether the slot of a reader holds the lock's anchor, as memory has it, and the stores on their way there. */
bit slot[READERS];
chan buffer[READERS] = [2] of { bit };

/* The central lock: CompactReadWriteCore, taken for correct here. */
byte centralReaders;
bool centralWriter;

/* The word `drained`: how many reports, and the bit `isAsleep`; and who sleeps on it in the kernel. */
byte reports;
bool isAsleep;
bool sleeps;

/* What the assertions look at. */
byte readersIn;
byte writersIn;

/* A plain store to the own slot enters the buffer; it waits while the buffer is full. */
#define STORE(value) buffer[me]!value

/* The processor writes a buffered store to memory, whenever it likes. */
active [READERS] proctype StoreBuffer() {
  byte me = _pid;
end:
  do
  :: atomic { buffer[me]?[_] -> buffer[me]?slot[me] }
  od
}

/* A full barrier on the processor of one reader: its buffered stores reach memory. Read-modify-writes have one built
 * in. */
inline flush(who) {
  do
  :: len(buffer[who]) > 0 -> buffer[who]?slot[who]
  :: else -> break
  od
}

/* AsymmetricFence.heavy(): every running thread executes a full barrier, one after the other, between the begin and
 * the end of the call. */
inline heavy() {
  i = 0;
  do
  :: i < READERS -> atomic { flush(i) }; i++
  :: else -> break
  od
}

inline report() {
  atomic { flush(me); reports++; wasAsleep = isAsleep };
  if
  :: wasAsleep -> sleeps = false
  :: else
  fi
}

/* leaveSlot, for every value that takes the anchor away but at C2. */
inline leaveSlot() {
  STORE(0);
#ifndef NO_REPORT
  if
  :: mode == DRAINING -> report()
  :: else
  fi
#endif
}

inline readSection() {
  atomic { readersIn++; assert(writersIn == 0) };
  atomic { assert(writersIn == 0); readersIn-- }
}

/* An attempt to enter the central lock: C1. A compare-exchange is a full barrier on x86-64, whatever comes of it. */
inline tryCentral() {
  atomic {
    flush(me);
    isIn = !centralWriter;
    if
    :: isIn -> centralReaders++
    :: else
    fi
  }
}

proctype Reader(byte me) {
  byte round;
  bool wasAsleep;
  bool isIn;
  mtype seen;
  for (round : 1 .. READER_ROUNDS) {
    isIn = false;
    if
    :: true -> /* with a hint in the slot */
      atomic {
        flush(me);
        if
        :: !centralWriter && centralReaders == 0 -> centralReaders++; isIn = true
        :: else
        fi
      }
    :: true
    fi;
    if
    :: isIn -> goto inside
    :: else
    fi;
again:
    STORE(1);
    seen = mode;
#ifdef NO_RECHECK
    seen = ASYMMETRIC;
#endif
    if
    :: seen == ASYMMETRIC ->
      readSection();
      leaveSlot();
      goto done
    :: seen == ENTRY_FENCED ->
#ifndef NO_ENTRY_FENCE
      atomic { flush(me); slot[me] = 1 }; /* E1 */
#else
      STORE(1);
#endif
#ifndef NO_ENTRY_RECHECK
      seen = mode;
#endif
      if
      :: seen == ENTRY_FENCED ->
        if
        :: true -> /* when fencePatience is at an end */
          atomic {
            flush(me);
            if
            :: mode == ENTRY_FENCED -> mode = ASYMMETRIC
            :: else
            fi
          }
        :: true
        fi;
        readSection();
        leaveSlot();
        goto done
      :: else -> leaveSlot()
      fi
    :: seen == CENTRAL ->
      tryCentral();
      if
#ifndef LATE_NOTE
      :: isIn -> STORE(0); goto inside
#else
      :: isIn -> readSection(); atomic { centralReaders--; flush(me) }; STORE(0); goto done
#endif
#ifdef NO_RETREAT
      :: !isIn -> STORE(0)
#else
      :: !isIn -> leaveSlot()
#endif
      fi
    :: seen == CENTRAL -> leaveSlot() /* a report is due */
    :: seen == DRAINING -> leaveSlot()
    fi;
    /* enterUnbiased. */
    if
    :: mode == ASYMMETRIC || mode == ENTRY_FENCED -> goto again
    :: true
    fi;
    atomic { !centralWriter -> centralReaders++ ; flush(me) };
inside:
    readSection();
    if
    :: true -> /* startBias, when patience is at an end */
      atomic {
        flush(me);
        if
        :: mode == CENTRAL || mode == DRAINING -> mode = ASYMMETRIC
        :: mode == CENTRAL || mode == DRAINING -> mode = ENTRY_FENCED
        :: else
        fi
      }
    :: true
    fi;
    atomic { centralReaders--; flush(me) };
done: skip
  }
}

/* Whether a slot holds the lock's anchor: one look at each. */
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
  byte round;
  byte i;
  byte seen;
  bool found;
  bool gaveUp;
  mtype was;
  bool isFenced;
  for (round : 1 .. WRITER_ROUNDS) {
    gaveUp = false;
    atomic { !centralWriter && centralReaders == 0 -> centralWriter = true };
    if
    :: mode != CENTRAL ->
#ifndef NO_EXCHANGE
      atomic { was = mode; mode = DRAINING };
#else
      was = mode;
      mode = DRAINING;
#endif
#ifndef NO_FENCE
      if
      :: was == ASYMMETRIC -> heavy(); isFenced = true
      :: else -> isFenced = false
      fi;
#endif
      scan();
      do
      :: !found -> break
      :: found ->
        if
        :: true -> gaveUp = true; break /* the deadline passed */
        :: true
        fi;
        atomic { isAsleep = true; seen = reports };
#ifndef NO_SLEEP_FENCE
        if
        :: !isFenced -> heavy(); isFenced = true
        :: else
        fi;
#endif
#ifndef NO_RESCAN
        scan();
#endif
        if
        :: found ->
          /* The kernel compares and goes to sleep in one step. */
          atomic {
            if
            :: reports == seen -> sleeps = true
            :: else
            fi
          };
          !sleeps
        :: else
        fi;
        isAsleep = false;
        scan()
      od;
      if
      :: !gaveUp -> mode = CENTRAL
      :: else /* the mode stays: slots may be in use */
      fi
    :: else
    fi;
    if
    :: !gaveUp ->
      atomic { writersIn++; assert(writersIn == 1 && readersIn == 0) };
      atomic { assert(writersIn == 1 && readersIn == 0); writersIn-- }
    :: else
    fi;
    centralWriter = false
  }
}

init {
  byte n;
  atomic {
    if
    :: mode = CENTRAL
    :: mode = ASYMMETRIC
    :: mode = ENTRY_FENCED
    fi;
    for (n : 0 .. READERS - 1) { run Reader(n) }
    for (n : 1 .. WRITERS) { run Writer() }
  }
}
