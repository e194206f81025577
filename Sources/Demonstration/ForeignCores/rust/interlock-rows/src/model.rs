use crate::{Core, Edit, Refusal, Snapshot, check, core_table, guard, raw_text, sys, text};
use std::{ffi::c_void, marker::PhantomData, mem, time::Duration};

/// A proof that code runs on the main thread. It can't be sent to another thread.
#[derive(Clone, Copy)]
pub struct MainThread(PhantomData<*mut ()>);

impl MainThread {
    /// Returns a proof on the main thread; `None` on any other thread, or inside a function of a core.
    pub fn get() -> Option<MainThread> {
        // 0 is never a handle, so the call delivers nothing. Its status shows whether this is the main
        // thread.
        (sys::interlock_rows_deliver(0) == sys::INVALID_HANDLE).then_some(MainThread(PhantomData))
    }

    /// Runs work for the main thread, such as callbacks of observers, until `time` has passed or
    /// [`MainThread::stop_serving`] is called. Returns whether `stop_serving` was called.
    ///
    /// # Errors
    /// If it is called inside a callback.
    pub fn serve(self, time: Duration) -> Result<bool, Refusal> {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        match unsafe { sys::interlock_rows_serve(nanoseconds) } {
            sys::TIMED_OUT => Ok(false),
            status => check(status).map(|()| true),
        }
    }

    /// Makes the running call of [`MainThread::serve`] return, or the next call if none is running. Any
    /// thread may call this function.
    pub fn stop_serving() {
        sys::interlock_rows_stop_serving();
    }
}

/// How a model stores its rows, and how edits get to the main thread.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u32)]
pub enum Strategy {
    /// An array behind a lock.
    Array = 0,
    /// A tree behind a lock; the default.
    Tree = 1,
    /// A tree behind a lock, and a copy of the rows on the main thread, to which the edits are applied.
    Delta = 2,
    /// Rows on the main thread, without a lock.
    MainActor = 3,
}

/// Builds a model with the options that were set.
pub struct Builder {
    options: sys::Options,
    rows: Vec<String>,
}

impl Default for Builder {
    fn default() -> Self {
        let mut options = mem::MaybeUninit::uninit();
        // Sound: the function fills in the structure, and refuses only a null pointer.
        let options = unsafe {
            sys::interlock_rows_options_init(options.as_mut_ptr());
            options.assume_init()
        };
        Builder { options, rows: Vec::new() }
    }
}

impl Builder {
    /// Sets the strategy; the default is the tree.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.options.strategy = strategy as u32;
        self
    }

    /// Makes the model count the live snapshots, and check each notification against a copy of the rows.
    pub fn audits(mut self) -> Self {
        self.options.audits = 1;
        self
    }

    /// Sets the speed and the seed of the workers, which sleep 1 to 4 seconds divided by the speed between
    /// two edits. A speed below 0.000001 makes `build` fail.
    pub fn workers(mut self, speed: f64, seed: u64) -> Self {
        (self.options.speed, self.options.seed) = (speed, seed);
        self
    }

    /// Sets the texts of the rows with which each generation begins; the default is no rows.
    pub fn rows(mut self, rows: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rows = rows.into_iter().map(Into::into).collect();
        self
    }

    /// Makes a model that Swift owns.
    ///
    /// # Errors
    /// If an option is refused.
    pub fn build(self, _: MainThread) -> Result<Model, Refusal> {
        self.create(|options, handle| unsafe { sys::interlock_rows_create(options, handle) })
    }

    /// Makes a model that shows the rows of a core.
    ///
    /// # Errors
    /// If an option is refused, or the core refuses. In each case, `core` is dropped.
    pub fn build_over(self, core: impl Core, _: MainThread) -> Result<Model, Refusal> {
        let table = core_table(core);
        let result = self
            .create(|options, handle| unsafe { sys::interlock_rows_create_over(options, &table, handle) });
        if result.is_err() {
            // After a refusal, the table still belongs to this function, which must destroy the core in it.
            if let Some(destroy) = table.destroy_user {
                unsafe { destroy(table.user) }
            }
        }
        result
    }

    fn create(
        mut self,
        create: impl FnOnce(*const sys::Options, *mut u64) -> sys::Status,
    ) -> Result<Model, Refusal> {
        let rows: Vec<sys::Text> = self.rows.iter().map(|row| raw_text(row)).collect();
        (self.options.initial_rows, self.options.initial_count) = (rows.as_ptr(), rows.len());
        let mut handle = 0;
        check(create(&self.options, &mut handle)).map(|()| Model { handle })
    }
}

