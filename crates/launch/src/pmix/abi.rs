//! The part of PMIx's C interface that a start needs, by hand: types, constants and functions of `pmix.h` and
//! `pmix_common.h`. It has been the same from version 2 to 5 (checked here against the headers of 4.2.2; a test
//! compares sizes, offsets and constants where the headers are installed).

use crate::error::Error;
use farside_fabric::Error as FabricError;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};

/// What the library is called.
pub const LIBRARY: &str = "libpmix.so.2";

/// `PMIX_SUCCESS`.
pub(super) const SUCCESS: c_int = 0;
/// `PMIX_GLOBAL`: for all processes.
pub(super) const GLOBAL: u8 = 3;
/// `PMIX_BOOL`.
pub(super) const BOOL: u16 = 1;
/// `PMIX_UINT32`.
pub(super) const UINT32: u16 = 14;
/// `PMIX_BYTE_OBJECT`.
pub(super) const BYTE_OBJECT: u16 = 27;
/// `PMIX_RANK_WILDCARD`: the job as a whole.
pub(super) const WILDCARD: u32 = u32::MAX - 1;
/// `PMIX_JOB_SIZE`.
pub(super) const JOB_SIZE: &CStr = c"pmix.job.size";
/// `PMIX_COLLECT_DATA`: a fence brings all values everywhere.
pub(super) const COLLECT: &CStr = c"pmix.collect";

/// `pmix_proc_t`.
#[repr(C)]
#[derive(Clone)]
pub(super) struct Proc {
    pub(super) namespace: [c_char; 256],
    pub(super) rank: u32,
}

/// `pmix_byte_object_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    pub(super) bytes: *mut c_char,
    pub(super) size: usize,
}

/// The union in `pmix_value_t`; its longest member is `pmix_envar_t`, two pointers and a character.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) union Data {
    pub(super) flag: bool,
    pub(super) uint32: u32,
    pub(super) bytes: Bytes,
    longest: [usize; 3],
}

/// `pmix_value_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) kind: u16,
    pub(super) data: Data,
}

/// `pmix_info_t`.
#[repr(C)]
pub(super) struct Info {
    pub(super) key: [c_char; 512],
    pub(super) flags: u32,
    pub(super) value: Value,
}

impl Data {
    /// All zero.
    pub(super) const EMPTY: Self = Self { longest: [0; 3] };
}

type Init = unsafe extern "C" fn(*mut Proc, *mut Info, usize) -> c_int;
type Finalize = unsafe extern "C" fn(*const Info, usize) -> c_int;
type Put = unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int;
type Commit = unsafe extern "C" fn() -> c_int;
type Fence = unsafe extern "C" fn(*const Proc, usize, *const Info, usize) -> c_int;
type Get = unsafe extern "C" fn(*const Proc, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;

/// The functions. The library stays loaded for ever: it has a thread of its own.
pub(super) struct Functions {
    pub(super) init: Init,
    pub(super) finalize: Finalize,
    pub(super) put: Put,
    pub(super) commit: Commit,
    pub(super) fence: Fence,
    pub(super) get: Get,
    error_string: ErrorString,
}

impl Functions {
    /// Loads libpmix.
    pub(super) fn load() -> Result<Self, Error> {
        let no_way = |error: libloading::Error| Error::NoWay {
            found: "PMIX_NAMESPACE and PMIX_RANK are set, so a launcher that speaks PMIx has started this"
                .to_owned(),
            problem: format!("{LIBRARY} cannot be used: {error}"),
            advice: "install it (Debian: libpmix2), or set FARSIDE_RENDEZVOUS to a folder that all ranks see",
        };
        // SAFETY: libpmix runs no code at loading that depends on the state of this process but its own constructors.
        let library = unsafe { Library::new(LIBRARY) }.map_err(no_way)?;
        // SAFETY: each symbol is given the type that it has in pmix.h.
        let functions = unsafe {
            Self {
                init: *library.get::<Init>(b"PMIx_Init\0").map_err(no_way)?,
                finalize: *library.get::<Finalize>(b"PMIx_Finalize\0").map_err(no_way)?,
                put: *library.get::<Put>(b"PMIx_Put\0").map_err(no_way)?,
                commit: *library.get::<Commit>(b"PMIx_Commit\0").map_err(no_way)?,
                fence: *library.get::<Fence>(b"PMIx_Fence\0").map_err(no_way)?,
                get: *library.get::<Get>(b"PMIx_Get\0").map_err(no_way)?,
                error_string: *library
                    .get::<ErrorString>(b"PMIx_Error_string\0")
                    .map_err(no_way)?,
            }
        };
        // The functions are used until the process ends.
        std::mem::forget(library);
        Ok(functions)
    }

    /// An error, unless `code` is success.
    pub(super) fn check(&self, call: &'static str, code: c_int) -> Result<(), FabricError> {
        if code == SUCCESS {
            return Ok(());
        }
        // SAFETY: any number may be asked for; the answer is a static C string.
        let text = unsafe { (self.error_string)(code) };
        let text = if text.is_null() {
            String::new()
        } else {
            // SAFETY: not null, and a C string that lives as long as the library.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Err(FabricError::System {
            call,
            detail: format!("{text} ({code})"),
        })
    }
}

