//! The designs by name, and what each needs of a transport.

use farside_fabric::Capabilities;
use std::fmt;
use std::str::FromStr;

/// A design of the fence. See [`Window::set_fence`](crate::Window::set_fence).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fence {
    /// Operations are queued, and sent as messages by the fence (paper 002: Fence-Def).
    Deferred,
    /// Operations at once; a finish message to each target, and a flag from every rank to every other
    /// (Fence-Imm-Naive).
    ImmNaive,
    /// Operations at once; a finish message to each target, and a barrier (Fence-Imm-Opt).
    ImmOpt,
    /// Puts are writes with immediate, which the target counts; an allreduce of counts, and a barrier (Fence-Imm-RI).
    ImmRi,
    /// The origin waits until its operations are acknowledged; then a barrier. What MPICH and Open MPI do.
    Flush,
    /// Puts are counted by the target's adapter; a reduce-scatter of counts, and a barrier.
    Count,
    /// As [`Fence::Count`]; the counts of the targets ride on the messages of the barrier.
    Fold,
    /// As [`Fence::Flush`], with a barrier of two levels: ranks of a node meet in shared memory, and a leader of each
    /// node meets the others.
    Hierarchical,
    /// As [`Fence::Count`], with neighbours only; they are given by
    /// [`Window::set_neighbours`](crate::Window::set_neighbours).
    Neighbour,
    /// Tries the designs that the transport allows, takes the fastest, and looks again when the pattern changes.
    Auto,
}

impl Fence {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Deferred,
        Self::ImmNaive,
        Self::ImmOpt,
        Self::ImmRi,
        Self::Flush,
        Self::Count,
        Self::Fold,
        Self::Hierarchical,
        Self::Neighbour,
        Self::Auto,
    ];

    /// As in `FARSIDE_FENCE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deferred => "fence-def",
            Self::ImmNaive => "fence-imm-naive",
            Self::ImmOpt => "fence-imm-opt",
            Self::ImmRi => "fence-imm-ri",
            Self::Flush => "fence-flush",
            Self::Count => "fence-count",
            Self::Fold => "fence-fold",
            Self::Hierarchical => "fence-hierarchical",
            Self::Neighbour => "fence-neighbour",
            Self::Auto => "auto",
        }
    }

    /// What it needs of a transport, in words.
    #[must_use]
    pub fn needs(self) -> &'static str {
        match self {
            Self::Deferred | Self::Flush | Self::Auto => "nothing that not every transport has",
            Self::Hierarchical => "ranks that share a node",
            Self::ImmNaive | Self::ImmOpt => "that messages do not overtake puts",
            Self::ImmRi => "puts with an immediate of 9 bits or more",
            Self::Count | Self::Fold | Self::Neighbour => "puts that are counted at the target",
        }
    }

    /// Why a transport does not do; `None`: it does. Whether ranks share nodes is no matter of the transport alone:
    /// [`Group::fence_refusal`](crate::Group::fence_refusal) asks that too.
    #[must_use]
    pub fn refusal(self, transport: &Capabilities) -> Option<String> {
        let lacks = match self {
            Self::Deferred | Self::Flush | Self::Hierarchical | Self::Auto => false,
            Self::ImmNaive | Self::ImmOpt => !transport.message_after_write,
            Self::ImmRi => transport.immediate_bits < 9,
            Self::Count | Self::Fold | Self::Neighbour => !transport.counts,
        };
        let name = &transport.transport;
        lacks.then(|| match self {
            Self::ImmNaive | Self::ImmOpt => format!(
                "{self} takes a finish message as the sign that the puts before it are visible, but on the transport \
                 `{name}` messages overtake puts"
            ),
            Self::ImmRi => format!(
                "{self} counts writes with immediate, but the immediates of the transport `{name}` have {} bits",
                transport.immediate_bits
            ),
            _ => format!("{self} lets the target count puts, but the transport `{name}` does not"),
        })
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Fence {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|fence| fence.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|fence| fence.name()).collect();
            format!("`{text}` is no design of a fence; there are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for fence in Fence::ALL {
            assert_eq!(fence.name().parse(), Ok(fence));
        }
        let error = "imm-ri".parse::<Fence>().expect_err("no such design");
        assert!(error.contains("fence-imm-ri"), "{error}");
    }

    #[test]
    #[cfg(feature = "sim")]
    fn a_design_is_refused_where_the_transport_lacks_what_it_needs() {
        use farside_fabric_sim::Network;
        let all = Network::ethernet_100g().capabilities(4);
        let mut none = all.clone();
        (none.message_after_write, none.immediate_bits, none.counts) = (false, 8, false);
        for fence in Fence::ALL {
            assert_eq!(fence.refusal(&all), None);
            let anywhere = matches!(
                fence,
                Fence::Deferred | Fence::Flush | Fence::Hierarchical | Fence::Auto
            );
            assert_eq!(fence.refusal(&none).is_none(), anywhere, "{fence}");
        }
        let reason = Fence::ImmOpt.refusal(&none).expect("messages overtake puts");
        assert!(reason.contains("messages overtake puts"), "{reason}");
    }
}
