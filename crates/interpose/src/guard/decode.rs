//! What an instruction loads and stores, decoded (crate `iced-x86`).
//!
//! Promise: of each operand in memory whose place the general registers say, exactly its bytes. Limit: gathers,
//! scatters and accesses under a mask, whose bytes the vector registers say: of them, the element that faulted.

use farside_events::AccessKind::{self, Load, Store};
use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    Register,
};
use std::cell::UnsafeCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest instruction of x86.
pub(super) const LONGEST: usize = 15;
/// Most operands in memory that one instruction has.
const MOST: usize = 8;

/// A load or a store of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    kind: AccessKind,
    bytes: Range<usize>,
}

impl Access {
    pub(super) fn kind(&self) -> AccessKind {
        self.kind
    }

    pub(super) fn bytes(&self) -> &Range<usize> {
        &self.bytes
    }
}

/// What one instruction does to memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    accesses: [Option<Access>; MOST],
    count: usize,
    /// In one step that nothing of another process or thread can divide.
    is_atomic: bool,
    /// Some bytes could not be told.
    is_partly_known: bool,
    /// It is a string instruction that does all at once, trap after trap.
    repeats: bool,
    /// It calls a function.
    calls: bool,
    /// Where the next instruction is.
    next: usize,
    /// How it may be executed at another place.
    elsewhere: Option<Elsewhere>,
}

/// What an instruction needs to do the same at another place: it goes on with the next one, and at most one operand of
/// it lies where its own address says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Elsewhere {
    length: usize,
    /// Of the distance in its code: where it begins there, and what it leads to.
    distance: Option<(usize, usize)>,
}

impl Elsewhere {
    fn of(instruction: &Instruction, offset: impl FnOnce() -> usize) -> Option<Self> {
        let goes_on = instruction.flow_control() == FlowControl::Next;
        let is_whole = !instruction.has_rep_prefix() && !instruction.has_repne_prefix();
        // Of these, what is loaded or stored says whether the processor is to trap.
        let is_plain = !matches!(
            instruction.mnemonic(),
            Mnemonic::Pushf
                | Mnemonic::Pushfd
                | Mnemonic::Pushfq
                | Mnemonic::Popf
                | Mnemonic::Popfd
                | Mnemonic::Popfq
        );
        (goes_on && is_whole && is_plain).then(|| Self {
            length: instruction.len(),
            distance: instruction
                .is_ip_rel_memory_operand()
                .then(|| (offset(), instruction.ip_rel_memory_address() as usize)),
        })
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The code of the instruction, if it is to be executed at `place`. `None`: its operand is too far from there.
    pub(super) fn code(&self, code: &[u8], place: usize) -> Option<[u8; LONGEST]> {
        let mut copy = [0; LONGEST];
        let copied = copy.get_mut(..self.length)?;
        copied.copy_from_slice(code.get(..self.length)?);
        if let Some((offset, target)) = self.distance {
            let distance = target.wrapping_sub(place + self.length).cast_signed();
            let distance = i32::try_from(distance).ok()?;
            copied
                .get_mut(offset..offset + 4)?
                .copy_from_slice(&distance.to_le_bytes());
        }
        Some(copy)
    }
}

impl Effects {
    /// Whether it happens in one step.
    pub(super) fn is_atomic(&self) -> bool {
        self.is_atomic
    }

    /// Whether some bytes could not be told.
    pub(super) fn is_partly_known(&self) -> bool {
        self.is_partly_known
    }

    /// Whether it is a string instruction, which traps after each round.
    pub(super) fn repeats(&self) -> bool {
        self.repeats
    }

    /// Whether it calls a function.
    pub(super) fn calls(&self) -> bool {
        self.calls
    }

    /// Where the next instruction is.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// How it may be executed at another place, if it may.
    pub(super) fn elsewhere(&self) -> Option<Elsewhere> {
        self.elsewhere
    }

    pub(super) fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.accesses[..self.count].iter().flatten()
    }