/// Copies text and its end into a C array; `None` if it does not fit.
pub(super) fn array<const N: usize>(text: &CStr) -> Option<[c_char; N]> {
    let mut array = [0; N];
    let bytes = text.to_bytes_with_nul();
    let places = array.get_mut(..bytes.len())?;
    places
        .iter_mut()
        .zip(bytes)
        .for_each(|(place, &byte)| *place = byte as c_char);
    Some(array)
}

/// Takes a value that `PMIx_Get` made, and frees it.
///
/// # Safety
/// `value` comes from a successful `PMIx_Get`, and is not used any more.
pub(super) unsafe fn take(value: *mut Value) -> Taken {
    // SAFETY: PMIx_Get made it, so it is a valid value.
    let Value { kind, data } = unsafe { *value };
    let taken = match kind {
        // SAFETY: the kind says which member is set.
        UINT32 => Taken::Number(unsafe { data.uint32 }),
        BYTE_OBJECT => {
            // SAFETY: a value of the kind PMIX_BYTE_OBJECT has its member `bytes` set.
            let Bytes { bytes, size } = unsafe { data.bytes };
            let copy = if bytes.is_null() || size == 0 {
                Vec::new()
            } else {
                // SAFETY: PMIx says that there are `size` bytes.
                unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }.to_vec()
            };
            // SAFETY: PMIX_VALUE_RELEASE frees both by free(3); null is allowed.
            unsafe { libc::free(bytes.cast::<c_void>()) };
            Taken::Bytes(copy)
        }
        other => Taken::Other(other),
    };
    // SAFETY: PMIx_Get allocated the value by malloc(3), the caller uses it no more, and its content was copied above.
    // What another kind of value points to is left, since its layout is not known here.
    unsafe { libc::free(value.cast::<c_void>()) };
    taken
}

/// What was in a value.
pub(super) enum Taken {
    /// `PMIX_UINT32`.
    Number(u32),
    /// `PMIX_BYTE_OBJECT`.
    Bytes(Vec<u8>),
    /// The kind of something else.
    Other(u16),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};
    use std::process::Command;

    /// Prints the same figures as `figures`, from the headers.
    const PROGRAM: &str = r#"
        #include <pmix.h>
        #include <stdio.h>
        #include <stddef.h>
        int main(void) {
            printf("%zu %zu\n", sizeof(pmix_proc_t), offsetof(pmix_proc_t, rank));
            printf("%zu %zu\n", sizeof(pmix_value_t), offsetof(pmix_value_t, data));
            printf("%zu %zu\n", sizeof(pmix_info_t), offsetof(pmix_info_t, flags));
            printf("%zu %zu\n", offsetof(pmix_info_t, value), sizeof(pmix_byte_object_t));
            printf("%zu %zu\n", sizeof(pmix_status_t), sizeof(pmix_scope_t));
            printf("%d %d %d %d %d %u\n", PMIX_SUCCESS, PMIX_GLOBAL, PMIX_BOOL, PMIX_UINT32, PMIX_BYTE_OBJECT, PMIX_RANK_WILDCARD);
            printf("%s %s\n", PMIX_JOB_SIZE, PMIX_COLLECT_DATA);
            return 0;
        }
    "#;

    fn figures() -> String {
        format!(
            "{} {}\n{} {}\n{} {}\n{} {}\n{} {}\n{SUCCESS} {GLOBAL} {BOOL} {UINT32} {BYTE_OBJECT} {WILDCARD}\n{} {}\n",
            size_of::<Proc>(),
            offset_of!(Proc, rank),
            size_of::<Value>(),
            offset_of!(Value, data),
            size_of::<Info>(),
            offset_of!(Info, flags),
            offset_of!(Info, value),
            size_of::<Bytes>(),
            size_of::<c_int>(),
            size_of::<u8>(),
            JOB_SIZE.to_str().expect("ASCII"),
            COLLECT.to_str().expect("ASCII"),
        )
    }

    #[test]
    fn types_and_constants_are_those_of_the_headers() {
        let headers = [
            "/usr/lib/x86_64-linux-gnu/pmix2/include",
            "/usr/lib/aarch64-linux-gnu/pmix2/include",
            "/usr/include",
        ];
        let folder = headers
            .iter()
            .find(|folder| std::path::Path::new(folder).join("pmix.h").exists());
        let Some(folder) = folder else {
            println!("skipped: pmix.h is not installed (Debian: libpmix-dev)");
            return;
        };
        let place = tempfile::tempdir().expect("a folder");
        let (source, program) = (place.path().join("figures.c"), place.path().join("figures"));
        std::fs::write(&source, PROGRAM).expect("written");
        let built = Command::new("cc")
            .arg("-I")
            .arg(folder)
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .status();
        assert!(built.expect("a C compiler").success());
        let output = Command::new(&program).output().expect("it runs");
        assert_eq!(String::from_utf8(output.stdout).expect("text"), figures());
    }

    #[test]
    fn text_that_is_too_long_is_none() {
        assert_eq!(array::<4>(c"abc"), Some([97, 98, 99, 0]));
        assert_eq!(array::<3>(c"abc"), None);
    }
}
