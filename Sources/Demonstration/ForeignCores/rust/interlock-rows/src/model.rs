use crate::{Core, Edit, Refusal, Snapshot, check, core_table, guard, raw_text, sys, text};
use std::{ffi::c_void, marker::PhantomData, mem, time::Duration};

/// Proof that the code runs on the main thread: it can't be sent to another one.
#[derive(Clone, Copy)]
pub struct MainThread(PhantomData<*mut ()>);

impl MainThread {
    /// The proof, on the thread that started the process; `None` on all others.
    pub fn get() -> Option<MainThread> {
        // 0 is never a handle: the call does nothing, and says on which thread it is.
        (sys::interlock_rows_deliver(0) == sys::INVALID_HANDLE).then_some(MainThread(PhantomData))
    }

    /// Serves the main thread until [`MainThread::stop_serving`] is called (`true`) or the time has passed
    /// (`false`).
    ///
    /// # Errors From inside a callback.
    pub fn serve(self, time: Duration) -> Result<bool, Refusal> {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        match unsafe { sys::interlock_rows_serve(nanoseconds) } {
            sys::TIMED_OUT => Ok(false),
            status => check(status).map(|()| true),
        }
    }

    /// Makes the [`MainThread::serve`] that runs return, or the next one; on any thread.
    pub fn stop_serving() {
        sys::interlock_rows_stop_serving();
    }
}

/// How edits come to the main thread.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u32)]
pub enum Strategy {
    /// An array behind a lock.
    Array = 0,
    /// A tree behind a lock; the one to take.
    Tree = 1,
    /// A tree behind a lock, and a mirror on the main thread.
    Delta = 2,
    /// Rows on the main thread, without a lock.
    MainActor = 3,
}

/// How a model is to work.
pub struct Builder {
    options: sys::Options,
    rows: Vec<String>,
}

impl Default for Builder {
    fn default() -> Self {
        let mut options = mem::MaybeUninit::uninit();
        // Sound: the function fills the memory in, and refuses nothing but null.
        let options = unsafe {
            sys::interlock_rows_options_init(options.as_mut_ptr());
            options.assume_init()
        };
        Builder { options, rows: Vec::new() }
    }
}

