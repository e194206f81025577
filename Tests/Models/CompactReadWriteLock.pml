/*
 * CompactReadWriteCore: the state word, the word `turns`, and the threads that sleep on them.
 *
 * Each operation on a lock word (load, compare-exchange, add, subtract, wait, wake) is one step, interleaved with those
 * of all other threads; what a thread computes by itself belongs to the step before. A load of `state` that is followed
 * at once by a compare-exchange which expects what was loaded is one step too, at the time of the exchange: it succeeds
 * only where a load at that time would have found the same, and otherwise has no effect but another look. Memory is
 * sequentially consistent; the orderings are argued in the source. The fast paths and the timed forms are not written out: what they do, the
 * slow paths do in their first round. Spinning is left out: it is a thread that is late for its next look.
 *
 * Checked: no reader and writer in at once, no two writers in at once (the assertions in ENTER and LEAVE); every thread
 * finishes, so no wake-up is lost, no flag keeps somebody out for ever and nothing deadlocks (spin's search for invalid
 * end states); when all have finished, `state` is 0 and nobody sleeps (the assertion in init).
 *
 *   -DREADERS=n -DWRITERS=n -DROUNDS=n   how many threads, and how many sections each of them asks for
 *   -DREADER_ROUNDS=n -DWRITER_ROUNDS=n  the same, for one side
 *   -DTIMEOUTS    a thread that waits may give up, whenever the code lets it
 *   -DSPURIOUS    a wait may end for no reason, as a wake-up or as a signal: once for each thread, or no loss would show
 *   -DMEETING     a reader stays in its section until no other reader sleeps, unless a writer is at work, or
 *                 it is a readers' turn and writersWaiting is up: it may be stale until the turn is over
 *
 * Variants, each of which must fail:
 *   -DNO_WAKE            passOn clears writersWaiting and does not wake
 *   -DNO_WAKE_READERS    passOn clears readersWaiting and does not wake
 *   -DNO_TURN            passOn wakes a writer without counting the turn first
 *   -DNO_SECOND_LOOK     the writer does not look at `state` between reading `turns` and going to sleep
 *   -DNO_COMPARE         the wait does not compare before it sleeps
 *   -DNO_ANSWER          a writer that was woken enters without writersWaiting
 *   -DNO_CLEAR           a writer that gives up does not clear its flags                       (-DTIMEOUTS -DMEETING)
 *   -DNO_TURN_OVER       the last reader of a readers' turn leaves readersFirst behind
 *   -DNO_COUNT_OF_WOKEN  passOn takes it that there is somebody to be woken                    (-DTIMEOUTS)
 *   -DGRANT_RESERVED     passOn gives a turn that is reserved for a writer to the readers
 *   -DSILENT_CLEAR       passOn takes back a reserved turn together with writersWaiting, without waking again: fails in
 *                        a search larger than `check` makes (a writer relies on a flag that came back meanwhile)
 *   -DNO_SHARING         a reader that was woken leaves the flags of other readers as they are (-DMEETING)
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef READER_ROUNDS
#define READER_ROUNDS ROUNDS
#endif
#ifndef WRITER_ROUNDS
#define WRITER_ROUNDS ROUNDS
#endif

/* ReadWriteState, with room for seven readers and without the writer's number. */
#define COUNT 7
#define WRITERS_FIRST 8
#define READERS_FIRST 16
#define READERS_WAITING 32
#define WRITERS_WAITING 64
#define WRITE_LOCKED 128

byte state;
byte turns; /* Starts anywhere modulo four, which is all that is asked of it; it never wraps in a bounded run. */

/* Who sleeps, one bit for each thread: readers on `state`, writers on `turns`. */
byte asleepReaders;
byte asleepWriters;

/* What the checks look at. */
byte readersIn;
byte writersIn;
byte writersAtWork;
byte finished;

/* The predicates of ReadWriteState and of the core. */
#define IS_UNLOCKED(s) (((s) & (WRITE_LOCKED | COUNT)) == 0)
#define IS_READ_LOCKED(s) (((s) & WRITE_LOCKED) == 0 && ((s) & COUNT) != 0)
#define HAS_FLAGS(s) ((s) > COUNT)
#define ADMITS_NEW_READER(s) ((s) < COUNT)
#define ADMITS_WAITING_READER(s) \
  (((s) & (WRITE_LOCKED | WRITERS_FIRST)) == 0 && (((s) & READERS_FIRST) != 0 || ((s) & WRITERS_WAITING) == 0))
