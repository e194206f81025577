//! The numbers that stand for models and snapshots outside.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::Status;

/// Handles of all kinds count up, so that none is used again.
static LAST: AtomicU64 = AtomicU64::new(0);

/// The objects of one kind. No other lock is acquired under the table's, and no object is dropped.
pub struct Table<T>(Mutex<BTreeMap<u64, Arc<T>>>);

impl<T> Table<T> {
    pub const fn new() -> Self {
        Table(Mutex::new(BTreeMap::new()))
    }

    pub fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<T>>> {
        self.0.lock().unwrap()
    }

    pub fn insert(&self, object: Arc<T>) -> u64 {
        let handle = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.lock().insert(handle, object);
        handle
    }

    pub fn get(&self, handle: u64) -> Result<Arc<T>, Status> {
        self.lock().get(&handle).cloned().ok_or(Status::InvalidHandle)
    }

    /// Ends a handle. Exactly one call for it returns the object.
    pub fn remove(&self, handle: u64) -> Result<Arc<T>, Status> {
        self.lock().remove(&handle).ok_or(Status::InvalidHandle)
    }
}
