//! Findings put into words: the one place where names, code and sentences are written.
//!
//! The sentences ([`sentences`], [`advice`]) are the same for all interfaces. What differs is how calls are named and
//! written: one [`Dialect`] an interface, each in a file of its own. A new interface is one more file and one more line
//! in [`dialect`].

mod advice;
mod farside;
mod mpi;
mod sentences;

pub(crate) use advice::line;
pub(crate) use sentences::effect;

use crate::Interface;
use crate::finding::{CallKind, Code, Link, Misuse, Name, RawFinding, What};
use farside_events::Rank;

/// How an interface writes its calls.
trait Dialect {
    /// The name of a call.
    fn call(&self, call: CallKind) -> &'static str;

    /// A piece of code.
    fn code(&self, code: Code) -> String;

    /// What goes with an atomic read in the place of a polling load.
    fn note_on_atomic_read(&self) -> &'static str;
}

fn dialect(interface: Interface) -> &'static dyn Dialect {
    match interface {
        Interface::Mpi => &mpi::Mpi,
        Interface::Farside => &farside::Farside,
    }
}

/// The words for one finding.
///
/// Misuse of epochs is told in the calls of the standard whatever the interface: the types of the crate `farside` rule
/// most of it out, and what is left is about the calls below them. Its one-sided operations keep their own names even
/// there.
pub(crate) struct Phrasebook {
    own: &'static dyn Dialect,
    calls: &'static dyn Dialect,
}

impl Phrasebook {
    /// The words for a finding of a program of this interface.
    pub(crate) fn of(interface: Interface, what: &What) -> Self {
        let own = dialect(interface);
        let calls = match what {
            What::Race(_) | What::Misuse(Misuse::Deadlock { .. }) => own,
            What::Misuse(_) => &mpi::Mpi,
        };
        Self { own, calls }
    }

    /// What an access or a call is called.
    pub(crate) fn name<'n>(&self, name: &'n Name) -> &'n str {
        match name {
            Name::Load => "LOAD",
            Name::Store => "STORE",
            Name::Call(call @ CallKind::Operation { .. }) => self.own.call(*call),
            Name::Call(call) => self.calls.call(*call),
            Name::Text(text) => text,
        }
    }

    /// An event of a timeline.
    pub(crate) fn event(&self, name: &Name, target: Option<Rank>) -> String {
        let name = self.own_name(name);
        match target {
            Some(target) => format!("{name} to {}", target.0),
            None => name.to_owned(),
        }
    }

    /// The same in the interface's own words.
    fn own_name<'n>(&self, name: &'n Name) -> &'n str {
        match name {
            Name::Call(call) => self.own.call(*call),
            _ => self.name(name),
        }
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
    use crate::finding::Missing;
    use farside_events::OperationKind;

    #[test]
    fn names_of_both_interfaces() {
        let race = What::Race(Missing {
            happens_before: true,
            completion: None,
        });
        let [mpi, farside] =
            [Interface::Mpi, Interface::Farside].map(|interface| Phrasebook::of(interface, &race));
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
    fn misuse_is_told_in_the_calls_of_the_standard() {
        let misuse = What::Misuse(Misuse::MixedEpochs);
        let words = Phrasebook::of(Interface::Farside, &misuse);
        assert_eq!(words.name(&CallKind::Lock.into()), "MPI_Win_lock");
        let put = CallKind::Operation {
            kind: OperationKind::Put,
            request: false,
        };
        assert_eq!(words.name(&put.into()), "put");
    }
}