#define ADMITS_WRITER(s) (IS_UNLOCKED(s) && ((s) & READERS_FIRST) == 0)

/* turns.wake(count: 1): the kernel picks one of the sleepers. `woke` is what it returns. */
inline wakeOneWriter() {
  atomic {
    if
    :: asleepWriters & 1 -> asleepWriters = asleepWriters & ~1; woke = true
    :: asleepWriters & 2 -> asleepWriters = asleepWriters & ~2; woke = true
    :: asleepWriters & 4 -> asleepWriters = asleepWriters & ~4; woke = true
    :: asleepWriters & 8 -> asleepWriters = asleepWriters & ~8; woke = true
    :: asleepWriters == 0 -> woke = false
    fi
  }
}

/* state.wake(count: .max) */
inline wakeAllReaders() {
  d_step { woke = (asleepReaders != 0); asleepReaders = 0 }
}

inline countTurn() {
#ifndef NO_TURN
  turns++
#else
  skip
#endif
}

#ifdef GRANT_RESERVED
#define MAY_BE_READERS_TURN(s) favour
#else
#define MAY_BE_READERS_TURN(s) (favour && ((s) & WRITERS_FIRST) == 0)
#endif

#define GRANTED(s) (((s) & ~READERS_WAITING) | READERS_FIRST)

/* The branches of passOn. */
mtype = { END, GRANT, ASK_TURN, RESERVED, RESERVATION_OVER, WRITER, READERS_TOO, AGAIN };

/* What a round does with `s`, which was loaded or left behind: those of its steps that read or change nothing but
 * `state`. `mayChange` is false for the state that was left behind, with which only the branches that do not begin
 * with a compare-exchange may go on: for the others it is the same to look later. */
inline decide(mayChange) {
  if
  :: !(IS_UNLOCKED(s) && HAS_FLAGS(s)) -> branch = END
  :: else ->
    if
    :: MAY_BE_READERS_TURN(s) && (s & READERS_FIRST) ->
      /* Without readersWaiting there is nothing to change. */
      if
      :: mayChange || s == GRANTED(s) -> branch = GRANT
      :: else -> branch = AGAIN
      fi;
      if
      :: mayChange -> state = GRANTED(s)
      :: else
      fi
    :: MAY_BE_READERS_TURN(s) && (s & READERS_FIRST) == 0 && (s & READERS_WAITING) && (s & WRITERS_WAITING) ->
      branch = ASK_TURN
    :: else ->
      if
      :: (s & READERS_FIRST) == 0 && (s & WRITERS_WAITING) && (s & WRITERS_FIRST) -> branch = RESERVED
      :: else ->
        branch = AGAIN;
        if
        :: !mayChange
        :: mayChange -> takeFlagAway()
        fi
      fi
    fi
  fi
}

/* The branches that begin by taking a flag away. */
inline takeFlagAway() {
  if
  :: s & READERS_FIRST ->
#ifdef NO_TURN_OVER
    branch = END
#else
    state = s & ~READERS_FIRST; branch = AGAIN
#endif
  :: (s & READERS_FIRST) == 0 && (s & WRITERS_WAITING) -> state = s & ~WRITERS_WAITING; branch = WRITER
  :: else -> state = s & ~READERS_WAITING; branch = READERS_TOO
  fi
}

#ifdef NO_COUNT_OF_WOKEN
#define SUFFICES true
#else
#define SUFFICES woke
#endif

