//! Links the row model. The environment variable `INTERLOCK_ROWS_LIBRARY` names the folder with
//! `libInterlockRows.so`; the default is `.build/debug`, where `swift build` puts that library.

use std::{env, path::Path};

fn main() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../.build/debug");
    let folder = env::var("INTERLOCK_ROWS_LIBRARY").unwrap_or_else(|_| beside.display().to_string());
    println!("cargo:rerun-if-env-changed=INTERLOCK_ROWS_LIBRARY");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=InterlockRows");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
}