    fn add(&mut self, kind: AccessKind, bytes: Range<usize>) {
        if self.count == MOST {
            self.is_partly_known = true;
        } else if !bytes.is_empty() {
            self.accesses[self.count] = Some(Access { kind, bytes });
            self.count += 1;
        }
    }
}

/// The registers that say where an operand is.
pub(super) trait Registers {
    /// One of the sixteen general registers, by its number in an encoding.
    fn general(&self, number: usize) -> u64;
    /// The flags.
    fn flags(&self) -> u64;
    /// Where `fs` begins.
    fn fs(&self) -> u64;
}

/// The direction flag: string instructions go downwards.
const DIRECTION: u64 = 1 << 10;

/// The factory keeps its lists between instructions, so that a handler allocates nothing once they have grown.
struct Shared {
    taken: AtomicBool,
    factory: UnsafeCell<Option<InstructionInfoFactory>>,
}

// SAFETY: who has taken it is alone with it.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared {
    taken: AtomicBool::new(false),
    factory: UnsafeCell::new(None),
};

/// Decodes an instruction, so that the tables of the decoder are made now, which takes much of a stack, and not in a
/// handler.
pub(super) fn prepare() {
    struct Zero;

    impl Registers for Zero {
        fn general(&self, _: usize) -> u64 {
            0
        }

        fn flags(&self) -> u64 {
            0
        }

        fn fs(&self) -> u64 {
            0
        }
    }

    // SAFETY: the first instruction of a function of ours.
    let _ = unsafe { effects(prepare as *const () as usize, 0, &Zero) };
}

/// What the instruction at `pc` is about to do; `fault` is where it has met a closed page. `None`: it is none that is
/// known.
///
/// # Safety
/// `pc` is in code that is mapped, up to the end of the instruction.
pub(super) unsafe fn effects(pc: usize, fault: usize, registers: &impl Registers) -> Option<Effects> {
    // SAFETY: by the contract, as far as the instruction goes; no further than the page if that is long enough.
    let (instruction, elsewhere) = unsafe { decode(pc) }?;
    while SHARED.taken.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    // SAFETY: this thread has taken it.
    let factory = unsafe { &mut *SHARED.factory.get() };
    let factory = factory.get_or_insert_with(InstructionInfoFactory::new);
    let effects = of(&instruction, fault, registers, factory);
    SHARED.taken.store(false, Ordering::Release);
    Some(Effects { elsewhere, ..effects })
}

/// # Safety
/// As for [`effects`].
unsafe fn decode(pc: usize) -> Option<(Instruction, Option<Elsewhere>)> {
    let left = crate::memory::PAGE - pc % crate::memory::PAGE;
    for length in [left.min(LONGEST), LONGEST] {
        // SAFETY: by the contract.
        let bytes = unsafe { std::slice::from_raw_parts(pc as *const u8, length) };
        let mut decoder = Decoder::with_ip(64, bytes, pc as u64, DecoderOptions::NONE);
        let instruction = decoder.decode();
        if instruction.code() != Code::INVALID {
            let offset = || decoder.get_constant_offsets(&instruction).displacement_offset();
            return Some((instruction, Elsewhere::of(&instruction, offset)));
        }
        if decoder.last_error() != iced_x86::DecoderError::NoMoreBytes {
            return None;
        }
    }
    None
}

