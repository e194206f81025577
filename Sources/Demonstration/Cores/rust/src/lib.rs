//! The functions of `rows_core.h`, which says what they do.
//!
//! Safety, of each `unsafe` below: the header demands that a pointer is null or points to memory of its type.

mod handles;
mod model;

use std::slice;

use handles::Table;
use model::{IN_CALLBACK, MODIFIED, Model, Observer, Options, REMOVED, Row, Rows};

static MODELS: Table<Model> = Table::new();
static SNAPSHOTS: Table<Rows> = Table::new();

/// `rows_status` of the header.
#[repr(i32)]
#[derive(Debug)]
pub enum Status {
    Ok,
    InCallback,
    NullArgument,
    InvalidArgument,
    InvalidUtf8,
    InvalidHandle,
    NoSuchRow,
    NoThreads,
}

/// `rows_row` of the header.
#[repr(C)]
pub struct ForeignRow {
    bytes: *const u8,
    length: usize,
    number: u64,
}

fn status(body: impl FnOnce() -> Result<(), Status>) -> Status {
    body().err().unwrap_or(Status::Ok)
}

fn check_not_in_callback() -> Result<(), Status> {
    if IN_CALLBACK.get() { Err(Status::InCallback) } else { Ok(()) }
}

fn check_not_null<T>(pointer: *const T) -> Result<(), Status> {
    if pointer.is_null() { Err(Status::NullArgument) } else { Ok(()) }
}

/// Copies the row of a caller, which is `None` for a removal.
unsafe fn copy_row(change: u32, row: *const ForeignRow) -> Result<Option<Row>, Status> {
    if change == REMOVED {
        return Ok(None);
    }
    let row = unsafe { row.as_ref() }.ok_or(Status::NullArgument)?;
    if row.length > 0 {
        check_not_null(row.bytes)?;
    }
    let bytes = if row.length == 0 { &[] } else { unsafe { slice::from_raw_parts(row.bytes, row.length) } };
    if change > MODIFIED {
        return Err(Status::InvalidArgument);
    }
    let text = str::from_utf8(bytes).map_err(|_| Status::InvalidUtf8)?;
    Ok(Some(Row { text: text.to_owned(), number: row.number }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rows_create(
    options: *const Options,
    observer: *const Observer,
    model: *mut u64,
) -> Status {
    status(|| {
        check_not_in_callback()?;
        check_not_null(model)?;
        let options = unsafe { options.as_ref() }.ok_or(Status::NullArgument)?;
        let observer = unsafe { observer.as_ref() }.ok_or(Status::NullArgument)?;
        if options.threads > 1024 || !(0.001..=1e6).contains(&options.speed) {
            return Err(Status::InvalidArgument);
        }
        let created = Model::create(*options, *observer)?;
        unsafe { model.write(MODELS.insert(created)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn rows_destroy(model: u64) -> Status {
    status(|| {
        check_not_in_callback()?;
        MODELS.remove(model).map(|model| model.destroy())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rows_edit(model: u64, change: u32, index: usize, row: *const ForeignRow) -> Status {
    status(|| {
        check_not_in_callback()?;
        let row = unsafe { copy_row(change, row) }?;
        MODELS.get(model)?.state.lock().unwrap().edit(change, index, row)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rows_read(snapshot: u64, index: usize, result: *mut ForeignRow) -> Status {
    status(|| {
        check_not_null(result)?;
        let rows = SNAPSHOTS.get(snapshot)?;
        let Row { text, number } = &**rows.get(index).ok_or(Status::NoSuchRow)?;
        unsafe { result.write(ForeignRow { bytes: text.as_ptr(), length: text.len(), number: *number }) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn rows_release(snapshot: u64) -> Status {
    status(|| SNAPSHOTS.remove(snapshot).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn rows_live_handles() -> usize {
    MODELS.lock().len() + SNAPSHOTS.lock().len()
}
