//! Exported functions that take the place of a library's and call it.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The function that would be called if this library were not preloaded; found at the first call.
pub(crate) struct Next {
    name: &'static CStr,
    version: Option<&'static CStr>,
    address: AtomicPtr<c_void>,
}

impl Next {
    /// `version` is for symbols that exist in several.
    pub(crate) const fn new(name: &'static CStr, version: Option<&'static CStr>) -> Self {
        Self {
            name,
            version,
            address: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Its address, never null.
    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        let address = self.address.load(Ordering::Relaxed);
        if address.is_null() { self.find() } else { address }
    }

    /// Whether there is such a function. A program may ask by a weak reference, and finds this library's.
    pub(crate) fn exists(&self) -> bool {
        !self.address.load(Ordering::Relaxed).is_null() || !self.search().is_null()
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        let address = self.search();
        if address.is_null() {
            // A weak reference of the program that no library defines: it would have crashed on its own.
            // SAFETY: plain call; nothing can be returned to the caller.
            unsafe { ::libc::abort() };
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }

    fn search(&self) -> *mut c_void {
        let mut address = ptr::null_mut();
        if let Some(version) = self.version {
            // SAFETY: both strings end with a zero byte.
            address = unsafe { ::libc::dlvsym(::libc::RTLD_NEXT, self.name.as_ptr(), version.as_ptr()) };
        }
        if address.is_null() {
            // SAFETY: the string ends with a zero byte.
            address = unsafe { ::libc::dlsym(::libc::RTLD_NEXT, self.name.as_ptr()) };
        }
        if address.is_null() {
            address = self.find_in_openmp();
        }
        address
    }

    /// An OpenMP runtime that was loaded later, for one module only, is not among the next ones.
    fn find_in_openmp(&self) -> *mut c_void {
        for library in [c"libgomp.so.1", c"libomp.so.5", c"libomp.so", c"libiomp5.so"] {
            // SAFETY: the string ends with a zero byte; nothing is loaded, so no constructor runs.
            let handle = unsafe { ::libc::dlopen(library.as_ptr(), ::libc::RTLD_LAZY | ::libc::RTLD_NOLOAD) };
            if !handle.is_null() {
                // SAFETY: the handle was just opened; it stays open.
                let address = unsafe { ::libc::dlsym(handle, self.name.as_ptr()) };
                if !address.is_null() {
                    return address;
                }
            }
        }
        ptr::null_mut()
    }
}

/// Exports functions of the C ABI that take the place of a library's.
///
/// In a body, the name between bars stands for the function that is replaced: `|real|` makes `real()` the caller's own
/// call, passed on unchanged, and safe to write, for the caller answers for his arguments. `|unsafe real|` is the bare
/// function, for bodies that pass something else; they say why that is sound.
///
/// The functions may be left by the forced unwinding of `pthread_exit` or by a C++ exception, so their bodies must
/// not hold values with destructors across the real call.
macro_rules! interpose {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $([$version:literal])? |$($real:ident)+| $body:block
    )*) => {$(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
            $crate::interposed::replaced! {
                $($real)+ = $name($($argument: $type),*) $(-> $result)? $([$version])?
            }
            $body
        }
    )*};
}

/// As [`interpose`], for bodies that want the return address too: the name after the comma.
macro_rules! interpose_with_caller {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $([$version:literal])? |$($real:ident)+, $caller:ident| $body:block
    )*) => {$(
        const _: () = {
            $(#[$attribute])*
            unsafe extern "C-unwind" fn body($($argument: $type,)* $caller: usize) $(-> $result)? {
                $crate::interposed::replaced! {
                    $($real)+ = $name($($argument: $type),*) $(-> $result)? $([$version])?
                }
                $body
            }

            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
                // The return address becomes one more argument; with a jump, this function leaves no frame.
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    $crate::interposed::return_address_after!($($argument)*),
                    $crate::machine::go_on!(),
                    ".cfi_endproc",
                    to = sym body,
                )
            }
        };
    )*};
}

/// Binds the name that a body of [`interpose`] uses for the function it replaces.
macro_rules! replaced {
    (unsafe $real:ident = $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $([$version:literal])?) => {
        type Real = unsafe extern "C-unwind" fn($($type),*) $(-> $result)?;
        // SAFETY: a function pointer and a data pointer have the same form, and the symbol of this name has this type.
        let $real = unsafe {
            std::mem::transmute::<*mut std::ffi::c_void, Real>($crate::interposed::next!($name $(, $version)?).address())
        };
    };
    ($real:ident = $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $([$version:literal])?) => {
        $crate::interposed::replaced! {
            unsafe bare = $name($($argument: $type),*) $(-> $result)? $([$version])?
        }
        // SAFETY: the program called the function of this name with these arguments, and it gets them unchanged. What
        // it asks of its caller, the program has promised.
        let $real = move || unsafe { bare($($argument),*) };
    };
}

/// Makes the return address the argument after these.
macro_rules! return_address_after {
    ($a:ident) => {
        $crate::machine::return_address_to!(1)
    };
    ($a:ident $b:ident) => {
        $crate::machine::return_address_to!(2)
    };
    ($a:ident $b:ident $c:ident) => {
        $crate::machine::return_address_to!(3)
    };
    ($a:ident $b:ident $c:ident $d:ident) => {
        $crate::machine::return_address_to!(4)
    };
}

/// The [`Next`] of a name.
macro_rules! next {
    ($name:ident $(, $version:literal)?) => {{
        const NAME: &std::ffi::CStr = match std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => panic!(),
        };
        #[allow(unused_mut, unused_assignments)]
        const VERSION: Option<&std::ffi::CStr> = {
            let mut version: Option<&std::ffi::CStr> = None;
            $(version = Some($version);)?
            version
        };
        static NEXT: $crate::interposed::Next = $crate::interposed::Next::new(NAME, VERSION);
        &NEXT
    }};
}

pub(crate) use {interpose, interpose_with_caller, next, replaced, return_address_after};
