//! Threads that edit rows, in Rust: the counterpart of the row model's own workers.

use crate::{Edit, Position};
use std::{
    io,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The random number generator SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        (u128::from(self.next()) * u128::from(limit) >> 64) as u64
    }
}

/// Stops the threads of a crew: a flag, and a condition variable that wakes the sleeping threads.
#[derive(Default)]
struct Stop {
    shall_stop: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    /// Sleeps for `time`, or until the crew is stopped; returns false if the crew was stopped.
    fn nap(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut shall_stop = self.shall_stop.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if *shall_stop || left.is_zero() {
                return !*shall_stop;
            }
            (shall_stop, _) =
                self.changed.wait_timeout(shall_stop, left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Threads that edit rows until this value is dropped, which wakes and joins them.
///
/// Each thread first inserts a row. Then it repeats these steps: it sleeps 1 to 4 seconds divided by the
/// speed, ends if the crew was stopped, and inserts (20 %), removes (10 %) or modifies (70 %) a random row.
pub struct Crew {
    stop: Arc<Stop>,
    running: Arc<AtomicUsize>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Crew {
    /// Starts `count` threads that make edits by calling `edit`; `seed` determines their random choices.
    ///
    /// # Errors
    /// If the system refuses to start a thread.
    pub fn start(
        count: usize,
        speed: f64,
        seed: u64,
        edit: impl Fn(Edit<'_>) + Send + Sync + 'static,
    ) -> io::Result<Crew> {
        let mut crew =
            Crew { stop: Arc::default(), running: Arc::new(AtomicUsize::new(0)), threads: Vec::new() };
        let edit = Arc::new(edit);
        for number in 0..count {
            let (stop, running, edit) = (crew.stop.clone(), crew.running.clone(), edit.clone());
            running.fetch_add(1, Ordering::Relaxed);
            let thread = thread::Builder::new().spawn(move || {
                work(number, speed, seed, &stop, &*edit);
                running.fetch_sub(1, Ordering::Relaxed);
            })?;
            crew.threads.push(thread);
        }
        Ok(crew)
    }

    /// The number of running threads.
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }
}

fn work(number: usize, speed: f64, seed: u64, stop: &Stop, edit: &dyn Fn(Edit<'_>)) {
    let mut random = Random(seed ^ (number as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95));
    let (name, mark) = (format!("thread-{number}"), format!("-{number}"));
    let mut next = Edit::Insert(&name, Position::Share(random.next()));
    loop {
        edit(next);
        let thousandths = 1000 + random.below(3001);
        if !stop.nap(Duration::from_secs_f64(thousandths as f64 / 1000.0 / speed)) {
            return;
        }
        let (choice, position) = (random.below(100), Position::Share(random.next()));
        next = match choice {
            0..20 => Edit::Insert(&name, position),
            20..30 => Edit::Remove(position),
            _ => Edit::Append(&mark, position),
        };
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        *self.stop.shall_stop.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.changed.notify_all();
        for thread in self.threads.drain(..) {
            // The panic of a thread has been printed already, so the result is ignored.
            let _ = thread.join();
        }
    }
}