impl Builder {
    /// Which strategy; the tree, where none is chosen.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.options.strategy = strategy as u32;
        self
    }

    /// Counts snapshots, and checks each notification.
    pub fn audits(mut self) -> Self {
        self.options.audits = 1;
        self
    }

    /// How many times faster the workers are than 1 to 4 seconds for an edit, and where their choices begin.
    pub fn workers(mut self, speed: f64, seed: u64) -> Self {
        (self.options.speed, self.options.seed) = (speed, seed);
        self
    }

    /// The texts of the rows that each generation begins with.
    pub fn rows(mut self, rows: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rows = rows.into_iter().map(Into::into).collect();
        self
    }

    /// Makes a model that Swift owns.
    ///
    /// # Errors
    /// Where an option is refused.
    pub fn build(self, _: MainThread) -> Result<Model, Refusal> {
        self.create(|options, handle| unsafe { sys::interlock_rows_create(options, handle) })
    }

    /// Makes a model that shows the rows of a core.
    ///
    /// # Errors
    /// Where an option or the core is refused; the core is dropped then.
    pub fn build_over(self, core: impl Core, _: MainThread) -> Result<Model, Refusal> {
        let table = core_table(core);
        let result = self
            .create(|options, handle| unsafe { sys::interlock_rows_create_over(options, &table, handle) });
        if result.is_err() {
            // What was refused is still ours.
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

/// A model; dropping it destroys it.
///
/// It is `Send` and `Sync`: it is a number. What only the main thread may do takes a [`MainThread`].
#[derive(Debug)]
pub struct Model {
    handle: u64,
}

impl Model {
    /// Makes an edit, on any thread.
    ///
    /// # Errors
    /// Where there is no such row.
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

    /// Makes edits one after another, and returns how many were made; on any thread.
    ///
    /// # Errors
    /// Where the model has been destroyed.
    pub fn edit_all(&self, edits: &[Edit<'_>]) -> Result<usize, Refusal> {
        let raw: Vec<sys::Edit> = edits.iter().map(Edit::raw).collect();
        let mut made = 0;
        check(unsafe { sys::interlock_rows_edit_all(self.handle, raw.as_ptr(), raw.len(), &mut made) })?;
        Ok(made)
    }

    /// Begins a generation with so many workers of the model, or of its core.
    ///
    /// # Errors
    /// Where the number is refused.
    pub fn restart(&self, workers: usize, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_restart(self.handle, workers))
    }

    /// Stops and joins the workers.
    ///
    /// # Errors
    /// From inside a core's function.
    pub fn stop(&self, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_stop(self.handle))
    }

    /// Registers the observer; a model has one at most.
    ///
    /// # Errors
    /// Where the model has an observer; the given one is dropped then.
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
                // What was refused is still ours.
                drop(unsafe { Box::from_raw(user) });
                Err(refusal)
            }
        }
    }

    /// Delivers what waits.
    ///
    /// # Errors
    /// From inside a core's function.
    pub fn deliver(&self, _: MainThread) -> Result<(), Refusal> {
        check(sys::interlock_rows_deliver(self.handle))
    }

    /// The rows as the last callback had them.
    ///
    /// # Errors
    /// From inside a core's function.
    pub fn shown(&self, _: MainThread) -> Result<Snapshot, Refusal> {
        Snapshot::take(|handle| unsafe { sys::interlock_rows_shown(self.handle, handle) })
    }

    /// The rows after the last edit.
    ///
    /// # Errors
    /// From inside a core's function.
    pub fn latest(&self, _: MainThread) -> Result<Snapshot, Refusal> {
        Snapshot::take(|handle| unsafe { sys::interlock_rows_latest(self.handle, handle) })
    }

    /// Looks whether everything adds up.
    ///
    /// # Errors
    /// From inside a core's function.
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

/// An observer's registration; dropping it removes the observer, on any thread.
///
/// When that returns, no callback runs any more, and the observer has been dropped; from inside its own
/// callback, it is dropped after that.
#[derive(Debug)]
pub struct Registration {
    handle: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        // Refused where the model was destroyed first, which has removed it.
        sys::interlock_rows_unobserve(self.handle);
    }
}

/// A change that an observer is notified of; valid during the call.
#[derive(Clone, Copy, Debug)]
pub struct Notification<'a> {
    /// The index of the row: after an insertion or a modification, before a removal.
    pub index: usize,
    /// What tells this row from all others.
    pub id: u64,
    /// The row as it is now, or as it was when it was removed.
    pub text: &'a str,
    /// How many rows there are after this change.
    pub row_count: usize,
    /// The first and the last of the edits that this notification accounts for.
    pub sequences: (u64, u64),
    /// The generation of the rows.
    pub generation: u64,
}

/// Who shows the rows of a model. Called on the main thread, one call after another.
///
/// `Send`, because it is dropped on the thread that removes it. Not `&mut self`, because callbacks nest: one
/// that restarts the model is called again inside.
pub trait Observer: Send + 'static {
    /// A row was inserted.
    fn inserted(&self, _: Notification<'_>, _: MainThread) {}
    /// A row was removed.
    fn removed(&self, _: Notification<'_>, _: MainThread) {}
    /// The text of a row was changed.
    fn modified(&self, _: Notification<'_>, _: MainThread) {}
    /// A generation has begun with so many rows.
    fn restarted(&self, _generation: u64, _row_count: usize, _: MainThread) {}
}

/// Calls a method of the observer.
///
/// # Safety
/// As the header promises of callbacks: `user` is the observer, and this is the main thread.
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
