//! Where things have their addresses: functions and variables the same in every process.

use crate::ir::{Global, Module, Operand, Type};
use crate::memory::{FIRST_OBJECT, Memory, Origin, Places};
use crate::value::Value;
use std::rc::Rc;

/// Where functions have their addresses.
const FUNCTIONS: u64 = 0x4000_0000_0000;
/// The address that stands for all virtual functions of libraries, whose tables are not in the program.
pub(crate) const OF_LIBRARY: u64 = FUNCTIONS - 16;
/// The address that stands for `what` of the library's exceptions.
pub(crate) const WHAT_OF_LIBRARY: u64 = FUNCTIONS - 32;
/// The name of the memory that a pointer of an unknown caller leads to.
pub(crate) const UNKNOWN_CALLER: &str = "argument";
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

/// Whether a variable is the table of virtual functions of a class of a library.
fn is_table_of_library(global: &Global) -> bool {
    global.external && global.name.starts_with("_ZTV")
}

/// Bytes of a variable. Clang declares tables of a library without a size; addresses lead past their first two words.
fn room(global: &Global) -> u64 {
    match is_table_of_library(global) {
        true => global.size.max(128),
        false => global.size,
    }
}

/// The addresses of the global variables: a process allocates them first, in their order.
#[derive(Debug)]
pub(crate) struct Globals(Vec<u64>);

impl Globals {
    /// Those of a program.
    pub(crate) fn of(module: &Module) -> Self {
        let mut places = Places::starting_at(FIRST_OBJECT);
        let globals = module.globals.iter();
        Self(globals.map(|global| places.take(room(global))).collect())
    }

    /// All of them, by number.
    pub(crate) fn addresses(&self) -> &[u64] {
        &self.0
    }

    /// The address of the variable of this name, if the module declares it.
    pub(crate) fn address(&self, module: &Module, name: &str) -> Option<u64> {
        let number = module.globals.iter().position(|global| global.name == name)?;
        self.0.get(number).copied()
    }

    /// The number of the variable that begins at an address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        self.0.iter().position(|base| *base == address)
    }

    /// The memory of the process of this rank that begins.
    pub(crate) fn memory(&self, module: &Module, rank: u32) -> Memory {
        let mut memory = Memory::starting_at(FIRST_OBJECT);
        for (global, address) in module.globals.iter().zip(&self.0) {
            let origin = match global.constant {
                true => Origin::Constant,
                false => Origin::Global,
            };
            let base = memory.add(room(global), &global.name, (origin, global.arrays.clone()));
            debug_assert_eq!(base, *address);
            memory.settle(base);
        }
        for (index, base) in self.0.iter().enumerate() {
            self.initialize(module, &mut memory, index, *base);
        }
        memory.keep_apart(rank);
        memory
    }

    /// Writes what a variable holds at first to `base`: its own place, or that of a thread's copy.
    pub(crate) fn initialize(&self, module: &Module, memory: &mut Memory, index: usize, base: u64) {
        let global = &module.globals[index];
        if is_table_of_library(global) {
            // The first two words of a table are an offset and the type, not functions.
            for entry in 2..room(global) / 8 {
                memory.store_value(base + 8 * entry, &Type::Pointer, &Value::known(OF_LIBRARY));
            }
        }
        for (offset, ty, operand) in &global.initial {
            memory.store_value(base + offset, ty, &self.constant(operand));
        }
    }

    /// What an operand is that is no register.
    pub(crate) fn constant(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Aggregate(fields) => {
                Value::Aggregate(Rc::new(fields.iter().map(|field| self.constant(field)).collect()))
            }
            other => Value::known(self.number(other).unwrap_or(0)),
        }
    }

    /// The number that a constant is; `None` of a register or an aggregate.
    #[inline]
    pub(crate) fn number(&self, operand: &Operand) -> Option<u64> {
        Some(match operand {
            Operand::Register(_) | Operand::Aggregate(_) => return None,
            Operand::Undefined => 0,
            Operand::Integer(value) => *value,
            Operand::Single(value) => u64::from(value.to_bits()),
            Operand::Float(value) => value.to_bits(),
            Operand::Global(global, offset) => self.0[*global as usize].wrapping_add_signed(*offset),
            Operand::Function(function) => function_address(*function),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn global_variables_lie_where_a_memory_has_its_first_objects() {
        let module: Module = "global @a 7\nglobal @b 0\nglobal @c 4096\nglobal @d 1"
            .parse()
            .unwrap();
        let globals = Globals::of(&module);
        let memory = globals.memory(&module, 0);
        for (address, global) in globals.addresses().iter().zip(&module.globals) {
            let (base, object) = memory.object(*address).expect("an object");
            assert_eq!((base, &object.name), (*address, &global.name));
        }
    }

    #[test]
    fn functions_are_found_by_their_addresses() {
        assert_eq!(function_at(function_address(3)), Some(3));
        assert_eq!(function_at(OF_LIBRARY), None);
        assert_eq!(function_at(WHAT_OF_LIBRARY), None);
    }
}
