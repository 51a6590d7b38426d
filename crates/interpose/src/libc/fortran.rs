//! What the Fortran runtime (libgfortran 5) accesses for the program: transfers of `print`, `write` and `read`, array
//! temporaries, strings, and `matmul`.
//!
//! Layouts and signatures: GCC 12, `libgfortran.h` and the sources of the runtime; array descriptors are the same since
//! GCC 8. Limits: internal files (`read(text, *)`), namelists, `reshape`, `pack`, shifts and reductions of the runtime
//! are not looked at.

use super::Call;
use super::forward::find_first;
use super::jump::{Arguments, observed};
use crate::memory::slots::slots;
use crate::memory::{library_run, watched};
use farside_events::AccessKind::{self, Load, Store};

/// The part of an array descriptor before its dimensions.
#[repr(C)]
#[derive(Clone, Copy)]
struct Header {
    base: u64,
    offset: usize,
    element: usize,
    version: i32,
    rank: i8,
    kind: i8,
    attribute: i16,
    span: isize,
}

/// One dimension of an array descriptor.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dimension {
    stride: isize,
    lower: isize,
    upper: isize,
}

/// An array descriptor.
struct Descriptor {
    header: Header,
    dimensions: Vec<Dimension>,
}

/// `count` steps, `stride` bytes apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Steps {
    count: usize,
    stride: isize,
}

impl Descriptor {
    /// What is at this address; `None` for null.
    ///
    /// # Safety
    /// `at` is null or points to an array descriptor.
    unsafe fn at(at: u64) -> Option<Self> {
        // SAFETY: The caller's promise: as many dimensions as the rank tells follow the header.
        unsafe {
            let header = *(at as *const Header).as_ref()?;
            let dimensions = (at as *const Header).add(1).cast::<Dimension>();
            let rank = usize::try_from(header.rank).unwrap_or(0);
            Some(Self {
                header,
                dimensions: (0..rank).map(|index| *dimensions.add(index)).collect(),
            })
        }
    }

    /// The steps through the array, innermost first; dimensions that continue each other are one. Empty for a single
    /// element; `None` if there is no element.
    fn steps(&self) -> Option<Vec<Steps>> {
        let Header { span, element, .. } = self.header;
        let unit = if span != 0 { span } else { element as isize };
        let mut list: Vec<Steps> = Vec::new();
        for dimension in &self.dimensions {
            let count = usize::try_from(dimension.upper - dimension.lower + 1)
                .ok()
                .filter(|&count| count > 0)?;
            let stride = dimension.stride * unit;
            match list.last_mut() {
                _ if count == 1 => {}
                Some(inner) if inner.stride * inner.count as isize == stride => inner.count *= count,
                _ => list.push(Steps { count, stride }),
            }
        }
        Some(list)
    }

    /// Whether the elements lie one after the other, so that no temporary is made.
    fn contiguous(&self) -> bool {
        match self.steps().as_deref() {
            None | Some([]) => true,
            Some([only]) => only.stride == self.header.element as isize,
            _ => false,
        }
    }
}

/// Accesses to all elements of an array.
///
/// # Safety
/// `descriptor` is null or points to an array descriptor.
unsafe fn array(name: &'static str, kind: AccessKind, descriptor: u64, pc: usize) {
    if Call::of_program(name, pc).is_none() {
        return;
    }
    // SAFETY: The caller's promise.
    let Some(descriptor) = (unsafe { Descriptor::at(descriptor) }) else {
        return;
    };
    if descriptor.header.base == 0 {
        return;
    }
    let Some(steps) = descriptor.steps() else {
        return;
    };
    walk(&steps, descriptor.header.base, &|base, innermost: Steps| {
        library_run(
            kind,
            name,
            base as usize,
            descriptor.header.element,
            innermost.count,
            innermost.stride,
            pc,
        );
    });
}

