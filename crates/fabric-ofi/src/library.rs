//! libfabric, found at run time.

use crate::ffi::{Fabric, FabricAttributes, Info};
use farside_fabric::{Error, Result};
use std::ffi::{CStr, c_char, c_int, c_void};

/// The functions of `libfabric.so.1` that have symbols; all others are reached through objects.
pub(crate) struct Library {
    getinfo:
        unsafe extern "C" fn(u32, *const c_char, *const c_char, u64, *const Info, *mut *mut Info) -> c_int,
    freeinfo: unsafe extern "C" fn(*mut Info),
    dupinfo: unsafe extern "C" fn(*const Info) -> *mut Info,
    fabric: unsafe extern "C" fn(*mut FabricAttributes, *mut *mut Fabric, *mut c_void) -> c_int,
    strerror: unsafe extern "C" fn(c_int) -> *const c_char,
    version: unsafe extern "C" fn() -> u32,
    /// Where it was found.
    name: String,
}

impl Library {
    /// Opens the library: `FARSIDE_LIBFABRIC` if that is set, else `libfabric.so.1` where the loader finds it.
    ///
    /// It is never unloaded: its providers start threads and keep handlers that must find their code.
    pub(crate) fn open() -> Result<Self> {
        let name = std::env::var("FARSIDE_LIBFABRIC").unwrap_or_else(|_| "libfabric.so.1".into());
        let failed = |detail: String| Error::System {
            call: "dlopen of libfabric",
            detail,
        };
        // SAFETY: the initialisers of libfabric are safe to run; for another library, whoever names it
        // promises the same.
        let library = unsafe { libloading::Library::new(&name) }.map_err(|error| {
            failed(format!(
                "{error}; install it (Debian: libfabric1), or name the file in FARSIDE_LIBFABRIC"
            ))
        })?;
        // SAFETY: the types are those of fabric.h, in all versions of the library with this name.
        let found = unsafe {
            Self {
                getinfo: symbol(&library, b"fi_getinfo\0").map_err(failed)?,
                freeinfo: symbol(&library, b"fi_freeinfo\0").map_err(failed)?,
                dupinfo: symbol(&library, b"fi_dupinfo\0").map_err(failed)?,
                fabric: symbol(&library, b"fi_fabric\0").map_err(failed)?,
                strerror: symbol(&library, b"fi_strerror\0").map_err(failed)?,
                version: symbol(&library, b"fi_version\0").map_err(failed)?,
                name,
            }
        };
        std::mem::forget(library);
        Ok(found)
    }

    /// Major and minor number of the interface that the library has.
    pub(crate) fn version(&self) -> (u32, u32) {
        // SAFETY: takes nothing, and returns a number.
        let version = unsafe { (self.version)() };
        (version >> 16, version & 0xFFFF)
    }

    /// Name and version, for messages.
    pub(crate) fn describe(&self) -> String {
        let (major, minor) = self.version();
        format!("{} {major}.{minor}", self.name)
    }

    /// What an error number means, positive or negative.
    pub(crate) fn explain(&self, code: i32) -> String {
        // SAFETY: takes any number, and returns a static text, or null.
        let text = unsafe { (self.strerror)(code.abs()) };
        if text.is_null() {
            return format!("error {}", code.abs());
        }
        // SAFETY: a text that ends with 0, by fi_errno(3).
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        format!("{text} ({})", code.abs())
    }

    /// An error if a call returned one, that is, a negative number.
    pub(crate) fn check(&self, call: &'static str, code: i32) -> Result<()> {
        if code >= 0 {
            return Ok(());
        }
        Err(Error::System {
            call,
            detail: self.explain(code),
        })
    }

    /// A list with one empty entry, to be filled with what is wished.
    pub(crate) fn hints(&self) -> Result<InfoList<'_>> {
        // SAFETY: null asks for an empty entry, with all its parts, by fi_getinfo(3).
        let first = unsafe { (self.dupinfo)(std::ptr::null()) };
        if first.is_null() {
            return Err(Error::System {
                call: "fi_dupinfo",
                detail: "no memory".into(),
            });
        }
        Ok(InfoList { library: self, first })
    }

    /// What fits the hints, best first; an empty list if nothing does.
    pub(crate) fn search(&self, hints: &InfoList<'_>) -> Result<InfoList<'_>> {
        let mut first = std::ptr::null_mut();
        // SAFETY: the hints are a valid list; the result is taken over below.
        let code = unsafe {
            (self.getinfo)(
                crate::ffi::constants::VERSION,
                std::ptr::null(),
                std::ptr::null(),
                0,
                hints.first,
                &raw mut first,
            )
        };
        if code != -crate::ffi::constants::ENODATA {
            self.check("fi_getinfo", code)?;
        }
        Ok(InfoList { library: self, first })
    }

    /// Frees a list whose [`InfoList`] was forgotten.
    pub(crate) fn free(&self, first: *mut Info) {
        drop(InfoList { library: self, first });
    }

    /// Opens the fabric of an entry.
    ///
    /// # Safety
    /// `info` is an entry of a list that is alive.
    pub(crate) unsafe fn fabric(&self, info: *const Info) -> Result<*mut Fabric> {
        let mut fabric = std::ptr::null_mut();
        // SAFETY: the attributes belong to the entry, which the caller keeps alive.
        let code = unsafe { (self.fabric)((*info).fabric_attr, &raw mut fabric, std::ptr::null_mut()) };
        self.check("fi_fabric", code)?;
        Ok(fabric)
    }
}

/// A symbol of the library; the error is a text.
///
/// # Safety
/// `T` is the type of the function with this name.
unsafe fn symbol<T: Copy>(library: &libloading::Library, name: &[u8]) -> std::result::Result<T, String> {
    // SAFETY: by the caller.
    unsafe { library.get::<T>(name) }
        .map(|symbol| *symbol)
        .map_err(|error| error.to_string())
}

/// A list of `fi_info`.
pub(crate) struct InfoList<'l> {
    library: &'l Library,
    pub(crate) first: *mut Info,
}

impl InfoList<'_> {
    /// All entries. They live as long as the list.
    pub(crate) fn entries(&self) -> impl Iterator<Item = *mut Info> + '_ {
        std::iter::successors((!self.first.is_null()).then_some(self.first), |info| {
            // SAFETY: entries of the list are valid and end with null.
            let next = unsafe { (**info).next };
            (!next.is_null()).then_some(next)
        })
    }
}

impl Drop for InfoList<'_> {
    fn drop(&mut self) {
        if !self.first.is_null() {
            // SAFETY: the list comes from libfabric, and nobody else frees it.
            unsafe { (self.library.freeinfo)(self.first) };
        }
    }
}
