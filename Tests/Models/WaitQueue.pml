/*
 * WaitQueue: threads that wait for a predicate on a protected value, are served by those who write, and give up.
 *
 * Each operation on a waiter's word, on `leavers`, on the gate and on the protector's lock is one step, interleaved with
 * those of all other threads. What is done to the list in one go is one step as well, but between two steps in which
 * `busy` is set: whoever finds it set has got at the list while another thread was changing it. Evaluating a predicate is
 * two steps, because the thread that it belongs to must not go away meanwhile. The protector's lock is taken for correct;
 * it is one for writers alone, and a reader is a holder who does not serve. Memory is sequentially consistent; the
 * orderings are argued in the source. Deadlines are not modelled as time: who has one may give up whenever the code
 * lets it; it then looks once more, if it gets the lock. Spinning is left out: it is a thread that is late for its next look.
 *
 * The value is a number of permits. The waiters wait for a number of them, which they take; those that may give up
 * give them back. There are as many in the end as the others need. `Watcher`s wait to read until all have come.
 *
 * Checked: nobody touches a waiter that is gone; nobody is in the list at the same time as somebody else; a waiter is notified
 * once; everybody finishes, so that no wake-up is lost (spin's search for invalid end states); at the end the queue is
 * empty and `leavers` is 0.
 *
 *   -DTAKERS=n -DNEED2=a -DNEED3=b   how many wait to write (thread 0 to n - 1, of three at most), and how many permits
 *                     those after the first need, which needs 1 unless -DNEED1=c says otherwise
 *   -DWATCHERS=n      how many wait to read (the threads after these)
 *   -DTIMED=bits      which threads have a deadline
 *   -DHOLDERS=n       how many come to read
 *   -DAT_ONCE         all permits come in one write section, not in one each
 *
 * Variants, each of which must fail:
 *   -DNO_PASS_ON      who was served and gives up tells nobody
 *   -DNO_EXAMINED     who gives up does not wait until its predicate has been evaluated
 *   -DNO_NOTIFIER       who gives up when it has been served does not wait until it has been notified
 *   -DUNCOUNT_FIRST   who gives up takes itself off `leavers` before it takes itself out of the list
 *   -DNO_GATE         those who write never take the gate
 *   -DNO_SERVE        who was woken in vain does not serve the others
 *   -DNO_UNMARK       who was passed over once is passed over by later sections as well
 */

#ifndef TAKERS
#define TAKERS 2
#endif
#ifndef WATCHERS
#define WATCHERS 0
#endif
#ifndef TIMED
#define TIMED 0
#endif
#ifndef HOLDERS
#define HOLDERS 0
#endif
#ifndef NEED1
#define NEED1 1
#endif
#ifndef NEED2
#define NEED2 1
#endif
#ifndef NEED3
#define NEED3 1
#endif

#define WAITERS (TAKERS + WATCHERS)
#define NOBODY 7

#define AWAKE 0
#define ASLEEP 1
#define NOTIFIED 2

#define isReading(who) ((who) >= TAKERS)
#define isTimed(who) (((TIMED) >> (who)) & 1)
#define need(who) ((who) == 0 -> NEED1 : ((who) == 1 -> NEED2 : NEED3))
#define holds(who) (isReading(who) -> allHaveCome : permits >= need(who))

byte permits;
bool allHaveCome;
bool locked; /* the protector's lock */
bool gate;
bool busy;
byte leavers;

byte queue[4];
byte length;

byte word[4];
bool alive[4];
bool isQueued[4];
bool isServed[4];
bool isExamined[4];
bool isPassedOver[4];
bool isLeaving[4];
byte finished;

#define touch(who) assert(alive[who])

/* inOneStep: what stands between the two is one step of a thread that is in a write section. */
inline beginStep() {
#ifdef NO_GATE
  isGated = false;
#else
  isGated = (leavers != 0);
#endif
  if
  :: isGated -> atomic { !gate -> gate = true }
  :: else
  fi;
  atomic { assert(!busy); busy = true }
}

inline endStep() {
  busy = false;
  if
  :: isGated -> gate = false
  :: else
  fi
}

/* The list; each of these is part of one step. */

inline unlink(who) {
  position = 0;
  do
  :: queue[position] == who -> break
  :: else -> position++
  od;
  do
  :: position + 1 < length -> queue[position] = queue[position + 1]; position++
  :: else -> break
  od;
  length--;
  queue[length] = NOBODY
}

