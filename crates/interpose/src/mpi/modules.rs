//! Which files are mapped where, for finding source places after the run.

use crate::recorder::define;
use farside_events::{EventKind, Module};
use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Load addresses and first addresses of modules already announced.
static KNOWN: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// Announces the modules that were loaded since the last time.
pub(crate) fn announce() {
    let mut found: Vec<Module> = Vec::new();
    // SAFETY: the callback only runs during this call, with `found` as its data.
    unsafe { ::libc::dl_iterate_phdr(Some(collect), (&raw mut found).cast()) };
    for module in found {
        let key = (module.bias, module.start);
        let fresh = {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = !known.contains(&key);
            if fresh {
                known.push(key);
            }
            fresh
        };
        if fresh {
            define(EventKind::Module(module));
        }
    }
}

unsafe extern "C" fn collect(info: *mut ::libc::dl_phdr_info, _size: usize, data: *mut c_void) -> i32 {
    // SAFETY: `data` is the vector passed by `announce`.
    let found = unsafe { &mut *data.cast::<Vec<Module>>() };
    // SAFETY: `info` and what it points to are valid during the callback.
    let (name, bias, headers) = unsafe {
        let info = &*info;
        let name = if info.dlpi_name.is_null() {
            &[]
        } else {
            CStr::from_ptr(info.dlpi_name).to_bytes()
        };
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        (name, info.dlpi_addr, headers)
    };
    let loaded = || headers.iter().filter(|header| header.p_type == ::libc::PT_LOAD);
    let (mut start, mut end) = (u64::MAX, 0);
    for header in loaded() {
        start = start.min(bias.wrapping_add(header.p_vaddr));
        end = end.max(bias.wrapping_add(header.p_vaddr).wrapping_add(header.p_memsz));
    }
    let Some(path) = path_of(name) else { return 0 };
    if start < end {
        let notes = headers.iter().filter(|header| header.p_type == ::libc::PT_NOTE);
        // What no segment holds is not in memory.
        let held = notes.filter(|note| {
            loaded().any(|segment| {
                segment.p_flags & ::libc::PF_R != 0
                    && segment.p_vaddr <= note.p_vaddr
                    && note.p_vaddr.saturating_add(note.p_filesz)
                        <= segment.p_vaddr.saturating_add(segment.p_filesz)
            })
        });
        let build = held.filter_map(|note| {
            let length = usize::try_from(note.p_filesz).ok()?;
            // SAFETY: a readable segment of a loaded module holds these bytes, and nobody writes to notes; modules are
            // not unloaded during the callback.
            let bytes =
                unsafe { std::slice::from_raw_parts(bias.wrapping_add(note.p_vaddr) as *const u8, length) };
            build_of(bytes)
        });
        found.push(Module {
            path: path.to_string_lossy().into(),
            start,
            end,
            bias,
            build: { build }.next().unwrap_or_default().into(),
        });
    }
    0
}

/// The name of the build in notes (ELF, "Note Section"): a header of three words, a name and a description, each padded
/// to words.
fn build_of(mut notes: &[u8]) -> Option<&[u8]> {
    const BUILD_ID: u32 = 3;
    let word = |bytes: &[u8]| Some(u32::from_ne_bytes(*bytes.first_chunk()?));
    loop {
        let (name, length, kind) = (word(notes)?, word(notes.get(4..)?)?, word(notes.get(8..)?)?);
        let (name, length) = (name as usize, length as usize);
        let begin = 12 + name.checked_next_multiple_of(4)?;
        let description = notes.get(begin..begin.checked_add(length)?)?;
        if kind == BUILD_ID && notes.get(12..12 + name)? == b"GNU\0" {
            return Some(description);
        }
        notes = notes.get(begin + length.checked_next_multiple_of(4)?..)?;
    }
}

/// The program itself has no name in the list; the kernel's own page has no file.
fn path_of(name: &[u8]) -> Option<PathBuf> {
    if name.is_empty() {
        return std::fs::read_link("/proc/self/exe").ok();
    }
    let path = Path::new(OsStr::from_bytes(name));
    if !name.contains(&b'/') {
        return None;
    }
    std::fs::canonicalize(path).ok()
}

#[cfg(test)]
mod tests {
    use super::build_of;

    #[test]
    fn the_build_is_found_among_other_notes() {
        let note = |name: &[u8], kind: u32, description: &[u8]| {
            let mut bytes = Vec::new();
            for number in [name.len() as u32, description.len() as u32, kind] {
                bytes.extend(number.to_ne_bytes());
            }
            for part in [name, description] {
                bytes.extend(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
            bytes
        };
        let all = [
            note(b"GNU\0", 5, b"property"),
            note(b"Linux", 3, b"x"),
            note(b"GNU\0", 3, b"\x12\x34\x56"),
        ]
        .concat();
        assert_eq!(build_of(&all), Some(&b"\x12\x34\x56"[..]));
        for end in 0..all.len() - 1 {
            assert_eq!(build_of(&all[..end]), None, "{end}");
        }
        assert_eq!(build_of(&[0xff; 64]), None);
    }
}
