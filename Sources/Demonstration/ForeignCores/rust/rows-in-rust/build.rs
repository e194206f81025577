//! Links the row model: `INTERLOCK_ROWS_LIBRARY` is the folder with `libInterlockRows.so`, which `swift
//! build` puts in `.build/debug`.

use std::{env, path::Path};

fn main() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../.build/debug");
    let folder = env::var("INTERLOCK_ROWS_LIBRARY").unwrap_or_else(|_| beside.display().to_string());
    println!("cargo:rerun-if-env-changed=INTERLOCK_ROWS_LIBRARY");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=InterlockRows");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
}
