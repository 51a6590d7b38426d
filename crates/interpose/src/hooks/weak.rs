//! Weak references to functions that the loaded MPI library lacks become null again.
//!
//! A program that runs with several libraries asks with a weak reference (`#pragma weak MPI_Win_create_c`, then
//! `if (MPI_Win_create_c) ...`) whether the library has a function; mpi4py's wheels do. This library exports every function
//! that some MPI has, so without more such a program would find what is not there, and call it.
//!
//! Promise: where the dynamic linker stored one of our addresses for a weak reference, and no other module defines the
//! symbol, null is stored, as the linker would have without us. It is done when this library is loaded, and again at the
//! first call of every MPI function if modules were loaded since: before a module has called its first one, it can
//! have asked for few.
//! Limits: `dlsym(RTLD_DEFAULT, ...)` still finds ours. A module that is loaded later than the first calls of all the
//! functions that it calls is not looked at.

use crate::abi::symbol;
use crate::machine;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

// Runs when the dynamic linker has bound everything that is loaded with the program.
// SAFETY: a function pointer of the kind that this section holds.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    clear_missing();
}

/// How many modules had been loaded when references were last looked at.
static LOADED: AtomicU64 = AtomicU64::new(0);

/// Clears the weak references of modules loaded since the last time to functions that nobody but us defines.
pub(super) fn clear_missing() {
    let mut loaded = 0;
    // SAFETY: the callback only runs during this call, with `loaded` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(count), (&raw mut loaded).cast::<c_void>()) };
    if LOADED.swap(loaded, Ordering::Relaxed) == loaded {
        return;
    }
    let mut references: Vec<Reference> = Vec::new();
    // SAFETY: the callback only runs during this call, with `references` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(collect), (&raw mut references).cast()) };
    // What follows asks the dynamic linker, and the walk held one of its locks.
    let ours = symbol::module_of(clear_missing as *const () as usize);
    references.retain(|reference| symbol::module_of(reference.address) == ours);
    // Without an MPI nothing is known yet.
    if references.is_empty() || symbol::next(c"MPI_Init").is_none() {
        return;
    }
    for reference in &references {
        if super::defined_elsewhere(&reference.name).is_none() {
            reference.clear();
        }
    }
}

/// A place where an address was stored for a weak reference to an MPI function.
struct Reference {
    name: std::ffi::CString,
    address: usize,
    slot: *mut usize,
    /// The slot was made read-only after binding (RELRO).
    sealed: bool,
}

impl Reference {
    fn clear(&self) {
        // SAFETY: asks for a constant of the system.
        let page = unsafe { ::libc::sysconf(::libc::_SC_PAGESIZE) };
        let Ok(page) = usize::try_from(page) else { return };
        let start = (self.slot as usize & !(page - 1)) as *mut c_void;
        let protect = |mode| {
            // SAFETY: the page holds the slot and is mapped; adding the right to write harms no reader.
            !self.sealed || unsafe { ::libc::mprotect(start, page, mode) } == 0
        };
        if !protect(::libc::PROT_READ | ::libc::PROT_WRITE) {
            return;
        }
        // SAFETY: an aligned word of a table that the dynamic linker wrote, writable now. Its users read whole words.
        unsafe { std::sync::atomic::AtomicUsize::from_ptr(self.slot).store(0, Ordering::Relaxed) };
        protect(::libc::PROT_READ);
    }
}

unsafe extern "C" fn count(info: *mut ::libc::dl_phdr_info, _size: usize, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the number passed by `clear_missing`; `info` is valid during the callback.
    unsafe { *data.cast::<u64>() = (*info).dlpi_adds };
    1
}

unsafe extern "C" fn collect(info: *mut ::libc::dl_phdr_info, _size: usize, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the vector passed by `clear_missing`; `info` and its headers are valid during the callback.
    let (references, bias, headers) = unsafe {
        let info = &*info;
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        (
            &mut *data.cast::<Vec<Reference>>(),
            info.dlpi_addr as usize,
            headers,
        )
    };
    let segment = |kind| headers.iter().find(|header| header.p_type == kind);
    let sealed = segment(::libc::PT_GNU_RELRO).map_or(0..0, |header| {
        let start = bias + header.p_vaddr as usize;
        start..start + header.p_memsz as usize
    });
    if let Some(dynamic) = segment(::libc::PT_DYNAMIC) {
        // SAFETY: the segment is mapped there while the module is loaded.
        let tables = unsafe { Tables::read(bias, (bias + dynamic.p_vaddr as usize) as *const Dynamic) };
        if let Some(tables) = tables {
            // SAFETY: the tables are those of a loaded module.
            unsafe { tables.collect(bias, &sealed, references) };
        }
    }
    0
}

/// `Elf64_Dyn`.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

const DT_NULL: i64 = 0;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;

/// What binding a module needs.
struct Tables {
    symbols: *const ::libc::Elf64_Sym,
    names: *const c_char,
    relocations: *const ::libc::Elf64_Rela,
    count: usize,
}

impl Tables {
    /// # Safety
    /// `entry` is the dynamic section of a loaded module.
    unsafe fn read(bias: usize, mut entry: *const Dynamic) -> Option<Self> {
        let (mut symbols, mut names, mut relocations, mut bytes) = (0, 0, 0, 0);
        // The dynamic linker adds the load address in place, but for modules that it cannot write (the kernel's own).
        let absolute = |value: usize| if value < bias { value + bias } else { value };
        // SAFETY: the section ends with DT_NULL.
        unsafe {
            while (*entry).tag != DT_NULL {
                let value = (*entry).value;
                match (*entry).tag {
                    DT_STRTAB => names = absolute(value),
                    DT_SYMTAB => symbols = absolute(value),
                    DT_RELA => relocations = absolute(value),
                    DT_RELASZ => bytes = value,
                    _ => {}
                }
                entry = entry.add(1);
            }
        }
        (symbols != 0 && names != 0 && relocations != 0).then_some(Self {
            symbols: symbols as *const ::libc::Elf64_Sym,
            names: names as *const c_char,
            relocations: relocations as *const ::libc::Elf64_Rela,
            count: bytes / size_of::<::libc::Elf64_Rela>(),
        })
    }

    /// # Safety
    /// The tables are those of a loaded module at `bias`.
    unsafe fn collect(&self, bias: usize, sealed: &std::ops::Range<usize>, references: &mut Vec<Reference>) {
        for index in 0..self.count {
            // SAFETY: within the table.
            let relocation = unsafe { &*self.relocations.add(index) };
            // Calls by name alone test nothing.
            let kind = relocation.r_info as u32;
            if !machine::ADDRESSES.contains(&kind) {
                continue;
            }
            // SAFETY: relocations name symbols of the module's table, and symbols names of its strings.
            let (symbol, name) = unsafe {
                let symbol = &*self.symbols.add((relocation.r_info >> 32) as usize);
                (symbol, CStr::from_ptr(self.names.add(symbol.st_name as usize)))
            };
            let weak = symbol.st_info >> 4 == STB_WEAK && symbol.st_shndx == 0;
            if !weak || !matches!(name.to_bytes(), [b'M', b'P', b'I', ..] | [b'm', b'p', b'i', ..]) {
                continue;
            }
            let slot = (bias + relocation.r_offset as usize) as *mut usize;
            references.push(Reference {
                name: name.to_owned(),
                // SAFETY: the dynamic linker stored a word there.
                address: unsafe { slot.read_unaligned() },
                slot,
                sealed: sealed.contains(&(slot as usize)),
            });
        }
    }
}

const STB_WEAK: u8 = 2;