/* passOn(_:afterWriting:), with `s` the state that was left behind and `favour` for mayFavourReaders. */
inline passOn() {
  do
  :: branch == END -> break
  :: branch == AGAIN -> atomic { s = state; decide(true); if :: branch == ASK_TURN || branch == RESERVED || branch == GRANT :: else -> s = 0 fi }
  :: branch == ASK_TURN ->
    /* isReadersTurn looks at `turns`; then follows the compare-exchange of the branch that it chose. */
    atomic {
      readersTurn = (turns % 4 == 0);
      branch = WRITER
    };
    atomic {
      if
      :: state != s -> branch = AGAIN
      :: state == s && readersTurn -> state = GRANTED(s); branch = GRANT
      :: state == s && !readersTurn ->
        if
        :: s & WRITERS_FIRST -> branch = RESERVED
        :: else -> state = s & ~WRITERS_WAITING
        fi
      fi;
      readersTurn = false
    }
  :: branch == GRANT ->
    countTurn();
    wakeAllReaders();
    atomic { branch = (SUFFICES -> END : AGAIN); favour = false; s = 0 }
  :: branch == RESERVED ->
    countTurn();
    wakeOneWriter();
    if
    :: SUFFICES -> branch = END
    :: else -> branch = RESERVATION_OVER
    fi
  :: branch == RESERVATION_OVER ->
    atomic {
      if
#ifdef SILENT_CLEAR
      :: state == s -> state = s & ~(WRITERS_WAITING | WRITERS_FIRST)
#else
      :: state == s -> state = s & ~WRITERS_FIRST
#endif
      :: else
      fi;
      s = 0; branch = AGAIN
    }
  :: branch == WRITER ->
    countTurn();
#ifndef NO_WAKE
    wakeOneWriter();
#endif
    atomic { branch = (SUFFICES -> END : AGAIN); s = 0 }
  :: branch == READERS_TOO ->
#ifndef NO_WAKE_READERS
    wakeAllReaders();
#endif
    branch = END
  od;
  atomic { s = 0; woke = false; favour = false; branch = 0 }
}

/* Whether this call has a deadline, and whether it has passed. */
inline setDeadline() {
#ifdef TIMEOUTS
  if
  :: timed = true
  :: timed = false
  fi
#else
  timed = false
#endif
}

inline lookAtClock() {
  if
  :: timed -> isLate = true
  :: true -> skip
  fi
}

#ifndef NO_SHARING
/* Nobody waits to write: the readers that still sleep are let in as well, and the turn needs no guarding. */
#define ENTERED(s) (((s) & WRITERS_WAITING) != 0 -> (s) + 1 : ((s) & COUNT) + 1)
#else
#define ENTERED(s) ((s) + 1)
#endif

proctype Reader(byte me) {
  byte s;
  mtype branch;
  byte round = 0;
  bool hasSlept, isLate, timed, woke, favour, readersTurn, disturbed;
next:
  atomic {
    hasSlept = false; isLate = false; s = 0;
    if
    :: round == READER_ROUNDS -> finished++; goto done
    :: else -> round++
    fi;
    setDeadline()
  }

  /* lockForReadingSlow */
look:
  atomic {
    s = state;
    if
    :: (hasSlept && ADMITS_WAITING_READER(s)) || (!hasSlept && ADMITS_NEW_READER(s)) ->
      state = ENTERED(s); readersIn++; assert(writersIn == 0)
    :: else ->
      s = s | READERS_WAITING | ((hasSlept && (s & WRITE_LOCKED)) -> READERS_FIRST : 0);
      state = s;
      if
      :: isLate -> goto next
      :: else -> goto wait
      fi
    fi
  }
#ifndef NO_SHARING
  if
  :: (s & READERS_WAITING) && (s & WRITERS_WAITING) == 0 -> wakeAllReaders()
  :: else
  fi;
#endif
  goto entered;

wait:
  /* state.wait(while: waiting.bits, until: deadline) */
  atomic {
    if
#ifdef NO_COMPARE
    :: true -> asleepReaders = asleepReaders | (1 << me)
#else
    :: state == s -> asleepReaders = asleepReaders | (1 << me)
    :: else -> lookAtClock(); goto look
#endif
    fi;
    s = 0
  }
  if
  :: atomic { (asleepReaders & (1 << me)) == 0 -> hasSlept = true }
#ifdef TIMEOUTS
  :: atomic { timed && (asleepReaders & (1 << me)) -> asleepReaders = asleepReaders & ~(1 << me); goto next }
#endif
#ifdef SPURIOUS
  :: atomic { !disturbed && (asleepReaders & (1 << me)) -> disturbed = true; asleepReaders = asleepReaders & ~(1 << me); hasSlept = true }
  :: atomic { !disturbed && (asleepReaders & (1 << me)) -> disturbed = true; asleepReaders = asleepReaders & ~(1 << me); lookAtClock() }
#endif
  fi;
  goto look;

entered:
#ifdef MEETING
  (asleepReaders == 0 || writersAtWork > 0 || ((state & WRITERS_WAITING) && (state & READERS_FIRST)));
#endif
  /* unlockAfterReading */
  atomic {
    assert(writersIn == 0); readersIn--;
    state--; s = state; hasSlept = false; isLate = false; timed = false; favour = false;
    if
    :: HAS_FLAGS(s) -> decide(false)
    :: else -> goto next
    fi
  }
  passOn();
  goto next;
done:
  skip
}

