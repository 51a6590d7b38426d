//! Marked events: where a cycle enters a process, and where it leaves it (paper 003, section 5.3).

use super::{LINKED, NONE, Product};
use crate::system::{Step, Visitor};

/// An access that can be marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) part: u32,
    pub(super) address: u32,
    pub(super) writes: bool,
    /// Of popa 0, of popb 1.
    pub(super) which: usize,
    /// Nobody else names the address.
    pub(super) private: bool,
}

impl Product<'_> {
    /// All ways to mark the accesses of a command; those that are late must be marked.
    pub(super) fn marked(
        &self,
        rank: usize,
        next: &mut [u32],
        accesses: &[Access],
        late: [bool; 2],
        step: Step,
        visitor: &mut impl Visitor,
    ) {
        if !late[0] && !late[1] {
            visitor.next(next, step);
        }
        let (enter, leave) = (self.layout.enter(rank), self.layout.leave(rank));
        let covered = |marks: &[usize]| (0..2).all(|which| !late[which] || marks.contains(&which));
        let any_mark = (0..self.layout.ranks).any(|other| next[self.layout.enter(other)] != NONE);
        // A leave event alone.
        if next[enter] != NONE && next[leave] == NONE {
            for access in accesses {
                if covered(&[access.which]) {
                    self.leave(rank, next, access, true, step, visitor);
                }
            }
        }
        if next[enter] != NONE {
            return;
        }
        for access in accesses {
            // (position of the enter mark, rank to link with)
            let mut ways: Vec<Option<usize>> = Vec::new();
            if access.part > 0 {
                ways.push(None);
            }
            if any_mark {
                ways.extend(
                    (0..self.layout.ranks)
                        .filter(|&other| other != rank)
                        .filter(|&other| {
                            let mark = next[self.layout.leave(other)];
                            conflict(mark, access).is_some_and(|part| part <= access.part)
                        })
                        .map(Some),
                );
            }
            for way in ways {
                let undone = way.map(|other| (self.layout.leave(other), next[self.layout.leave(other)]));
                match undone {
                    None => next[enter] = open(access),
                    Some((word, _)) => {
                        next[enter] = LINKED;
                        next[word] = LINKED;
                    }
                }
                if covered(&[access.which]) {
                    visitor.next(next, step);
                }
                for second in accesses {
                    if covered(&[access.which, second.which]) {
                        self.leave(rank, next, second, false, step, visitor);
                    }
                }
                next[enter] = NONE;
                if let Some((word, mark)) = undone {
                    next[word] = mark;
                }
            }
        }
    }

    /// All ways to leave a rank at an access; `own`: its enter event is of an earlier command.
    fn leave(
        &self,
        rank: usize,
        next: &mut [u32],
        access: &Access,
        own: bool,
        step: Step,
        visitor: &mut impl Visitor,
    ) {
        let leave = self.layout.leave(rank);
        if !access.private {
            next[leave] = open(access);
            visitor.next(next, step);
        }
        next[leave] = LINKED;
        for other in 0..self.layout.ranks {
            let word = self.layout.enter(other);
            let mark = next[word];
            if (other != rank || own) && conflict(mark, access).is_some_and(|part| access.part < part) {
                next[word] = LINKED;
                visitor.next(next, step);
                next[word] = mark;
            }
        }
        next[leave] = NONE;
    }
}

/// An open mark.
fn open(access: &Access) -> u32 {
    2 + access.part + 4 * (u32::from(access.writes) + 2 * access.address)
}

/// The part of an open mark that conflicts with an access.
fn conflict(mark: u32, access: &Access) -> Option<u32> {
    let mark = mark.checked_sub(2)?;
    let (part, writes, address) = (mark % 4, mark / 4 % 2 == 1, mark / 8);
    (address == access.address && (writes || access.writes)).then_some(part)
}