/// Calls `line` for each line of innermost steps.
fn walk(steps: &[Steps], base: u64, line: &impl Fn(u64, Steps)) {
    match steps {
        [] => line(base, Steps { count: 1, stride: 0 }),
        [innermost] => line(base, *innermost),
        [inner @ .., outer] => {
            for step in 0..outer.count as isize {
                walk(
                    inner,
                    base.wrapping_add_signed((step * outer.stride) as i64),
                    line,
                );
            }
        }
    }
}

observed! {
    _gfortran_transfer_integer => transfers::<1, true>, find_first;
    _gfortran_transfer_integer_write => transfers::<1, false>, find_first;
    _gfortran_transfer_real => transfers::<0, true>, find_first;
    _gfortran_transfer_real_write => transfers::<0, false>, find_first;
    _gfortran_transfer_logical => transfers::<1, true>, find_first;
    _gfortran_transfer_logical_write => transfers::<1, false>, find_first;
    _gfortran_transfer_complex => transfers::<2, true>, find_first;
    _gfortran_transfer_complex_write => transfers::<2, false>, find_first;
    _gfortran_transfer_character => transfers::<1, true>, find_first;
    _gfortran_transfer_character_write => transfers::<1, false>, find_first;
    _gfortran_transfer_array => transfers_array::<true>, find_first;
    _gfortran_transfer_array_write => transfers_array::<false>, find_first;
    _gfortran_internal_pack => packs, find_first;
    _gfortran_internal_unpack => unpacks, find_first;
    _gfortran_compare_string => compares, find_first;
    _gfortran_concat_string => concatenates, find_first;
    _gfortran_string_len_trim => measures, find_first;
    _gfortran_string_trim => trims, find_first;
    _gfortran_string_index => searches, find_first;
    _gfortran_adjustl => adjusts, find_first;
    _gfortran_adjustr => adjusts, find_first;
    _gfortran_matmul_i4 => multiplies, find_first;
    _gfortran_matmul_i8 => multiplies, find_first;
    _gfortran_matmul_r4 => multiplies, find_first;
    _gfortran_matmul_r8 => multiplies, find_first;
    _gfortran_matmul_c4 => multiplies, find_first;
    _gfortran_matmul_c8 => multiplies, find_first;
}

fn kind(store: bool) -> AccessKind {
    if store { Store } else { Load }
}

/// Whether a transfer is one of the program's. The runtime's `..._write` functions go on in those that store, with the
/// same return address: such a store is none.
fn transfers_itself(store: bool, pc: usize) -> bool {
    let slots = slots();
    // SAFETY: The slots are this thread's.
    unsafe {
        if !store {
            (*slots).written = pc as u64;
        }
        !store || (*slots).written != pc as u64
    }
}

/// `PARTS` values of the kind that is the third argument: 2 for complex, 0 for real, whose kind 10 takes 16 bytes.
unsafe extern "C" fn transfers<const PARTS: u64, const STORE: bool>(
    &[_, at, len, ..]: &Arguments,
    pc: usize,
) {
    // A kind is an `int`, a character length is not, but fits.
    let len = match PARTS {
        0 if len as u32 == 10 => 16,
        0 => u64::from(len as u32),
        2 if len as u32 == 10 => 32,
        2 => 2 * u64::from(len as u32),
        _ => len & 0xffff_ffff,
    } as usize;
    if transfers_itself(STORE, pc)
        && watched(at as usize, len)
        && let Some(call) = Call::of_program(if STORE { "READ" } else { "WRITE" }, pc)
    {
        call.accesses(kind(STORE), at, len);
    }
}

unsafe extern "C" fn transfers_array<const STORE: bool>(&[_, descriptor, ..]: &Arguments, pc: usize) {
    if transfers_itself(STORE, pc) {
        // SAFETY: The compiler passes a descriptor.
        unsafe { array(if STORE { "READ" } else { "WRITE" }, kind(STORE), descriptor, pc) };
    }
}

