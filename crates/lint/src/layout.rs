//! Where things have their addresses, the same in every process.

use crate::ir::Module;
use crate::memory::{FIRST_OBJECT, Places};

/// Where functions have their addresses.
const FUNCTIONS: u64 = 0x4000_0000_0000;
/// The address that stands for all virtual functions of libraries, whose tables are not in the program.
pub(crate) const OF_LIBRARY: u64 = FUNCTIONS - 16;
/// Where the memory of shared windows begins; it is one memory for all processes.
pub(crate) const SHARED: u64 = 0x7000_0000_0000;

/// The address of a function.
pub(crate) fn function_address(index: u32) -> u64 {
    FUNCTIONS + 16 * u64::from(index)
}

/// The function that has an address, if the program has so many; addresses within one are taken for its own.
pub(crate) fn function_at(address: u64) -> Option<u32> {
    let distance = address.checked_sub(FUNCTIONS)?;
    u32::try_from(distance / 16).ok()
}

/// The addresses of the global variables: a process allocates them first, in their order.
pub(crate) fn global_addresses(module: &Module) -> Vec<u64> {
    let mut places = Places::starting_at(FIRST_OBJECT);
    module
        .globals
        .iter()
        .map(|global| places.take(global.size))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn global_variables_lie_where_a_memory_has_its_first_objects() {
        let module: Module = "global @a 7\nglobal @b 0\nglobal @c 4096\nglobal @d 1"
            .parse()
            .unwrap();
        let mut memory = Memory::starting_at(FIRST_OBJECT);
        let allocated = module
            .globals
            .iter()
            .map(|global| memory.allocate(global.size, &global.name));
        assert_eq!(allocated.collect::<Vec<u64>>(), global_addresses(&module));
    }

    #[test]
    fn functions_are_found_by_their_addresses() {
        assert_eq!(function_at(function_address(3)), Some(3));
        assert_eq!(function_at(OF_LIBRARY), None);
    }
}