/// A list of rows that any thread may edit. Dropping this value destroys the model. It must not be dropped
/// inside a function of a core, where the model can't be destroyed.
///
/// The value is a handle, so it is `Send` and `Sync`. Functions that only the main thread may call take a
/// [`MainThread`].
#[derive(Debug)]
pub struct Model {
    handle: u64,
}

impl Model {
    /// Makes an edit, on any thread.
    ///
    /// # Errors
    /// If the position does not exist, or if it is called inside a core's function.
    pub fn edit(&self, edit: Edit<'_>) -> Result<(), Refusal> {
        let raw = edit.raw();
        check(match edit {
            Edit::Insert(..) => unsafe {
                sys::interlock_rows_insert(self.handle, raw.position, raw.text.bytes, raw.text.length)
            },
            Edit::Remove(_) => sys::interlock_rows_remove(self.handle, raw.position),
            Edit::Append(..) => unsafe {
                sys::interlock_rows_append(self.handle, raw.position, raw.text.bytes, raw.text.length)
            },
        })
    }

    /// Makes edits in order, on any thread, and returns how many were made. Skips edits whose row does not
    /// exist.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn edit_all(&self, edits: &[Edit<'_>]) -> Result<usize, Refusal> {
        let raw: Vec<sys::Edit> = edits.iter().map(Edit::raw).collect();
        let mut made = 0;
        check(unsafe { sys::interlock_rows_edit_all(self.handle, raw.as_ptr(), raw.len(), &mut made) })?;
        Ok(made)
    }

    /// Begins a generation: joins the workers, puts back the initial rows, and starts `workers` new workers
    /// of the model or of its core. Drops edits that were not delivered.
    ///
    /// # Errors
    /// If `workers` exceeds the maximum in `interlock_rows.h`, or if it is called inside a core's function.
    pub fn restart(&self, workers: usize, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_restart(self.handle, workers))
    }

    /// Stops and joins the workers.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn stop(&self, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_stop(self.handle))
    }

    /// Registers the observer; a model has one at most.
    ///
    /// # Errors
    /// If the model already has an observer, or if it is called inside a core's function. The new observer is
    /// then dropped.
    pub fn observe<O: Observer>(&self, observer: O, _: MainThread) -> Result<Registration, Refusal> {
        let user = Box::into_raw(Box::new(observer));
        let table = sys::Observer {
            size: mem::size_of::<sys::Observer>(),
            user: user.cast(),
            destroy_user: Some(destroy::<O>),
            inserted: Some(inserted::<O>),
            removed: Some(removed::<O>),
            modified: Some(modified::<O>),
            restarted: Some(restarted::<O>),
        };
        let mut handle = 0;
        match check(unsafe { sys::interlock_rows_observe(self.handle, &table, &mut handle) }) {
            Ok(()) => Ok(Registration { handle }),
            Err(refusal) => {
                // Sound: after a refusal, Swift does not keep `user`, so only this function frees the
                // observer.
                drop(unsafe { Box::from_raw(user) });
                Err(refusal)
            }
        }
    }

    /// Delivers all waiting edits.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn deliver(&self, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_deliver(self.handle))
    }

    /// The rows after the last change that was delivered.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn shown(&self, _: MainThread) -> Result<Snapshot, Refusal> {
        Snapshot::take(|handle| unsafe { sys::interlock_rows_shown(self.handle, handle) })
    }

    /// The rows after the last edit, whether or not it has been delivered.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn latest(&self, _: MainThread) -> Result<Snapshot, Refusal> {
        Snapshot::take(|handle| unsafe { sys::interlock_rows_latest(self.handle, handle) })
    }

    /// Reads the counters of the model. The result's field `complaints` is the number of contradictions
    /// between these counters, or between them and the rows.
    ///
    /// # Errors
    /// If it is called inside a core's function.
    pub fn audit(&self, _: MainThread) -> Result<sys::Account, Refusal> {
        let mut account = sys::Account { size: mem::size_of::<sys::Account>(), ..Default::default() };
        check(unsafe { sys::interlock_rows_audit(self.handle, &mut account) })?;
        Ok(account)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        sys::interlock_rows_destroy(self.handle);
    }
}