inline linkFirst(who) {
  position = length;
  do
  :: position > 0 -> queue[position] = queue[position - 1]; position--
  :: else -> break
  od;
  queue[0] = who;
  length++
}

inline makeServed(who) {
  isServed[who] = true;
  unlink(who);
  if
  :: isReading(who) ->
    isQueued[who] = false;
    leavers = leavers - isTimed(who)
  :: else -> linkFirst(who)
  fi
}

#define isWriterOnItsWay (!isReading(queue[0]) && isServed[queue[0]])
#define isDue(who) ((due >> (who)) & 1)
#define mayOvertake(who) (!isReading(who) && (isDue(who) || word[who] != ASLEEP) && !isWriterOnItsWay)
#define isToBeExamined(who) (isOvertaking -> mayOvertake(who) : isReading(who) || !isWriterOnItsWay)

/*
 * `examined` becomes the first waiter from `position` on whose predicate is to be evaluated; behind the last one to overtake
 * others, the first one of the pass in order.
 */
inline examine() {
  examined = NOBODY;
  do
  :: position == length && isOvertaking -> isOvertaking = false; due = 0; position = 0
  :: position == length && !isOvertaking -> break
  :: position < length ->
    if
    :: !isOvertaking && isPassedOver[queue[position]] ->
#ifndef NO_UNMARK
      isPassedOver[queue[position]] = false;
#endif
      position++
    :: !(!isOvertaking && isPassedOver[queue[position]]) && isToBeExamined(queue[position]) ->
      examined = queue[position];
      touch(examined);
      isExamined[examined] = true;
      break
    :: else -> position++
    fi
  od
}

/* Ends with a bit for each waiter to be notified in `served`. */
inline serve() {
  if
  :: length > 0 ->
    /* The overtakings are not counted: anybody may be due. (Where one waits alone, two passes are like one.) */
    isOvertaking = length > 1;
    if
    :: isOvertaking -> select(due : 0 .. (1 << TAKERS) - 1)
    :: else
    fi;
    beginStep();
    d_step { position = 0; examine() };
    endStep();
    do
    :: examined == NOBODY -> break
    :: else ->
      touch(examined);
      doesHold = holds(examined);
      touch(examined);
      beginStep();
      d_step {
        touch(examined);
        isExamined[examined] = false;
        current = examined;
        /* The one behind it, whatever happens to it. */
        position = 0;
        do
        :: queue[position] == current -> break
        :: else -> position++; assert(position < length)
        od;
        position++;
        following = position;
        isGone = isLeaving[current] && !doesHold;
        if
        :: isGone ->
          unlink(current);
          isQueued[current] = false;
          leavers = leavers - isTimed(current);
          following--
        :: doesHold ->
          makeServed(current);
          served = served | (1 << current);
          if
          :: isReading(current) -> following--
          :: else
          fi
        :: else -> isPassedOver[current] = isOvertaking
        fi;
        position = following;
        examine()
      };
      endStep();
      if
      :: isGone -> tell(current)
      :: else
      fi
    od
  :: else
  fi
}

inline tell(who) {
  atomic { touch(who); assert(word[who] != NOTIFIED); word[who] = NOTIFIED }
}

/* The end of a write section. */
inline unlockAndTell() {
  locked = false;
  do
  :: served != 0 ->
    if
    :: served & 1 -> current = 0
    :: !(served & 1) && (served & 2) -> current = 1
    :: !(served & 3) && (served & 4) -> current = 2
    :: !(served & 7) && (served & 8) -> current = 3
    fi;
    served = served & ~(1 << current);
    tell(current)
  :: else -> break
  od
}

#define LOCALS bool isOvertaking; byte due; byte position; byte examined; byte current; byte following; byte served; bool doesHold; bool isGone; bool isGated

inline lock() {
  atomic { !locked -> locked = true }
}

/* Out of the queue, by the thread whose waiter it is, as the last thing that it does to it. */
inline removeMe() {
#ifdef UNCOUNT_FIRST
  leavers = leavers - isTimed(me);
  d_step { unlink(me); isQueued[me] = false };
  busy = false
#else
  d_step { unlink(me); isQueued[me] = false; busy = false; leavers = leavers - isTimed(me) }
#endif
}

