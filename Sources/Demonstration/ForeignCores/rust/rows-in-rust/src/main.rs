//! Programs in Rust that use the row model: `rows-in-rust checks | workers SECONDS SPEED | edits COUNT`.
//!
//! The exit status is 0 if all checks hold.

use interlock_rows::{
    Builder, Edit, MainThread, Model, Notification, Observer, Position, Refusal, Snapshot, Strategy,
    crew::{Crew, Random},
    live_handles, refused_edits, sys,
};
use owning_core::{Fault, OwningCore};
use std::{
    cell::RefCell,
    env, panic,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// An observer that applies each notification to its own copy of the rows, and checks that the result has the
/// notified number of rows and that no edit is missing.
#[derive(Default)]
struct Mirror {
    state: RefCell<MirrorState>,
    account: Arc<MirrorAccount>,
}

#[derive(Default)]
struct MirrorState {
    rows: Vec<(u64, String)>,
    last_sequence: u64,
    model: Option<Arc<Model>>,
}

/// The counters of a `Mirror`, which can be read after the mirror was dropped.
#[derive(Default)]
struct MirrorAccount {
    edits: AtomicUsize,
    drops: AtomicUsize,
}

impl Mirror {
    fn follow(&self, change: Notification<'_>) {
        let mut state = self.state.borrow_mut();
        assert_eq!(change.sequences.0, state.last_sequence + 1);
        state.last_sequence = change.sequences.1;
        assert_eq!(state.rows.len(), change.row_count);
        let edits = (change.sequences.1 - change.sequences.0 + 1) as usize;
        self.account.edits.fetch_add(edits, Ordering::Relaxed);
    }
}

impl Observer for Mirror {
    fn inserted(&self, change: Notification<'_>, _: MainThread) {
        self.state.borrow_mut().rows.insert(change.index, (change.id, change.text.to_owned()));
        self.follow(change);
    }

    fn removed(&self, change: Notification<'_>, _: MainThread) {
        let removed = self.state.borrow_mut().rows.remove(change.index);
        assert_eq!(removed, (change.id, change.text.to_owned()));
        self.follow(change);
    }

    fn modified(&self, change: Notification<'_>, _: MainThread) {
        let mut state = self.state.borrow_mut();
        assert_eq!(state.rows[change.index].0, change.id);
        state.rows[change.index].1 = change.text.to_owned();
        drop(state);
        self.follow(change);
    }

    fn restarted(&self, _: u64, row_count: usize, main: MainThread) {
        let mut state = self.state.borrow_mut();
        let snapshot =
            state.model.as_ref().expect("it observes a model").shown(main).expect("the main thread");
        state.rows = rows_of(&snapshot);
        assert_eq!(state.rows.len(), row_count);
        state.last_sequence = 0;
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.account.drops.fetch_add(1, Ordering::Relaxed);
    }
}

fn rows_of(snapshot: &Snapshot) -> Vec<(u64, String)> {
    let mut rows = Vec::new();
    snapshot
        .visit(0, |_, id, text| {
            rows.push((id, text.to_owned()));
            std::ops::ControlFlow::Continue(())
        })
        .expect("0 is an index");
    rows
}

/// Delivers all waiting edits, and checks that the model's audit and the mirror's counters agree.
fn finish(name: &str, model: Arc<Model>, account: &MirrorAccount, main: MainThread) {
    model.deliver(main).unwrap();
    let audit = model.audit(main).unwrap();
    assert_eq!((audit.complaints, audit.violations, audit.gaps), (0, 0, 0), "{audit:?}");
    assert_eq!((audit.queued, audit.threads), (0, 0));
    assert_eq!(audit.delivered as usize, account.edits.load(Ordering::Relaxed));
    assert_eq!(audit.posted, audit.delivered + audit.dropped);
    assert_eq!(refused_edits(), 0);
    println!("{name}: {} edits, {} rows, clean", audit.posted, audit.rows);
}

fn observed(
    model: Model,
    main: MainThread,
) -> (Arc<Model>, interlock_rows::Registration, Arc<MirrorAccount>) {
    let model = Arc::new(model);
    let mirror = Mirror::default();
    mirror.state.borrow_mut().model = Some(model.clone());
    let account = mirror.account.clone();
    let registration = model.observe(mirror, main).unwrap();
    (model, registration, account)
}

fn run_workers(seconds: f64, speed: f64, main: MainThread) {
    let half = Duration::from_secs_f64(seconds / 2.0);
    for strategy in [Strategy::Array, Strategy::Tree, Strategy::Delta, Strategy::MainActor] {
        let model =
            Builder::default().strategy(strategy).audits().rows(["row-0", "row-1"]).build(main).unwrap();
        let (model, registration, account) = observed(model, main);
        for seed in 0..2 {
            model.restart(0, main).unwrap();
            let edited = model.clone();
            let crew = Crew::start(8, speed, seed, move |edit| {
                let _ = edited.edit(edit);
            })
            .unwrap();
            assert_eq!(main.serve(half), Ok(false));
            drop(crew);
        }
        finish(&format!("8 threads in Rust, {strategy:?}"), model, &account, main);
        drop(registration);
        assert_eq!(account.drops.load(Ordering::Relaxed), 1);
    }
    let core = OwningCore::new(Fault::None);
    let model = Builder::default()
        .audits()
        .workers(speed, 7)
        .rows(["row-0", "row-1"])
        .build_over(core, main)
        .unwrap();
    let (model, registration, account) = observed(model, main);
    for _ in 0..2 {
        model.restart(8, main).unwrap();
        assert_eq!(main.serve(half), Ok(false));
    }
    model.stop(main).unwrap();
    finish("8 threads of a core in Rust", model, &account, main);
    drop(registration);
    assert_eq!(live_handles(), 0);
}

fn run_edits(count: usize, main: MainThread) {
    let models = [
        Builder::default().audits().build(main).unwrap(),
        Builder::default().audits().build_over(OwningCore::new(Fault::None), main).unwrap(),
    ];
    for (model, name) in models.into_iter().zip(["a model of Swift's", "a core in Rust"]) {
        let start = Instant::now();
        let (model, registration, account) = observed(model, main);
        model.restart(0, main).unwrap();
        thread::scope(|scope| {
            for seed in 0..2 {
                let model = &model;
                scope.spawn(move || {
                    let mut random = Random(seed);
                    for _ in 0..count / 2 {
                        let position = Position::Share(random.next());
                        let _ = model.edit(match random.below(4) {
                            0 => Edit::Insert("a row of this thread", position),
                            1 => Edit::Remove(position),
                            _ => Edit::Append("+", position),
                        });
                    }
                });
            }
            // Deliver edits on the main thread while the other threads make them. `finish` delivers the rest.
            while account.edits.load(Ordering::Relaxed) < count / 2 {
                main.serve(Duration::from_millis(1)).unwrap();
            }
        });
        finish(
            &format!("{count} edits of {name} in {:.2} s", start.elapsed().as_secs_f64()),
            model,
            &account,
            main,
        );
        drop(registration);
    }
    assert_eq!(live_handles(), 0);
}

// MARK: Checks

fn is_send_and_sync<T: Send + Sync>() {}

/// An observer that runs a closure at each insertion. The counter grows by 1 for each call, and by 100 when
/// the observer is dropped.
struct Acting(Arc<AtomicUsize>, Box<dyn Fn(MainThread) + Send>);

impl Observer for Acting {
    fn inserted(&self, _: Notification<'_>, main: MainThread) {
        self.0.fetch_add(1, Ordering::Relaxed);
        (self.1)(main);
    }
}

impl Drop for Acting {
    fn drop(&mut self) {
        self.0.fetch_add(100, Ordering::Relaxed);
    }
}

fn run_checks(main: MainThread) {
    is_send_and_sync::<Model>();
    is_send_and_sync::<Snapshot>();
    is_send_and_sync::<interlock_rows::Registration>();
    thread::spawn(|| assert!(MainThread::get().is_none())).join().unwrap();
    let silent = |_: MainThread| {};
    let acting = |act: Box<dyn Fn(MainThread) + Send>| {
        let calls = Arc::new(AtomicUsize::new(0));
        (calls.clone(), Acting(calls, act))
    };

    // Each status other than OK must become an error, and a refused core or observer must be dropped.
    let refused = Builder::default().workers(0.0, 1).build(main).map(drop);
    assert_eq!(refused, Err(Refusal(sys::INVALID_ARGUMENT)));
    let refused = Builder::default().workers(0.0, 1).build_over(OwningCore::new(Fault::None), main).map(drop);
    assert_eq!(refused, Err(Refusal(sys::INVALID_ARGUMENT)));
    let model = Builder::default().rows(["a", "bc", "€"]).build(main).unwrap();
    assert_eq!(model.edit(Edit::Remove(Position::Index(3))), Err(Refusal(sys::NO_SUCH_ROW)));
    assert_eq!(
        model.edit_all(&[Edit::Append("!", Position::Index(1)), Edit::Remove(Position::Index(9))]).unwrap(),
        1
    );
    model.deliver(main).unwrap();
    let snapshot = model.shown(main).unwrap();
    assert_eq!(snapshot.texts(), ["a", "bc!", "€"]);
    let (calls, observer) = acting(Box::new(silent));
    let first = model.observe(observer, main).unwrap();
    let (second_calls, second) = acting(Box::new(silent));
    assert_eq!(model.observe(second, main).map(drop), Err(Refusal(sys::OBSERVED)));
    assert_eq!(second_calls.load(Ordering::Relaxed), 100);

    // A registration may be dropped on another thread, or after its model. In each case, the observer must be
    // dropped once.
    thread::spawn(move || drop(first)).join().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 100);
    let (calls, observer) = acting(Box::new(silent));
    let registration = model.observe(observer, main).unwrap();
    drop(model);
    assert_eq!(calls.load(Ordering::Relaxed), 100);
    drop(registration);
    assert_eq!(calls.load(Ordering::Relaxed), 100);
    // The snapshot outlives its model, and another thread can read it.
    thread::spawn(move || assert_eq!(snapshot.len(), 3)).join().unwrap();

    // A panic must not unwind into Swift, and later callbacks must still be called.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let model = Arc::new(Builder::default().build(main).unwrap());
    let (calls, observer) = acting(Box::new(|_| panic!("in a callback")));
    let registration = model.observe(observer, main).unwrap();
    for _ in 0..3 {
        model.edit(Edit::Insert("x", Position::Index(0))).unwrap();
    }
    model.deliver(main).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    panic::set_hook(hook);
    drop(registration);

    // A callback must be able to restart the model, but must be refused when it serves the main thread.
    let restarted = model.clone();
    let (calls, observer) = acting(Box::new(move |main| {
        assert_eq!(main.serve(Duration::ZERO), Err(Refusal(sys::IN_CALLBACK)));
        restarted.restart(0, main).unwrap();
    }));
    let registration = model.observe(observer, main).unwrap();
    for _ in 0..3 {
        model.edit(Edit::Insert("x", Position::Index(0))).unwrap();
    }
    model.deliver(main).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    drop(registration);
    assert_eq!(calls.load(Ordering::Relaxed), 101);
    drop(model);
    assert_eq!(live_handles(), 0);

    // The model must refuse each deliberate mistake of a core, or the audit must find it.
    for fault in [Fault::None, Fault::Unordered, Fault::WrongRow, Fault::Late] {
        let before = refused_edits();
        let model = Builder::default().audits().build_over(OwningCore::new(fault), main).unwrap();
        for _ in 0..5 {
            model.edit(Edit::Insert("row", Position::Index(0))).map_or_else(is_out_of_order, |()| ());
            model.edit(Edit::Append("-0", Position::Index(0))).map_or_else(is_out_of_order, |()| ());
        }
        model.deliver(main).unwrap();
        let complaints = model.audit(main).unwrap().complaints;
        let refused = refused_edits() - before;
        drop(model);
        let late = refused_edits() - before - refused;
        assert_eq!(complaints > 0, matches!(fault, Fault::Unordered | Fault::WrongRow), "{fault:?}");
        assert_eq!(refused > 0, fault == Fault::Unordered, "{fault:?}");
        assert_eq!(late > 0, fault == Fault::Late, "{fault:?}");
    }
    assert_eq!(live_handles(), 0);
    println!("every check holds");
}

// Checks the error of an edit that failed because its core posted it in the wrong order. Swift reports every
// failed edit of a core as NO_SUCH_ROW.
fn is_out_of_order(refusal: Refusal) {
    assert_eq!(refusal, Refusal(sys::NO_SUCH_ROW));
}

fn main() -> ExitCode {
    let main = MainThread::get().expect("main runs on the main thread");
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["checks"] => run_checks(main),
        ["workers", seconds, speed] => {
            run_workers(seconds.parse().expect("a number"), speed.parse().expect("a number"), main);
        }
        ["edits", count] => run_edits(count.parse().expect("a number"), main),
        _ => {
            eprintln!("usage: rows-in-rust checks | workers SECONDS SPEED | edits COUNT");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
