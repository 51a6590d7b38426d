//! Whether a caller looks at what a call returns.

use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register,
};
use rustc_hash::FxHashSet as HashSet;

/// The longest instruction.
const LONGEST: usize = 15;
const PAGE: usize = 4096;
/// Instructions that are looked through.
const MOST: usize = 256;

/// Whether the code where a call returns may read the word that the call returns. False: on each way from there, other
/// things are written over it, or another function is called, which need not keep it.
///
/// # Safety
/// `at` is where a call returns, in code that stays mapped.
pub(crate) unsafe fn may_read_result(at: usize) -> bool {
    let mut factory = InstructionInfoFactory::new();
    let mut seen = HashSet::default();
    let mut open = vec![at];
    while let Some(place) = open.pop() {
        if !seen.insert(place) {
            continue;
        }
        if seen.len() > MOST {
            return true;
        }
        // SAFETY: by the contract, and as branches lead to code.
        let Some(instruction) = (unsafe { decode(place) }) else {
            return true;
        };
        let mut is_over = false;
        for used in factory.info(&instruction).used_registers() {
            if used.register().full_register() != Register::RAX {
                continue;
            }
            match used.access() {
                OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                    return true;
                }
                OpAccess::Write => is_over |= used.register().size() >= 4,
                _ => {}
            }
        }
        let next = instruction.next_ip() as usize;
        let target = || instruction.near_branch_target() as usize;
        match instruction.flow_control() {
            _ if is_over => {}
            FlowControl::Next => open.push(next),
            FlowControl::UnconditionalBranch => open.push(target()),
            FlowControl::ConditionalBranch => open.extend([next, target()]),
            FlowControl::Call | FlowControl::IndirectCall => {}
            _ => return true,
        }
    }
    false
}

/// # Safety
/// An instruction is mapped there.
unsafe fn decode(place: usize) -> Option<Instruction> {
    let left = PAGE - place % PAGE;
    // No further than the page, if that is long enough.
    [left.min(LONGEST), LONGEST].into_iter().find_map(|length| {
        // SAFETY: by the contract: what the first length was too short for goes on in the next page.
        let bytes = unsafe { std::slice::from_raw_parts(place as *const u8, length) };
        let instruction = Decoder::with_ip(64, bytes, place as u64, DecoderOptions::NONE).decode();
        (instruction.code() != Code::INVALID).then_some(instruction)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_read(code: &[u8]) -> bool {
        let mut padded = code.to_vec();
        padded.resize(code.len() + LONGEST, 0xcc);
        // SAFETY: all of the code is there, and it leads nowhere else.
        unsafe { may_read_result(padded.as_ptr() as usize) }
    }

    #[test]
    fn what_is_read_before_it_is_written() {
        // mov rbx, rax
        assert!(may_read(&[0x48, 0x89, 0xc3]));
        // mov eax, [rax]
        assert!(may_read(&[0x8b, 0x00]));
        // ret
        assert!(may_read(&[0xc3]));
        // mov al, 1; cmp rax, rbx
        assert!(may_read(&[0xb0, 0x01, 0x48, 0x39, 0xd8]));
        // call rax
        assert!(may_read(&[0xff, 0xd0]));
        // jmp [rbx]
        assert!(may_read(&[0xff, 0x23]));
        // jne over; xor eax, eax; over: mov rbx, rax
        assert!(may_read(&[0x75, 0x02, 0x31, 0xc0, 0x48, 0x89, 0xc3]));
    }

    #[test]
    fn what_is_written_or_called_first() {
        // xor eax, eax; ret
        assert!(!may_read(&[0x31, 0xc0, 0xc3]));
        // again: mov rbx, [rdi]; jne again; mov eax, 1; ret
        assert!(!may_read(&[0x48, 0x8b, 0x1f, 0x75, 0xfb, 0xb8, 1, 0, 0, 0, 0xc3]));
        // call there; there: ret
        assert!(!may_read(&[0xe8, 0, 0, 0, 0, 0xc3]));
        // jne over; xor eax, eax; ret; over: lea rax, [rbx]; ret
        assert!(!may_read(&[0x75, 0x03, 0x31, 0xc0, 0xc3, 0x48, 0x8d, 0x03, 0xc3]));
    }
}