proctype Waiter(byte me) {
  LOCALS;
  byte next;
  bool wasServed;
  bool hasRun;
  bool isIn;
  bool wasExamined;
  bool isLastLook;
  do
  :: true ->
    /* enter */
    if
    :: atomic { !locked -> locked = true }; isIn = true
    :: isTimed(me) -> isIn = false
    fi;
    if
    :: isIn && holds(me) ->
      beginStep();
      d_step {
        if
        :: isQueued[me] -> unlink(me); isQueued[me] = false; leavers = leavers - isTimed(me)
        :: else
        fi
      };
      endStep();
      if
      :: isReading(me)
      :: else -> permits = permits - need(me); serve()
      fi;
      hasRun = true;
      unlockAndTell()
    :: isIn && !holds(me) && isLastLook -> unlockAndTell()
    :: isIn && !holds(me) && !isLastLook ->
      if
      :: wasServed -> word[me] = AWAKE
      :: else
      fi;
      beginStep();
      d_step {
        isServed[me] = false;
        isLeaving[me] = false;
        if
        :: !isQueued[me] ->
          queue[length] = me;
          length++;
          isQueued[me] = true;
          leavers = leavers + isTimed(me)
        :: else
        fi
      };
      endStep();
#ifndef NO_SERVE
      if
      :: wasServed && !isReading(me) -> serve()
      :: else
      fi;
#endif
      unlockAndTell()
    :: !isIn ->
      /* passOn */
      next = NOBODY;
      atomic { !gate -> gate = true };
      if
      :: isQueued[me] ->
        atomic { assert(!busy); busy = true };
#ifndef NO_PASS_ON
        d_step {
          position = 0;
          do
          :: queue[position] == me -> break
          :: else -> position++
          od;
          position++;
          do
          :: position < length && isReading(queue[position]) -> position++
          :: else -> break
          od;
          if
          :: position < length -> next = queue[position]; touch(next); makeServed(next)
          :: else
          fi
        };
#endif
        removeMe()
      :: else
      fi;
      gate = false;
      if
      :: next != NOBODY -> tell(next)
      :: else
      fi
    fi;
    if
    :: hasRun || !isIn || isLastLook -> break
    :: else
    fi;
    /* sleep */
    atomic {
      if
      :: word[me] == AWAKE -> word[me] = ASLEEP
      :: else
      fi
    };
    if
    :: word[me] == NOTIFIED
    :: isTimed(me) ->
      /* leave */
      atomic { !gate -> gate = true };
      wasServed = isServed[me];
      wasExamined = isExamined[me];
#ifdef NO_EXAMINED
      wasExamined = false;
#endif
      if
      :: wasExamined -> isLeaving[me] = true
      :: !wasExamined && !wasServed ->
        atomic { assert(!busy); busy = true };
        removeMe()
      :: else
      fi;
      gate = false;
      if
#ifndef NO_NOTIFIER
      :: wasServed -> word[me] == NOTIFIED
#endif
      :: wasExamined -> word[me] == NOTIFIED; wasServed = isServed[me]
      :: else
      fi;
      isLastLook = !wasServed
    fi;
    wasServed = true
  od;
  alive[me] = false;
  if
  :: hasRun && isTimed(me) && !isReading(me) ->
    lock();
    permits = permits + need(me);
    serve();
    unlockAndTell()
  :: else
  fi;
  finished++
}

/* Brings the permits, as many as those without a deadline need. */
proctype Writer() {
  LOCALS;
  byte left = need(0) * (1 - isTimed(0));
  if
  :: TAKERS > 1 -> left = left + need(1) * (1 - isTimed(1))
  :: else
  fi;
  if
  :: TAKERS > 2 -> left = left + need(2) * (1 - isTimed(2))
  :: else
  fi;
#ifdef AT_ONCE
  lock();
  permits = permits + left;
  allHaveCome = true;
  serve();
  unlockAndTell();
#else
  do
  :: left > 0 ->
    lock();
    permits++;
    left--;
    allHaveCome = (left == 0);
    serve();
    unlockAndTell()
  :: else -> break
  od;
#endif
  finished++
}

proctype Holder() {
  lock();
  locked = false;
  finished++
}

init {
  byte n;
  atomic {
    for (n : 0 .. WAITERS - 1) { alive[n] = true; run Waiter(n) };
    run Writer();
#if HOLDERS
    for (n : 1 .. HOLDERS) { run Holder() }
#endif
  };
  finished == WAITERS + 1 + HOLDERS;
  assert(length == 0 && leavers == 0 && !gate && !busy)
}