fn of(
    instruction: &Instruction,
    fault: usize,
    registers: &impl Registers,
    factory: &mut InstructionInfoFactory,
) -> Effects {
    let mut effects = Effects {
        is_atomic: instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg,
        calls: matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        ),
        next: instruction.next_ip() as usize,
        ..Effects::default()
    };
    let rounds = rounds(instruction, registers);
    effects.repeats = rounds.is_some();
    let is_masked = instruction.op_mask() != Register::None
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Vmaskmovps
                | Mnemonic::Vmaskmovpd
                | Mnemonic::Vpmaskmovd
                | Mnemonic::Vpmaskmovq
                | Mnemonic::Maskmovdqu
                | Mnemonic::Vmaskmovdqu
                | Mnemonic::Maskmovq
        );
    for memory in factory.info(instruction).used_memory() {
        let (loads, stores) = match memory.access() {
            OpAccess::Read | OpAccess::CondRead => (true, false),
            OpAccess::Write | OpAccess::CondWrite => (false, true),
            OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
            OpAccess::None | OpAccess::NoMemAccess => continue,
        };
        // Of a string instruction as a whole, the decoder gives no size.
        let mut size = match rounds {
            Some(_) => instruction.memory_size().size(),
            None => memory.memory_size().size(),
        };
        let begin = memory.virtual_address(0, |register, _, _| value(register, registers));
        let mut begin = match begin {
            Some(begin) if memory.vsib_size() == 0 && !is_masked => begin as usize,
            _ => {
                effects.is_partly_known = true;
                size = memory.memory_size().element_size().max(1);
                fault
            }
        };
        if let Some(rounds) = rounds.filter(|_| size > 0) {
            let length = size.saturating_mul(rounds);
            if registers.flags() & DIRECTION != 0 {
                begin = begin.wrapping_add(size).wrapping_sub(length);
            }
            size = length;
        }
        let bytes = begin..begin.saturating_add(size);
        // What reads and writes at once is a store, which conflicts with all that a load does.
        if loads && !(stores && effects.is_atomic) {
            effects.add(Load, bytes.clone());
        }
        if stores {
            effects.add(Store, bytes);
        }
    }
    // What an instruction loads, it loads first.
    effects.accesses[..effects.count]
        .sort_by_key(|access| access.as_ref().map(|access| access.kind == Store));
    effects
}

/// How often a string instruction moves, fills or loads, if it repeats and nothing else ends it.
fn rounds(instruction: &Instruction, registers: &impl Registers) -> Option<usize> {
    let ends_by_count = matches!(
        instruction.mnemonic(),
        Mnemonic::Movsb
            | Mnemonic::Movsw
            | Mnemonic::Movsd
            | Mnemonic::Movsq
            | Mnemonic::Stosb
            | Mnemonic::Stosw
            | Mnemonic::Stosd
            | Mnemonic::Stosq
    ) && instruction.is_string_instruction();
    (ends_by_count && (instruction.has_rep_prefix() || instruction.has_repne_prefix()))
        .then(|| registers.general(1) as usize)
}

