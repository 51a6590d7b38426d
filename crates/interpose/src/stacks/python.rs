//! The calls of a Python program, which its interpreter knows: file, line and function.
//!
//! A line is defined once, under an address of its own where no code lies ([`EventKind::Source`]). Frames are asked
//! of the interpreter by its stable interface (CPython 3.9 and later), with its lock: a call of MPI may have given that
//! up.
//!
//! Limits: a thread that the interpreter does not know has none, and so has an interpreter that is ending. Two lines
//! share an address with a probability of n²/2⁴⁵ for n lines.

use super::shadow;
use crate::recorder;
use crate::runtimes;
use farside_events::{EventKind, SourcePlace};
use rustc_hash::FxHashSet;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{LazyLock, Mutex};

/// Frames that are asked for at most.
const DEPTH: usize = 64;
/// Where the addresses of lines begin: far from where Linux puts code, and below 2⁴⁷.
const FIRST: u64 = 0x4000_0000_0000;
/// Their bits beyond that.
const BITS: u64 = (1 << 44) - 1;

/// A Python object, or a thread of the interpreter.
type Object = *mut c_void;

/// The functions of the interpreter that are needed.
struct Interpreter {
    is_initialised: unsafe extern "C" fn() -> c_int,
    this_thread: unsafe extern "C" fn() -> Object,
    take_lock: unsafe extern "C" fn() -> c_int,
    give_lock: unsafe extern "C" fn(c_int),
    frame_of: unsafe extern "C" fn(Object) -> Object,
    back: unsafe extern "C" fn(Object) -> Object,
    code: unsafe extern "C" fn(Object) -> Object,
    line: unsafe extern "C" fn(Object) -> c_int,
    attribute: unsafe extern "C" fn(Object, *const c_char) -> Object,
    text: unsafe extern "C" fn(Object, *mut isize) -> *const c_char,
    forget_error: unsafe extern "C" fn(),
    drop: unsafe extern "C" fn(Object),
    /// Where its module begins and ends. With several threads it is asked at each access that the interpreter makes by
    /// the C library, and `dladdr` looks through all of its symbols.
    extent: (usize, usize),
    /// Whether one thread at a time runs it: not so in a build without the lock (PEP 703).
    has_lock: bool,
}

/// Whether there is an interpreter: not looked for yet, no, yes.
static FOUND: AtomicU8 = AtomicU8::new(0);
static INTERPRETER: LazyLock<Option<Interpreter>> = LazyLock::new(Interpreter::find);
/// The lines that were defined.
static DEFINED: LazyLock<Mutex<FxHashSet<u64>>> = LazyLock::new(Mutex::default);

impl Interpreter {
    fn find() -> Option<Self> {
        fn function(name: &CStr) -> Option<*mut c_void> {
            // SAFETY: a string that ends with a zero byte.
            let found = unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        }
        macro_rules! find {
            ($name:literal as fn($($argument:ty),*) $(-> $result:ty)?) => {
                // SAFETY: the function of this name has this type (Python's stable interface).
                unsafe {
                    std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                        function($name)?,
                    )
                }
            };
        }
        Some(Self {
            extent: extent_of(function(c"Py_IsInitialized")? as usize),
            // Counting of references by several threads, which only such a build has (`Include/refcount.h`).
            has_lock: function(c"_Py_MergeZeroLocalRefcount").is_none(),
            is_initialised: find!(c"Py_IsInitialized" as fn() -> c_int),
            this_thread: find!(c"PyGILState_GetThisThreadState" as fn() -> Object),
            take_lock: find!(c"PyGILState_Ensure" as fn() -> c_int),
            give_lock: find!(c"PyGILState_Release" as fn(c_int)),
            frame_of: find!(c"PyThreadState_GetFrame" as fn(Object) -> Object),
            back: find!(c"PyFrame_GetBack" as fn(Object) -> Object),
            code: find!(c"PyFrame_GetCode" as fn(Object) -> Object),
            line: find!(c"PyFrame_GetLineNumber" as fn(Object) -> c_int),
            attribute: find!(c"PyObject_GetAttrString" as fn(Object, *const c_char) -> Object),
            text: find!(c"PyUnicode_AsUTF8AndSize" as fn(Object, *mut isize) -> *const c_char),
            forget_error: find!(c"PyErr_Clear" as fn()),
            drop: find!(c"Py_DecRef" as fn(Object)),
        })
    }

    /// Whether the calling thread can ask for its frames.
    fn knows_this_thread(&self) -> bool {
        // SAFETY: functions that may be called without the lock.
        unsafe { (self.is_initialised)() != 0 && !(self.this_thread)().is_null() }
    }

    /// The lines of the calling thread's frames, innermost first.
    fn lines(&self) -> Vec<SourcePlace> {
        let mut lines = Vec::new();
        // SAFETY: the interpreter runs, and knows this thread. What is owned is dropped, with the lock.
        unsafe {
            let lock = (self.take_lock)();
            let mut frame = (self.frame_of)((self.this_thread)());
            while !frame.is_null() && lines.len() < DEPTH {
                let code = (self.code)(frame);
                let named = |name: &CStr| self.string(code, name);
                if let (Some(file), Some(function)) = (named(c"co_filename"), named(c"co_name")) {
                    lines.push(SourcePlace {
                        file,
                        line: u32::try_from((self.line)(frame)).unwrap_or(0),
                        column: 0,
                        function: Some(function),
                    });
                }
                (self.drop)(code);
                let back = (self.back)(frame);
                (self.drop)(frame);
                frame = back;
            }
            if !frame.is_null() {
                (self.drop)(frame);
            }
            (self.give_lock)(lock);
        }
        lines
    }

    /// An attribute that is a text.
    ///
    /// # Safety
    /// With the lock; `object` is alive.
    unsafe fn string(&self, object: Object, name: &CStr) -> Option<Box<str>> {
        // SAFETY: by the contract. A text lives as long as its object, which is dropped after it was copied.
        unsafe {
            let value = (self.attribute)(object, name.as_ptr());
            if value.is_null() {
                (self.forget_error)();
                return None;
            }
            let mut length = 0;
            let text = (self.text)(value, &raw mut length);
            let copied = match usize::try_from(length) {
                Ok(length) if !text.is_null() => {
                    let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
                    Some(String::from_utf8_lossy(bytes).into())
                }
                _ => {
                    (self.forget_error)();
                    None
                }
            };
            (self.drop)(value);
            copied
        }
    }
}

