//! Findings put into words: the one place where names, code and sentences are written.
//!
//! The sentences ([`sentences`], [`advice`]) are the same for all interfaces. What differs is how calls are named and
//! written: one [`Dialect`] an interface, each in a file of its own. A new interface is one more file and one more line
//! in [`dialect`].

mod advice;
mod farside;
mod gaspi;
mod mistakes;
mod mpi;
mod sentences;
mod shmem;

pub(crate) use advice::line;
pub(crate) use sentences::effect;

use crate::finding::{CallKind, Code, Link, Name, RawFinding, What};
use farside_events::{Assertions, Interface, Rank, WindowFlavor};

/// A copy of what an operation sends, which it sends in its place: in C, whatever the interface.
const SECOND_BUFFER: &str = "memcpy(copy, origin, size)";

/// How an interface writes its calls.
trait Dialect {
    /// The name of a call.
    fn call(&self, call: CallKind) -> &'static str;

    /// The name of the call that makes such a window.
    fn making(&self, flavor: WindowFlavor) -> &'static str;

    /// The name of a promise.
    fn promise(&self, promise: Promise) -> &'static str;

    /// A piece of code.
    fn code(&self, code: Code) -> String;

    /// What goes with an atomic read in the place of a polling load.
    fn note_on_atomic_read(&self) -> &'static str;
}

fn dialect(interface: Interface) -> &'static dyn Dialect {
    match interface {
        Interface::Mpi => &mpi::Mpi,
        Interface::Farside => &farside::Farside,
        Interface::Shmem => &shmem::Shmem,
        Interface::Gaspi => &gaspi::Gaspi,
    }
}

/// What a call of an interface is called.
#[must_use]
pub fn called(interface: Interface, call: CallKind) -> &'static str {
    dialect(interface).call(call)
}

/// Assertions as they are written in a program.
#[must_use]
pub fn assertions(interface: Interface, assertions: Assertions) -> String {
    dialect(interface).code(Code::Assertions(assertions))
}

/// What a program may promise not to do, at a call that synchronises (MPI-4.1 §12.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    Check,
    Store,
    Put,
    Precede,
    Succeed,
}

/// The promises that are made.
fn promises(assertions: Assertions) -> impl Iterator<Item = Promise> {
    let all = [
        (assertions.nocheck, Promise::Check),
        (assertions.nostore, Promise::Store),
        (assertions.noput, Promise::Put),
        (assertions.noprecede, Promise::Precede),
        (assertions.nosucceed, Promise::Succeed),
    ];
    all.into_iter()
        .filter(|(given, _)| *given)
        .map(|(_, promise)| promise)
}

/// The words for the findings of a program.
pub(crate) struct Phrasebook {
    own: &'static dyn Dialect,
}

impl Phrasebook {
    /// The words for the findings of a program of this interface.
    pub(crate) fn of(interface: Interface) -> Self {
        Self {
            own: dialect(interface),
        }
    }

    /// What an access or a call is called.
    pub(crate) fn name<'n>(&self, name: &'n Name) -> &'n str {
        match name {
            Name::Load => "LOAD",
            Name::Store => "STORE",
            Name::Call(call) => self.own.call(*call),
            Name::CallOf(interface, call) => dialect(*interface).call(*call),
            Name::Making(flavor) => self.own.making(*flavor),
            Name::Text(text) => text,
        }
    }

    /// An event of a timeline.
    pub(crate) fn event(&self, name: &Name, target: Option<Rank>) -> String {
        let name = self.name(name);
        match target {
            Some(target) => format!("{name} to {}", target.0),
            None => name.to_owned(),
        }
    }

    /// What the call is called that makes such a window.
    pub(crate) fn making(&self, flavor: WindowFlavor) -> &'static str {
        self.own.making(flavor)
    }

    /// What a promise is called.
    fn promise(&self, promise: Promise) -> &'static str {
        self.own.promise(promise)
    }

    /// What is wrong, in one sentence without places.
    pub(crate) fn message(&self, finding: &RawFinding) -> String {
        match &finding.what {
            What::Race(_) => sentences::race(self, finding.rule, &finding.parties),
            What::Misuse(misuse) => sentences::misuse(self, misuse, &finding.parties),
        }
    }
}

/// What an arrow of a timeline says.
pub(crate) fn link(link: Link) -> &'static str {
    match link {
        Link::Message => "message",
        Link::Complete => "complete",
        Link::Notice => "notice",
        Link::Value => "value seen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::OperationKind;

    #[test]
    fn names_of_both_interfaces() {
        let [mpi, farside] = [Interface::Mpi, Interface::Farside].map(Phrasebook::of);
        let rget = CallKind::Operation {
            kind: OperationKind::Get,
            request: true,
        };
        let flush = CallKind::Flush {
            all: true,
            local: false,
        };
        for (call, standard, own) in [
            (rget, "MPI_Rget", "rget"),
            (flush, "MPI_Win_flush_all", "flush_all"),
            (CallKind::Finalize, "MPI_Finalize", "finish"),
        ] {
            assert_eq!(mpi.name(&call.into()), standard);
            assert_eq!(farside.name(&call.into()), own);
        }
    }

    #[test]
    fn misuse_is_told_in_the_calls_of_the_interface() {
        for (interface, lock, promise) in [
            (Interface::Mpi, "MPI_Win_lock", "MPI_MODE_NOPUT"),
            (Interface::Farside, "lock", "no_put"),
        ] {
            let words = Phrasebook::of(interface);
            assert_eq!(words.name(&CallKind::Lock.into()), lock);
            assert_eq!(words.promise(Promise::Put), promise);
        }
        let words = Phrasebook::of(Interface::Farside);
        let all = [
            Code::Unlock(None),
            Code::UnlockAll,
            Code::Lock(Rank(1)),
            Code::Detach,
        ];
        for code in all {
            let code = words.own.code(code);
            assert!(!code.contains("MPI_"), "{code}");
        }
    }
}
