/*
 * UnfairLockCore (Linux): the word, and the threads that sleep on it.
 *
 * Each operation on the word (load, compare-exchange, wait, wake) is one step, interleaved with those of all other
 * threads. Memory is sequentially consistent; the orderings are argued in the source. Spinning is left out: it is a
 * thread that is late for its next look.
 *
 * Checked: no two threads in at once; every thread finishes, so no wake-up is lost, and no flag keeps somebody out for
 * ever (spin's search for invalid end states); when all have finished the word is 0 (the assertion in init).
 *
 *   -DTHREADS=n -DROUNDS=n   how many threads, and how many sections each of them asks for
 *   -DTIMEOUTS=n             the first n threads may give up when they wait, whenever the code lets them; the others
 *                            wait for ever, so that a wake-up which is lost to them shows
 *
 * Variants, each of which must fail:
 *   -DNO_WAKE        unlockSlow does not wake
 *   -DNO_ANSWER      a thread that was woken takes the lock without `waiters`
 *   -DSILENT_END     endHandOver does not wake those that came to sleep meanwhile   (-DTIMEOUTS=1)
 *   -DNO_COMPARE     the wait does not compare before it sleeps
 *   -DNO_GIVING_BACK a thread that gives up leaves its `handOver` behind            (-DTIMEOUTS=1)
 */

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* Woken this often in vain, a thread wants the lock handed over. */
#define WAKE_UPS 1

#define OWNER 15
#define HAND_OVER 16
#define WAITERS 32

byte word;
byte asleep; /* one bit for each thread */
byte inside;
byte finished;

#define MY_BIT (1 << (me - 1))

/* LockWord.wake(count: 1): one of those asleep, whichever. */
inline wakeOne(woke) {
  atomic {
    woke = false;
    if
    :: (asleep & 1) -> asleep = asleep & ~1; woke = true
    :: (asleep & 2) -> asleep = asleep & ~2; woke = true
    :: (asleep & 4) -> asleep = asleep & ~4; woke = true
    :: (asleep & 8) -> asleep = asleep & ~8; woke = true
    :: asleep == 0
    fi
  }
}

/* Ends with `ok` telling whether the word was `expected` and is `desired` now. */
inline compareExchange(expected, desired) {
  atomic {
    if
    :: word == (expected) -> word = (desired); ok = true
    :: else -> ok = false
    fi
  }
}

inline endHandOver() {
  do
  :: true ->
    state = word;
    if
    :: (state & HAND_OVER) == 0 -> break
    :: else
    fi;
    if
    :: (state & OWNER) == 0 -> compareExchange(state, 0)
    :: else -> compareExchange(state, state & ~HAND_OVER)
    fi;
    if
    :: !ok
    :: ok ->
#ifndef SILENT_END
      if
      :: (state & OWNER) == 0 && (state & WAITERS) != 0 -> wakeOne(ok)
      :: else
      fi;
#endif
      break
    fi
  od
}

inline unlockSlow() {
  do
  :: true ->
    state = word;
    compareExchange(state, state & HAND_OVER);
    if
    :: ok -> break
    :: else
    fi
  od;
#ifndef NO_WAKE
  wakeOne(ok)
#endif
}

proctype Thread(byte me) {
  byte round;
  byte state;
  byte desired;
  byte wakeUps;
  bool hasSetHandOver;
  bool gaveUp;
  bool ok;
  for (round : 1 .. ROUNDS) {
    wakeUps = 0;
    hasSetHandOver = false;
    gaveUp = false;
    compareExchange(0, me); /* lock(): the fast path */
    if
    :: ok -> goto entered
    :: else
    fi;
    do /* lockSlow */
    :: true ->
      state = word;
      if
      :: (state & OWNER) == 0 && (wakeUps > 0 || (state & HAND_OVER) == 0) ->
        desired = state | me;
#ifndef NO_ANSWER
        if
        :: wakeUps > 0 -> desired = desired | WAITERS
        :: else
        fi;
#endif
        if
        :: hasSetHandOver -> desired = desired & ~HAND_OVER
        :: else
        fi;
        compareExchange(state, desired);
        if
        :: ok -> break
        :: else -> goto again
        fi
      :: else
      fi;
      desired = state | WAITERS;
      if
      :: wakeUps >= WAKE_UPS && (state & OWNER) != 0 -> desired = desired | HAND_OVER
      :: else
      fi;
      if
      :: desired != state ->
        compareExchange(state, desired);
        if
        :: ok && wakeUps >= WAKE_UPS && (state & OWNER) != 0 -> hasSetHandOver = true
        :: ok && !(wakeUps >= WAKE_UPS && (state & OWNER) != 0)
        :: !ok -> goto again
        fi
      :: else
      fi;
#ifdef TIMEOUTS
      if
      :: me <= TIMEOUTS -> gaveUp = true; break /* it is late; or the kernel says so, having compared */
      :: true
      fi;
#endif
      atomic { /* wait(while: desired) */
        if
#ifndef NO_COMPARE
        :: word != desired -> goto again
#endif
        :: else -> asleep = asleep | MY_BIT
        fi
      };
#ifdef TIMEOUTS
      if
      :: (asleep & MY_BIT) == 0
      :: atomic { me <= TIMEOUTS && (asleep & MY_BIT) != 0 -> asleep = asleep & ~MY_BIT; gaveUp = true }; break
      fi;
#else
      (asleep & MY_BIT) == 0;
#endif
      if
      :: wakeUps < WAKE_UPS -> wakeUps++
      :: else
      fi;
again: skip
    od;
    if
    :: gaveUp ->
#ifndef NO_GIVING_BACK
      if
      :: hasSetHandOver -> endHandOver()
      :: else
      fi;
#endif
      goto over
    :: else
    fi;
entered:
    atomic { inside++; assert(inside == 1 && (word & OWNER) == me) };
    atomic { assert(inside == 1); inside-- };
    compareExchange(me, 0); /* unlock(): the fast path */
    if
    :: ok
    :: else -> unlockSlow()
    fi;
over: skip
  }
  finished++
}

init {
  byte n;
  atomic {
    for (n : 1 .. THREADS) { run Thread(n) }
  };
  finished == THREADS;
  assert(word == 0 && asleep == 0)
}