/// An observer's registration. Dropping this value removes the observer, on any thread. It must not be
/// dropped inside a function of a core, which would leave the observer registered.
///
/// When the drop returns, no callback runs any more, and the observer has been dropped. If the observer's own
/// callback drops the registration, the observer is dropped after the callback.
#[derive(Debug)]
pub struct Registration {
    handle: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        // The status is ignored. Outside the functions of cores, the call is refused only if the model was
        // destroyed, which has removed the observer.
        sys::interlock_rows_end_observation(self.handle);
    }
}

/// A change that an observer is notified of. Its text is valid only during the callback.
#[derive(Clone, Copy, Debug)]
pub struct Notification<'a> {
    /// The index of the row: after an insertion or a modification, before a removal.
    pub index: usize,
    /// The identity of the row, unique within its model.
    pub id: u64,
    /// The new text of an inserted or modified row, or the last text of a removed row.
    pub text: &'a str,
    /// The number of rows after this change.
    pub row_count: usize,
    /// The numbers of the first and the last edit that this notification covers.
    pub sequences: (u64, u64),
    /// The number of the generation in which the edits were made.
    pub generation: u64,
}

/// An observer of the rows of a model. Its functions are called on the main thread.
///
/// An observer is `Send`, because it is dropped on the thread that removes it. Its functions take `&self`,
/// because callbacks nest: if a callback restarts the model, `restarted` is called inside that callback.
pub trait Observer: Send + 'static {
    /// A row was inserted.
    fn inserted(&self, _: Notification<'_>, _: MainThread) {}
    /// A row was removed.
    fn removed(&self, _: Notification<'_>, _: MainThread) {}
    /// The text of a row was changed.
    fn modified(&self, _: Notification<'_>, _: MainThread) {}
    /// A generation has begun with `row_count` rows, which replace all earlier rows.
    fn restarted(&self, _generation: u64, _row_count: usize, _: MainThread) {}
}

/// Calls `method` of the observer with the change, and catches a panic of `method`.
///
/// # Safety
/// `user` must point to the observer, `change` must be valid during the call, and the caller must be on the
/// main thread. `interlock_rows.h` promises this for callbacks.
unsafe fn notify<O: Observer>(
    user: *mut c_void,
    change: *const sys::Change,
    method: fn(&O, Notification<'_>, MainThread),
) {
    let (observer, change) = unsafe { (&*user.cast::<O>(), &*change) };
    let notification = Notification {
        index: change.index,
        id: change.id,
        text: unsafe { text(change.text.bytes, change.text.length) },
        row_count: change.row_count,
        sequences: (change.first_sequence, change.last_sequence),
        generation: change.generation,
    };
    guard((), || method(observer, notification, MainThread(PhantomData)));
}

unsafe extern "C" fn inserted<O: Observer>(user: *mut c_void, change: *const sys::Change) {
    unsafe { notify(user, change, O::inserted) }
}

unsafe extern "C" fn removed<O: Observer>(user: *mut c_void, change: *const sys::Change) {
    unsafe { notify(user, change, O::removed) }
}

unsafe extern "C" fn modified<O: Observer>(user: *mut c_void, change: *const sys::Change) {
    unsafe { notify(user, change, O::modified) }
}

unsafe extern "C" fn restarted<O: Observer>(user: *mut c_void, generation: u64, row_count: usize) {
    let observer = unsafe { &*user.cast::<O>() };
    guard((), || observer.restarted(generation, row_count, MainThread(PhantomData)));
}

unsafe extern "C" fn destroy<O: Observer>(user: *mut c_void) {
    guard((), || drop(unsafe { Box::from_raw(user.cast::<O>()) }));
}
