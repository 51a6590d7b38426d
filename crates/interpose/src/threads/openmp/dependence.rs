//! `depend` clauses of tasks: who reads a variable comes after who wrote it before, who writes it after both.
//!
//! `mutexinoutset` and `inoutset` count as writing: members of one set are ordered as they happened to run, which
//! is too much order for `inoutset`, never too little.

use super::super::object::Kind;
use super::super::{acquire, release};
use std::ffi::c_void;

/// One variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dependence {
    /// Its address.
    pub(super) address: u64,
    /// `out`, `inout` and the sets.
    pub(super) writes: bool,
}

/// The task with these dependences, a child of task `parent`, starts.
pub(super) fn start(dependences: &[Dependence], parent: u64) {
    for &Dependence { address, writes } in dependences {
        acquire(Kind::DependenceOut.hash([parent, address]));
        if writes {
            acquire(Kind::DependenceIn.hash([parent, address]));
        }
    }
}

/// It ended.
pub(super) fn end(dependences: &[Dependence], parent: u64) {
    for &Dependence { address, writes } in dependences {
        let kind = if writes {
            Kind::DependenceOut
        } else {
            Kind::DependenceIn
        };
        release(kind.hash([parent, address]));
    }
}

/// Reads the array that GCC's compilers pass (comment before `GOMP_task` in libgomp's task.c, GCC 4.9 to 14):
/// `n, writers, address...`, or since GCC 9 `0, n, writers, mutexinoutset, readers, address...` where what is left of n
/// are depend objects of two words, address and kind.
///
/// # Safety
/// `array` is such an array.
pub(super) unsafe fn read(array: *const *const c_void) -> Vec<Dependence> {
    /// `GOMP_DEPEND_IN`: the one kind of a depend object that only reads.
    const OBJECT_READS: usize = 1;
    // SAFETY: by the contract; so for all reads below.
    let word = |index: usize| unsafe { array.add(index).read() } as usize;
    let mut found = Vec::new();
    let mut add = |address: usize, writes| {
        found.push(Dependence {
            address: address as u64,
            writes,
        })
    };
    if word(0) != 0 {
        for index in 0..word(0) {
            add(word(2 + index), index < word(1));
        }
        return found;
    }
    let writers = word(2) + word(3);
    let addresses = writers + word(4);
    for index in 0..word(1) {
        if index < addresses {
            add(word(5 + index), index < writers);
        } else {
            let object = word(5 + index) as *const usize;
            // SAFETY: a depend object that the program initialised.
            let (address, kind) = unsafe { (object.read(), object.add(1).read()) };
            add(address, kind != OBJECT_READS);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(array: &[usize], expected: &[(u64, bool)]) {
        // SAFETY: the arrays below have the form.
        let found = unsafe { read(array.as_ptr().cast()) };
        let found: Vec<_> = found.iter().map(|d| (d.address, d.writes)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn both_forms_of_the_array() {
        check(
            &[3, 1, 0x10, 0x20, 0x30],
            &[(0x10, true), (0x20, false), (0x30, false)],
        );
        let object = [0x50_usize, 1];
        let array = [0, 4, 1, 1, 1, 0x10, 0x20, 0x30, object.as_ptr() as usize];
        check(
            &array,
            &[(0x10, true), (0x20, true), (0x30, false), (0x50, false)],
        );
    }
}