/// What a register holds, as far as it decides where an operand is.
fn value(register: Register, registers: &impl Registers) -> Option<u64> {
    match register {
        Register::None | Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        Register::FS => Some(registers.fs()),
        _ if register.is_gpr64() => Some(registers.general(register.number())),
        _ if register.is_gpr32() => Some(registers.general(register.number()) & 0xffff_ffff),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers with recognisable contents.
    struct Made;

    impl Registers for Made {
        fn general(&self, number: usize) -> u64 {
            match number {
                1 => 3,
                number => 0x1000 * (number as u64 + 1),
            }
        }

        fn flags(&self) -> u64 {
            0
        }

        fn fs(&self) -> u64 {
            0x70_0000
        }
    }

    fn seen(code: &[u8]) -> (Vec<(AccessKind, Range<usize>)>, Effects) {
        let mut padded = code.to_vec();
        padded.resize(LONGEST, 0x90);
        // SAFETY: the buffer holds the longest instruction.
        let effects = unsafe { effects(padded.as_ptr() as usize, 0x42, &Made) }.expect("an instruction");
        let all = effects
            .accesses()
            .map(|access| (access.kind, access.bytes.clone()));
        (all.collect(), effects)
    }

    #[test]
    fn loads_stores_and_both() {
        // mov rax, [rdi + 8]: rdi is register 7.
        assert_eq!(seen(&[0x48, 0x8b, 0x47, 0x08]).0, [(Load, 0x8008..0x8010)]);
        // mov byte ptr [rsi], al
        assert_eq!(seen(&[0x88, 0x06]).0, [(Store, 0x7000..0x7001)]);
        // add dword ptr [rdx], eax
        let (both, effects) = seen(&[0x01, 0x02]);
        assert_eq!(both, [(Load, 0x3000..0x3004), (Store, 0x3000..0x3004)]);
        assert!(!effects.is_atomic && !effects.is_partly_known);
        // lock add dword ptr [rdx], eax
        let (atomic, effects) = seen(&[0xf0, 0x01, 0x02]);
        assert_eq!(atomic, [(Store, 0x3000..0x3004)]);
        assert!(effects.is_atomic);
        // movups xmm0, [rdi]
        assert_eq!(seen(&[0x0f, 0x10, 0x07]).0, [(Load, 0x8000..0x8010)]);
        // mov eax, fs:[rdx + 0x10]
        assert_eq!(seen(&[0x64, 0x8b, 0x42, 0x10]).0, [(Load, 0x70_3010..0x70_3014)]);
        // lea rax, [rdi]
        assert_eq!(seen(&[0x48, 0x8d, 0x07]).0, []);
    }

    #[test]
    fn the_stack_is_memory_too() {
        // push rax: rsp is register 4.
        assert_eq!(seen(&[0x50]).0, [(Store, 0x4ff8..0x5000)]);
        // call [rdi]
        let (call, effects) = seen(&[0xff, 0x17]);
        assert_eq!(call, [(Load, 0x8000..0x8008), (Store, 0x4ff8..0x5000)]);
        assert!(effects.calls);
    }

    #[test]
    fn string_instructions_as_a_whole() {
        // rep movsq, with a count of 3.
        let (moves, effects) = seen(&[0xf3, 0x48, 0xa5]);
        assert_eq!(moves, [(Load, 0x7000..0x7018), (Store, 0x8000..0x8018)]);
        assert!(effects.repeats);
    }

    #[test]
    fn what_does_the_same_at_another_place() {
        let elsewhere = |code: &[u8]| seen(code).1.elsewhere();
        // mov rax, [rdi + 8]; movss xmm0, [rdi]; lock add dword ptr [rdx], eax; push rax
        for plain in [
            &[0x48, 0x8b, 0x47, 0x08][..],
            &[0xf3, 0x0f, 0x10, 0x07],
            &[0xf0, 0x01, 0x02],
            &[0x50],
        ] {
            let copy = elsewhere(plain).and_then(|elsewhere| elsewhere.code(plain, 0x1000));
            assert_eq!(
                copy.map(|copy| copy[..plain.len()].to_vec()),
                Some(plain.to_vec())
            );
        }
        // rep movsq; call [rdi]; jmp [rdi]; ret; pushfq
        for other in [
            &[0xf3, 0x48, 0xa5][..],
            &[0xff, 0x17],
            &[0xff, 0x27],
            &[0xc3],
            &[0x9c],
        ] {
            assert_eq!(elsewhere(other), None, "{other:x?}");
        }
    }

    #[test]
    fn an_operand_that_lies_by_the_instruction_stays_where_it_is() {
        // mov dword ptr [rip + 0x10], 7: the constant comes after the distance.
        let code = [0xc7, 0x05, 0x10, 0, 0, 0, 7, 0, 0, 0];
        let (bytes, effects) = seen(&code);
        let elsewhere = effects.elsewhere().unwrap();
        let place = bytes[0].1.start - 0x1234;
        let copy = elsewhere.code(&code, place).unwrap();
        assert_eq!(copy[..2], code[..2]);
        assert_eq!(copy[2..6], (0x1234 - 10i32).to_le_bytes());
        assert_eq!(copy[6..10], code[6..]);
        assert_eq!(elsewhere.code(&code, bytes[0].1.start + (1 << 31) + 10), None);
        assert_eq!(elsewhere.code(&code, bytes[0].1.start - (1 << 32)), None);
    }

    #[test]
    fn what_vector_registers_decide_is_known_in_part() {
        // vgatherdps xmm0, [rdi + xmm1 * 4], xmm2
        let (gather, effects) = seen(&[0xc4, 0xe2, 0x69, 0x92, 0x04, 0x8f]);
        assert_eq!(gather, [(Load, 0x42..0x46)]);
        assert!(effects.is_partly_known);
    }
}
