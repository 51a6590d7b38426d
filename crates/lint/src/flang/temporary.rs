//! Temporaries of which flang does not know how many there will be: those of `forall`, and of assignments to elements
//! that vectors choose.
//!
//! Source: `flang/Runtime/temporary-stack.h` of LLVM 19. A stack is an object of the process: how many descriptors it
//! holds, for how many there is room, and where their addresses lie. A stack of values has copies of what the
//! descriptors stand for, one of descriptors only themselves.

use super::descriptor::Descriptor;
use crate::caller::Caller;
use crate::flow::{Flow, NOTHING};
use crate::value::Scalar;

/// Where a stack has its parts, and how long it is.
const ROOM: u64 = 8;
const LIST: u64 = 16;
const STACK: u64 = 24;
/// Room at the beginning.
const FIRST_ROOM: u64 = 8;

/// A function of these stacks, by its name without `_FortranA`; `None` if it is none.
pub(super) fn call(caller: &mut Caller<'_>, name: &str, a: &[Scalar]) -> Option<Flow> {
    let at = |index: usize| a.get(index).copied().unwrap_or_default().bits;
    let stack = at(0);
    match name {
        "CreateValueStack" | "CreateDescriptorStack" => {
            let stack = caller.allocate(STACK, "");
            let list = caller.allocate(8 * FIRST_ROOM, "");
            for (place, value) in [(0, 0), (ROOM, FIRST_ROOM), (LIST, list)] {
                caller.put_long(stack + place, value);
            }
            return Some(Flow::Return(Scalar::known(stack)));
        }
        "PushDescriptor" => {
            let copy = copied(caller, at(1));
            push(caller, stack, copy);
        }
        "PushValue" => {
            let value = Descriptor::at(caller, at(1));
            let copy = copied(caller, at(1));
            let base = caller.allocate(value.size().min(1 << 40), "temporary");
            let own = value.clone().packed(base);
            own.put(caller, copy);
            own.take_values(caller, &value, "assignment");
            push(caller, stack, copy);
        }
        "DescriptorAt" | "ValueAt" => give(caller, stack, at(1), at(2)),
        "PopDescriptor" | "PopValue" => {
            let count = caller.long_at(stack).saturating_sub(1);
            give(caller, stack, count, at(1));
            caller.put_long(stack, count);
        }
        "DestroyDescriptorStack" | "DestroyValueStack" => {
            let list = caller.long_at(stack + LIST);
            for nth in 0..caller.long_at(stack) {
                let copy = caller.long_at(list + 8 * nth);
                let base = caller.long_at(copy);
                let memory = caller.process_mut().memory_mut();
                if name == "DestroyValueStack" {
                    memory.free(base);
                }
                memory.free(copy);
            }
            let memory = caller.process_mut().memory_mut();
            memory.free(list);
            memory.free(stack);
        }
        _ => return None,
    }
    Some(NOTHING)
}

/// A copy of a descriptor.
fn copied(caller: &mut Caller<'_>, descriptor: u64) -> u64 {
    let copy = caller.allocate(Descriptor::bytes(caller, descriptor), "");
    Descriptor::copy(caller, descriptor, copy);
    copy
}

fn push(caller: &mut Caller<'_>, stack: u64, descriptor: u64) {
    let [count, room, mut list] = [0, ROOM, LIST].map(|place| caller.long_at(stack + place));
    if count == room {
        let larger = caller.allocate(16 * room, "");
        let bytes = caller.memory(list).bytes(list, 8 * room);
        caller.memory_mut(larger).write(larger, &bytes);
        caller.process_mut().memory_mut().free(list);
        caller.put_long(stack + ROOM, 2 * room);
        caller.put_long(stack + LIST, larger);
        list = larger;
    }
    caller.put_long(list + 8 * count, descriptor);
    caller.put_long(stack, count + 1);
}

/// Writes a descriptor of the stack, which are counted from 0, to a place of the program.
fn give(caller: &mut Caller<'_>, stack: u64, nth: u64, into: u64) {
    if nth < caller.long_at(stack) {
        let copy = caller.long_at(caller.long_at(stack + LIST) + 8 * nth);
        Descriptor::copy(caller, copy, into);
    }
}