/// Looks for an interpreter, which a program may also load later.
pub(crate) fn find_now() {
    // SAFETY: a string that ends with a zero byte.
    let is_there = !unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, c"Py_IsInitialized".as_ptr()) }.is_null();
    if is_there && INTERPRETER.is_some() {
        FOUND.store(2, Ordering::Release);
    }
}

/// The interpreter, if there is one and it knows the calling thread.
fn interpreter() -> Option<&'static Interpreter> {
    if FOUND.load(Ordering::Relaxed) == 1 {
        return None;
    }
    let found = INTERPRETER.as_ref();
    FOUND.store(if found.is_some() { 2 } else { 1 }, Ordering::Release);
    found.filter(|interpreter| interpreter.knows_this_thread())
}

/// The addresses of the lines that the calling thread is in, innermost first; empty without an interpreter.
pub(super) fn frames() -> Vec<u64> {
    let Some(interpreter) = interpreter() else {
        return Vec::new();
    };
    let mut lines = interpreter.lines();
    // Code that a library makes has no file (`<__array_function__ internals>`).
    let is_made = |place: &SourcePlace| place.file.starts_with('<');
    if !lines.iter().all(is_made) {
        lines.retain(|place| !is_made(place));
    }
    lines.into_iter().map(define).collect()
}

/// The address of a line, which is defined now if it never was.
fn define(place: SourcePlace) -> u64 {
    let bytes = place
        .file
        .bytes()
        .chain(place.function.iter().flat_map(|name| name.bytes()));
    let hash = bytes.fold(
        shadow::extend(shadow::SEED, u64::from(place.line)),
        |hash, byte| shadow::extend(hash, u64::from(byte)),
    );
    let address = FIRST + (hash & BITS);
    let is_new = DEFINED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .insert(address);
    if is_new {
        recorder::define(EventKind::Source { address, place });
    }
    address
}

/// Whether code at this address is the interpreter's own, in the midst of which nothing may be asked of it.
pub(crate) fn is_interpreter(pc: usize) -> bool {
    let extent = INTERPRETER.as_ref().map(|interpreter| interpreter.extent);
    extent.is_some_and(|(start, end)| start <= pc && pc < end)
}

/// As [`is_interpreter`], but no interpreter is looked for: hooks of locks and of the C library ask, which the loader
/// may call in the midst of its work.
pub(crate) fn is_known_interpreter(pc: usize) -> bool {
    FOUND.load(Ordering::Acquire) == 2 && is_interpreter(pc)
}

/// Whether code at this address is that of a known interpreter which one thread at a time runs.
pub(crate) fn is_locked_interpreter(pc: usize) -> bool {
    is_known_interpreter(pc)
        && INTERPRETER
            .as_ref()
            .is_some_and(|interpreter| interpreter.has_lock)
}

/// Where the module begins and ends that an address lies in; nowhere if it lies in none.
fn extent_of(address: usize) -> (usize, usize) {
    unsafe extern "C" fn look_at(
        module: *mut ::libc::dl_phdr_info,
        _size: usize,
        wanted: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid description, and the argument of the call below.
        let (module, wanted) = unsafe { (&*module, &mut *wanted.cast::<(usize, (usize, usize))>()) };
        let (start, end) = runtimes::extent(module);
        let is_there = start <= wanted.0 && wanted.0 < end;
        if is_there {
            wanted.1 = (start, end);
        }
        c_int::from(is_there)
    }
    let mut wanted = (address, (0, 0));
    // SAFETY: the callback keeps to the rules of dl_iterate_phdr, and its data lives during the call.
    unsafe { ::libc::dl_iterate_phdr(Some(look_at), (&raw mut wanted).cast()) };
    wanted.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_an_address_holds_it_and_no_other() {
        let own = extent_of as *const () as usize;
        let (start, end) = extent_of(own);
        assert!(start <= own && own < end);
        let of_the_c_library = ::libc::getpid as *const () as usize;
        assert!(!(start..end).contains(&of_the_c_library));
        assert_eq!(extent_of(1), (0, 0));
        // There is no interpreter in this process.
        assert!(!is_interpreter(own) && !is_locked_interpreter(own));
    }
}
