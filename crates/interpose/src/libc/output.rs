//! Output: `printf` and its family, `puts`, `fwrite`, `write`.
//!
//! `sprintf` and its like also store; what they stored is known only afterwards, so that they are called from here.
//! Limit: wide characters are not looked at.

use super::Call;
use super::format::printed;
use super::forward::{Real, find_first};
use super::jump::{Arguments, observed, observed_variadic, replaced, replaced_variadic};
use super::strings::read_within;
use crate::machine::{RegisterArea, VaList};
use std::ffi::c_void;
use std::mem::transmute;

observed_variadic! {
    printf => prints::<0>;
    fprintf => prints::<1>;
    dprintf => prints::<1>;
    __printf_chk => prints::<1>;
    __fprintf_chk => prints::<2>;
    __dprintf_chk => prints::<2>;
}

observed! {
    vprintf => prints_list::<0>, find_first;
    vfprintf => prints_list::<1>, find_first;
    vdprintf => prints_list::<1>, find_first;
    __vprintf_chk => prints_list::<1>, find_first;
    __vfprintf_chk => prints_list::<2>, find_first;
    __vdprintf_chk => prints_list::<2>, find_first;
    puts => puts_text, find_first;
    fputs => puts_text, find_first;
    fwrite => writes_items, find_first;
    write => writes, find_first;
    pwrite => writes, find_first;
    pwrite64 => writes, find_first;
}

replaced_variadic! {
    sprintf => sprintf_seen;
    snprintf => snprintf_seen;
    __sprintf_chk => sprintf_chk_seen;
    __snprintf_chk => snprintf_chk_seen;
}

replaced! {
    vsprintf, 3 => vsprintf_seen;
    vsnprintf, 4 => vsnprintf_seen;
    __vsprintf_chk, 5 => vsprintf_chk_seen;
}

/// Its return address is a seventh argument.
#[unsafe(naked)]
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __vsnprintf_chk() {
    std::arch::naked_asm!(crate::machine::return_address_to_seventh!(), seen = sym vsnprintf_chk_seen)
}

/// `FORMAT` is the position of the format among the arguments.
unsafe extern "C" fn prints<const FORMAT: usize>(registers: &RegisterArea, overflow: *const u64, pc: usize) {
    if let Some(call) = Call::of_program("printf", pc) {
        let arguments = VaList::after(FORMAT as u32 + 1, registers, overflow);
        // SAFETY: The program's own format and arguments.
        unsafe { printed(call, registers.integer(FORMAT), arguments) };
    }
}

unsafe extern "C" fn prints_list<const FORMAT: usize>(arguments: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("vprintf", pc) {
        // SAFETY: The program's own format and list, of which a copy is consumed.
        unsafe { printed(call, arguments[FORMAT], *(arguments[FORMAT + 1] as *const VaList)) };
    }
}

