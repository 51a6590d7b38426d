//! Remote get accumulate and compare and swap: GA, CAS-F, CAS-T. Their equations on values are
//! [`crate::core_rma::value::Source`].

use crate::core_rma::{Parts, Path, ReadWrite, Switches};

/// GA: `er hb erw hb ew`.
#[must_use]
pub fn ga(path: &Path, _: Switches, a: usize, b: usize) -> bool {
    match path.parts(a) {
        Some(Parts::Rga { er, erw, ew }) => chain(er, erw, ew, a, b),
        _ => false,
    }
}

/// CAS-F: of a cas that fails, `er1` and `er2 hb erw hb ew`.
#[must_use]
pub fn cas_f(path: &Path, _: Switches, a: usize, b: usize) -> bool {
    cas(path, false, a, b)
}

/// CAS-T: the same of a cas that succeeds.
#[must_use]
pub fn cas_t(path: &Path, _: Switches, a: usize, b: usize) -> bool {
    cas(path, true, a, b)
}

/// `GA-atomic`: what is hb before or after one action of an rga is so with all of them.
#[must_use]
pub fn ga_atomic(path: &Path, hb: impl Fn(usize, usize) -> bool, a: usize, b: usize) -> bool {
    let same = |x: usize, y: usize| path.actions[x].statement == path.actions[y].statement;
    let others = |x: usize| {
        let rga = matches!(path.parts(x), Some(Parts::Rga { .. }));
        (0..path.actions.len()).filter(move |&y| rga && same(x, y))
    };
    !same(a, b) && (others(a).any(|x| hb(x, b)) || others(b).any(|y| hb(a, y)))
}

/// Both rules order alike; where a path does not say how the cas ends, both may apply.
fn cas(path: &Path, success: bool, a: usize, b: usize) -> bool {
    match path.parts(a) {
        Some(Parts::Cas {
            er1,
            er2,
            erw,
            ew,
            succeeds,
        }) => {
            succeeds.is_none_or(|succeeds| succeeds == success)
                && (chain(er1, erw, ew, a, b) || chain(er2, erw, ew, a, b))
        }
        _ => false,
    }
}

fn chain(er: usize, erw: ReadWrite, ew: usize, a: usize, b: usize) -> bool {
    (a, b) == (er, erw.read)
        || (erw.is_split() && (a, b) == (erw.read, erw.write))
        || (a, b) == (erw.write, ew)
}