unsafe extern "C" fn packs(&[descriptor, ..]: &Arguments, pc: usize) {
    // SAFETY: The compiler passes a descriptor.
    unsafe {
        if Descriptor::at(descriptor).is_some_and(|array| !array.contiguous()) {
            array("array temporary", Load, descriptor, pc);
        }
    }
}

unsafe extern "C" fn unpacks(&[descriptor, from, ..]: &Arguments, pc: usize) {
    // SAFETY: The compiler passes a descriptor.
    unsafe {
        if Descriptor::at(descriptor).is_some_and(|array| array.header.base != from) {
            array("array temporary", Store, descriptor, pc);
        }
    }
}

unsafe extern "C" fn multiplies(&[to, left, right, ..]: &Arguments, pc: usize) {
    // SAFETY: The compiler passes descriptors.
    unsafe {
        array("MATMUL", Load, left, pc);
        array("MATMUL", Load, right, pc);
        array("MATMUL", Store, to, pc);
    }
}

unsafe extern "C" fn compares(&[left_len, left, right_len, right, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("string comparison", pc) {
        call.loads(left, left_len as usize);
        call.loads(right, right_len as usize);
    }
}

unsafe extern "C" fn concatenates(&[len, to, left_len, left, right_len, right]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("string concatenation", pc) {
        call.loads(left, left_len.min(len) as usize);
        call.loads(right, right_len.min(len.saturating_sub(left_len)) as usize);
        call.stores(to, len as usize);
    }
}

unsafe extern "C" fn measures(&[len, text, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("LEN_TRIM", pc) {
        // It looks at the text from its end, up to the first character that is not a blank.
        let mut blanks = 0;
        // SAFETY: The program asks for it to be read.
        while blanks < len && unsafe { ((text + len - blanks - 1) as *const u8).read_volatile() } == b' ' {
            blanks += 1;
        }
        let read = (blanks + 1).min(len);
        call.loads(text + len - read, read as usize);
    }
}

unsafe extern "C" fn trims(&[_, _, len, text, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("TRIM", pc) {
        call.loads(text, len as usize);
    }
}

unsafe extern "C" fn searches(&[len, text, part_len, part, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("INDEX", pc) {
        call.loads(text, len as usize);
        call.loads(part, part_len as usize);
    }
}

unsafe extern "C" fn adjusts(&[to, len, text, ..]: &Arguments, pc: usize) {
    if let Some(call) = Call::of_program("ADJUSTL", pc) {
        call.loads(text, len as usize);
        call.stores(to, len as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(element: usize, dimensions: &[(isize, isize)]) -> Descriptor {
        Descriptor {
            header: Header {
                base: 0x1000,
                offset: 0,
                element,
                version: 0,
                rank: dimensions.len() as i8,
                kind: 3,
                attribute: 0,
                span: element as isize,
            },
            dimensions: dimensions
                .iter()
                .map(|&(stride, upper)| Dimension {
                    stride,
                    lower: 1,
                    upper,
                })
                .collect(),
        }
    }

    #[test]
    fn sections_of_arrays() {
        let whole = descriptor(8, &[(1, 10), (10, 5)]);
        assert_eq!(whole.steps(), Some(vec![Steps { count: 50, stride: 8 }]));
        assert!(whole.contiguous());
        let inner = descriptor(4, &[(1, 3), (10, 5)]);
        assert_eq!(
            inner.steps(),
            Some(vec![
                Steps { count: 3, stride: 4 },
                Steps { count: 5, stride: 40 }
            ])
        );
        assert!(!inner.contiguous());
        assert_eq!(descriptor(4, &[(1, 0)]).steps(), None);
        assert!(!descriptor(4, &[(-1, 4)]).contiguous());
        assert_eq!(descriptor(4, &[(7, 1)]).steps(), Some(vec![]));
    }
}