/* giveUpWriting */
inline giveUpWriting() {
#ifndef NO_CLEAR
  atomic {
    s = state;
    if
    :: IS_READ_LOCKED(s) && (s & WRITERS_WAITING) ->
#ifdef NO_SHARING
      state = s & (COUNT | READERS_FIRST)
#else
      state = s & COUNT
#endif
    :: else -> s = 0
    fi
  }
  if
  :: s != 0 ->
    countTurn();
    asleepWriters = 0;
    if
    :: s & READERS_WAITING -> wakeAllReaders()
    :: else
    fi
  :: else
  fi;
  s = 0
#else
  skip
#endif
}

proctype Writer(byte me) {
  byte s;
  byte turn;
  mtype branch;
  byte round = 0;
  bool hasSlept, isLate, timed, woke, favour, readersTurn, disturbed;
next:
  atomic {
    hasSlept = false; isLate = false; timed = false; s = 0; turn = 0; woke = false;
    if
    :: round == WRITER_ROUNDS -> finished++; goto done
    :: else -> round++
    fi;
    setDeadline()
  }
#ifdef MEETING
  writersAtWork++;
#endif

  /* lockForWritingSlow */
look:
  atomic {
    if
    :: ADMITS_WRITER(state) ->
#ifdef NO_ANSWER
      state = (state & ~WRITERS_FIRST) | WRITE_LOCKED;
#else
      state = (state & ~WRITERS_FIRST) | WRITE_LOCKED | (hasSlept -> WRITERS_WAITING : 0);
#endif
      writersIn++;
      assert(writersIn == 1 && readersIn == 0);
      goto entered
    :: else ->
      state = state | WRITERS_WAITING | ((hasSlept && IS_READ_LOCKED(state)) -> WRITERS_FIRST : 0)
    fi
  }
  turn = turns;
#ifndef NO_SECOND_LOOK
  atomic {
    if
    :: ADMITS_WRITER(state) || (state & WRITERS_WAITING) == 0 -> turn = 0; goto look
    :: else
    fi
  }
#endif
  if
  :: isLate -> goto late
  :: else
  fi;
  /* turns.wait(while: turn, until: deadline) */
  atomic {
    if
#ifdef NO_COMPARE
    :: true -> asleepWriters = asleepWriters | (1 << me)
#else
    :: turns == turn -> asleepWriters = asleepWriters | (1 << me)
    :: else -> turn = 0; lookAtClock(); goto look
#endif
    fi;
    turn = 0
  }
  if
  :: atomic { (asleepWriters & (1 << me)) == 0 -> hasSlept = true }
#ifdef TIMEOUTS
  :: atomic { timed && (asleepWriters & (1 << me)) -> asleepWriters = asleepWriters & ~(1 << me); goto late }
#endif
#ifdef SPURIOUS
  :: atomic { !disturbed && (asleepWriters & (1 << me)) -> disturbed = true; asleepWriters = asleepWriters & ~(1 << me); hasSlept = true }
  :: atomic { !disturbed && (asleepWriters & (1 << me)) -> disturbed = true; asleepWriters = asleepWriters & ~(1 << me); lookAtClock() }
#endif
  fi;
  goto look;

late:
  giveUpWriting();
#ifdef MEETING
  writersAtWork--;
#endif
  goto next;

entered:
  /* unlockAfterWriting */
  atomic {
    assert(writersIn == 1 && readersIn == 0); writersIn--;
    state = state & ~WRITE_LOCKED; s = state; hasSlept = false; isLate = false; timed = false; favour = true;
    decide(false)
  }
  passOn();
#ifdef MEETING
  writersAtWork--;
#endif
  goto next;
done:
  skip
}

init {
  byte n;
  atomic {
    if
    :: turns = 0
    :: turns = 1
    :: turns = 2
    :: turns = 3
    fi;
    for (n : 0 .. READERS - 1) { run Reader(n) }
    for (n : 0 .. WRITERS - 1) { run Writer(n) }
  }
  finished == READERS + WRITERS;
  assert(state == 0 && asleepReaders == 0 && asleepWriters == 0)
}
