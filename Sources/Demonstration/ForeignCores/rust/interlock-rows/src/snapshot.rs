use crate::{Refusal, check, guard, sys, text};
use std::{
    ffi::{c_char, c_void},
    ops::ControlFlow,
};

/// A snapshot: the rows at one moment. Any thread may read it. Dropping this value releases the snapshot.
#[derive(Debug)]
pub struct Snapshot {
    handle: u64,
}

impl Snapshot {
    pub(crate) fn take(take: impl FnOnce(*mut u64) -> sys::Status) -> Result<Snapshot, Refusal> {
        let mut handle = 0;
        check(take(&mut handle)).map(|()| Snapshot { handle })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        let mut count = 0;
        // The handle is valid until the snapshot is dropped, so the call is refused only inside a core's
        // function. The result is then 0.
        let _ = check(unsafe { sys::interlock_rows_snapshot_count(self.handle, &mut count) });
        count
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hash of all rows in their order.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = 0;
        let _ = check(unsafe { sys::interlock_rows_snapshot_fingerprint(self.handle, &mut fingerprint) });
        fingerprint
    }

    /// Calls `visit` with the index, the identity and the text of each row from `first` on, until `visit`
    /// returns `Break`.
    ///
    /// # Errors
    /// If `first` is greater than the number of rows, or if it is called inside a core's function.
    pub fn visit<F: FnMut(usize, u64, &str) -> ControlFlow<()>>(
        &self,
        first: usize,
        mut visit: F,
    ) -> Result<(), Refusal> {
        check(unsafe {
            sys::interlock_rows_snapshot_visit(
                self.handle,
                first,
                usize::MAX,
                call::<F>,
                (&raw mut visit).cast::<c_void>(),
            )
        })
    }

    /// The texts of all rows.
    pub fn texts(&self) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.len());
        let _ = self.visit(0, |_, _, text| {
            texts.push(text.to_owned());
            ControlFlow::Continue(())
        });
        texts
    }
}

unsafe extern "C" fn call<F: FnMut(usize, u64, &str) -> ControlFlow<()>>(
    visit: *mut c_void,
    index: usize,
    id: u64,
    bytes: *const c_char,
    length: usize,
) -> i32 {
    // Sound: `visit` points to the closure in `Snapshot::visit`, which outlives this call. Swift keeps the
    // text valid during the call.
    let (visit, text) = unsafe { (&mut *visit.cast::<F>(), text(bytes, length)) };
    guard(0, || i32::from(visit(index, id, text).is_continue()))
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        sys::interlock_rows_snapshot_release(self.handle);
    }
}
