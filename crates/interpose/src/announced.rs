//! Modules that announce their loads and stores: they were compiled by the wrappers, and import the callbacks.

use std::ffi::CStr;

/// Whether a module that is loaded announces its loads and stores: it was compiled by the wrappers.
pub(crate) fn announces(module: &libc::dl_phdr_info) -> bool {
    // SAFETY: as the loader describes it.
    let headers = unsafe { std::slice::from_raw_parts(module.dlpi_phdr, usize::from(module.dlpi_phnum)) };
    let dynamic = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC);
    // SAFETY: the dynamic section of a mapped module.
    dynamic.is_some_and(|header| unsafe {
        imports_callbacks(module.dlpi_addr as usize, header.p_vaddr as usize)
    })
}

/// Whether a module has an undefined symbol `__tsan_init`.
///
/// # Safety
/// `vaddr` is the address of the dynamic section of the module mapped at `base`.
unsafe fn imports_callbacks(base: usize, vaddr: usize) -> bool {
    const DT_STRTAB: i64 = 5;
    const DT_SYMTAB: i64 = 6;
    const DT_HASH: i64 = 4;
    const DT_GNU_HASH: i64 = 0x6fff_fef5;
    // SAFETY: The tables of a mapped module, as the ELF specification and its GNU extension describe them. Some loaders
    // leave addresses in the section relative (the vDSO does): those are below the base.
    unsafe {
        let mut entry = base.wrapping_add(vaddr) as *const (i64, usize);
        let (mut strings, mut symbols, mut gnu_hash, mut hash) = (0, 0, 0, 0);
        while (*entry).0 != 0 {
            let (tag, value) = *entry;
            let address = if value < base {
                value.wrapping_add(base)
            } else {
                value
            };
            match tag {
                DT_STRTAB => strings = address,
                DT_SYMTAB => symbols = address,
                DT_GNU_HASH => gnu_hash = address,
                DT_HASH => hash = address,
                _ => {}
            }
            entry = entry.add(1);
        }
        // Undefined symbols come before those that the hash table knows.
        let count = if gnu_hash != 0 {
            *((gnu_hash + 4) as *const u32)
        } else if hash != 0 {
            *((hash + 4) as *const u32)
        } else {
            0
        };
        if strings == 0 || symbols == 0 {
            return false;
        }
        (0..count as usize).any(|index| {
            let symbol = &*(symbols as *const libc::Elf64_Sym).add(index);
            symbol.st_shndx == 0
                && CStr::from_ptr((strings + symbol.st_name as usize) as *const _) == c"__tsan_init"
        })
    }
}