unsafe extern "C" fn puts_text(&[text, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("puts", pc) {
        // SAFETY: The program asks for it to be read.
        call.loads(text, unsafe { read_within(text, usize::MAX) });
    }
}

unsafe extern "C" fn writes_items(&[from, size, count, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("fwrite", pc) {
        call.loads(from, size.saturating_mul(count) as usize);
    }
}

unsafe extern "C" fn writes(&[_, from, len, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("write", pc) {
        call.loads(from, len as usize);
    }
}

/// A `sprintf` or `snprintf`: what it prints and where, and the function that does it.
struct Into {
    name: &'static str,
    pc: usize,
    to: u64,
    room: usize,
    format: u64,
    arguments: VaList,
}

impl Into {
    /// Calls `print`, whose result is the number of characters, and records loads and stores.
    ///
    /// # Safety
    /// Format and arguments are the program's.
    unsafe fn seen(self, print: impl FnOnce(*mut VaList) -> i32) -> i32 {
        let call = crate::memory::observing()
            .then(|| Call::of_program(self.name, self.pc))
            .flatten();
        if let Some(call) = call {
            // SAFETY: The caller's promise; a copy of the list is consumed.
            unsafe { printed(call, self.format, self.arguments) };
        }
        let mut arguments = self.arguments;
        let printed = print(&raw mut arguments);
        if let (Some(call), Ok(len)) = (call, usize::try_from(printed)) {
            call.stores(self.to, (len + 1).min(self.room));
        }
        printed
    }
}

/// Declares the real function of a name, of this type.
macro_rules! real {
    ($name:literal, $type:ty) => {{
        static REAL: Real = Real::new(concat!($name, "\0"), std::ptr::null_mut());
        let found: *mut c_void = REAL.found();
        // SAFETY: The function of this name has this type (C17 7.21.6, Linux Standard Base for the checked forms).
        // There is one: whoever calls its sibling has the library that defines both.
        unsafe { transmute::<*mut c_void, $type>(found) }
    }};
}

type Sprintf = unsafe extern "C-unwind" fn(u64, u64, *mut VaList) -> i32;
type Snprintf = unsafe extern "C-unwind" fn(u64, usize, u64, *mut VaList) -> i32;
type SprintfChk = unsafe extern "C-unwind" fn(u64, i32, usize, u64, *mut VaList) -> i32;
type SnprintfChk = unsafe extern "C-unwind" fn(u64, usize, i32, usize, u64, *mut VaList) -> i32;

unsafe extern "C-unwind" fn sprintf_seen(registers: &RegisterArea, overflow: *const u64, pc: usize) -> i32 {
    let mut list = VaList::after(2, registers, overflow);
    // SAFETY: The program's own arguments.
    unsafe { vsprintf_seen(registers.integer(0), registers.integer(1), &raw mut list, pc) }
}

unsafe extern "C-unwind" fn snprintf_seen(registers: &RegisterArea, overflow: *const u64, pc: usize) -> i32 {
    let mut list = VaList::after(3, registers, overflow);
    let (to, room, format) = (
        registers.integer(0),
        registers.integer(1) as usize,
        registers.integer(2),
    );
    // SAFETY: The program's own arguments.
    unsafe { vsnprintf_seen(to, room, format, &raw mut list, pc) }
}

unsafe extern "C-unwind" fn sprintf_chk_seen(
    registers: &RegisterArea,
    overflow: *const u64,
    pc: usize,
) -> i32 {
    let mut list = VaList::after(4, registers, overflow);
    let (to, flag, size) = (
        registers.integer(0),
        registers.integer(1) as i32,
        registers.integer(2) as usize,
    );
    // SAFETY: The program's own arguments.
    unsafe { vsprintf_chk_seen(to, flag, size, registers.integer(3), &raw mut list, pc) }
}

unsafe extern "C-unwind" fn snprintf_chk_seen(
    registers: &RegisterArea,
    overflow: *const u64,
    pc: usize,
) -> i32 {
    let mut list = VaList::after(5, registers, overflow);
    let (to, room) = (registers.integer(0), registers.integer(1) as usize);
    let (flag, size) = (registers.integer(2) as i32, registers.integer(3) as usize);
    // SAFETY: The program's own arguments.
    unsafe { vsnprintf_chk_seen(to, room, flag, size, registers.integer(4), &raw mut list, pc) }
}

unsafe extern "C-unwind" fn vsprintf_seen(to: u64, format: u64, list: *mut VaList, pc: usize) -> i32 {
    let real = real!("vsprintf", Sprintf);
    // SAFETY: The program's own arguments.
    unsafe {
        let seen = Into {
            name: "sprintf",
            pc,
            to,
            room: usize::MAX,
            format,
            arguments: *list,
        };
        seen.seen(|list| real(to, format, list))
    }
}

unsafe extern "C-unwind" fn vsnprintf_seen(
    to: u64,
    room: usize,
    format: u64,
    list: *mut VaList,
    pc: usize,
) -> i32 {
    let real = real!("vsnprintf", Snprintf);
    // SAFETY: The program's own arguments.
    unsafe {
        let seen = Into {
            name: "snprintf",
            pc,
            to,
            room,
            format,
            arguments: *list,
        };
        seen.seen(|list| real(to, room, format, list))
    }
}

unsafe extern "C-unwind" fn vsprintf_chk_seen(
    to: u64,
    flag: i32,
    size: usize,
    format: u64,
    list: *mut VaList,
    pc: usize,
) -> i32 {
    let real = real!("__vsprintf_chk", SprintfChk);
    // SAFETY: The program's own arguments.
    unsafe {
        let seen = Into {
            name: "sprintf",
            pc,
            to,
            room: usize::MAX,
            format,
            arguments: *list,
        };
        seen.seen(|list| real(to, flag, size, format, list))
    }
}

unsafe extern "C-unwind" fn vsnprintf_chk_seen(
    to: u64,
    room: usize,
    flag: i32,
    size: usize,
    format: u64,
    list: *mut VaList,
    pc: usize,
) -> i32 {
    let real = real!("__vsnprintf_chk", SnprintfChk);
    // SAFETY: The program's own arguments.
    unsafe {
        let seen = Into {
            name: "snprintf",
            pc,
            to,
            room,
            format,
            arguments: *list,
        };
        seen.seen(|list| real(to, room, flag, size, format, list))
    }
}
