//! Actions (§3): what an execution is made of.
//!
//! The paper splits an action that waits into a start and an end (§3.2.2); both are actions here, with [`Half`] between
//! them. A remote memory action is its start: its end is the synchronisation action that completes it. Its effects on
//! the origin's memory (§3.2.3) and at the target (`vac`) are actions of their own, with [`Action::of`] leading back.

use farside_litmus::ast::{Operation, Rank, VariableId};

/// The type of an action, by the paper's name in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// `ls`: local store.
    Ls,
    /// `ll`: local load.
    Ll,
    /// `rcp`: put.
    Rcp,
    /// `rcg`: get.
    Rcg,
    /// `rac`: accumulate.
    Rac,
    /// `rag`: get accumulate, fetch and op.
    Rag,
    /// `ras`: compare and swap.
    Ras,
    /// `sfe`: fence.
    Sfe,
    /// `sls`: lock shared.
    Sls,
    /// `sle`: lock exclusive.
    Sle,
    /// `sul`: unlock.
    Sul,
    /// `sla`: lock all.
    Sla,
    /// `sula`: unlock all.
    Sula,
    /// `sfl`: flush.
    Sfl,
    /// `sfll`: flush local.
    Sfll,
    /// `sfla`: flush all.
    Sfla,
    /// `sflla`: flush local all.
    Sflla,
    /// `sws`: win sync.
    Sws,
    /// `ses`: external synchronisation (send, receive, barrier).
    Ses,
    /// `spo`: post. Extension.
    Spo,
    /// `sst`: start. Extension.
    Sst,
    /// `sco`: complete. Extension.
    Sco,
    /// `swa`: wait. Extension.
    Swa,
    /// `vac`: a communication takes effect at its target.
    Vac,
    /// `vas`: a synchronisation takes effect at its target.
    Vas,
}

impl ActionKind {
    /// The paper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ls => "ls",
            Self::Ll => "ll",
            Self::Rcp => "rcp",
            Self::Rcg => "rcg",
            Self::Rac => "rac",
            Self::Rag => "rag",
            Self::Ras => "ras",
            Self::Sfe => "sfe",
            Self::Sls => "sls",
            Self::Sle => "sle",
            Self::Sul => "sul",
            Self::Sla => "sla",
            Self::Sula => "sula",
            Self::Sfl => "sfl",
            Self::Sfll => "sfll",
            Self::Sfla => "sfla",
            Self::Sflla => "sflla",
            Self::Sws => "sws",
            Self::Ses => "ses",
            Self::Spo => "spo",
            Self::Sst => "sst",
            Self::Sco => "sco",
            Self::Swa => "swa",
            Self::Vac => "vac",
            Self::Vas => "vas",
        }
    }

    /// `l*`
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Self::Ls | Self::Ll)
    }

    /// `ra*`
    #[must_use]
    pub fn is_accumulate(self) -> bool {
        matches!(self, Self::Rac | Self::Rag | Self::Ras)
    }

    /// `r*`
    #[must_use]
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Rcp | Self::Rcg) || self.is_accumulate()
    }

    /// `sls|sle|sla`
    #[must_use]
    pub fn is_lock(self) -> bool {
        matches!(self, Self::Sls | Self::Sle | Self::Sla)
    }

    /// `sul|sula`
    #[must_use]
    pub fn is_unlock(self) -> bool {
        matches!(self, Self::Sul | Self::Sula)
    }

    /// `sfl|sfla`: completes at the target, as an unlock does.
    #[must_use]
    pub fn is_flush(self) -> bool {
        matches!(self, Self::Sfl | Self::Sfla)
    }

    /// `sfll|sflla`
    #[must_use]
    pub fn is_local_flush(self) -> bool {
        matches!(self, Self::Sfll | Self::Sflla)
    }
}

/// Which part of an action that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// It is not split.
    Whole,
    /// `s*_s`: what others wait for.
    Start,
    /// `s*_e`: what waits.
    End,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// `a`
    pub kind: ActionKind,
    /// Which part.
    pub half: Half,
    /// Where it happens: `o`; for a virtual action the target of its origin (§3.2.2).
    pub process: Rank,
    /// `t`; none for `*` and for actions without a target.
    pub target: Option<Rank>,
    /// `rl` or `wl`: what it accesses.
    pub location: Option<VariableId>,
    /// It reads its location.
    pub reads: bool,
    /// It writes its location.
    pub writes: bool,
    /// For effects of a remote action: its type. None for the program's own loads and stores, and for the rest.
    pub effect_of: Option<ActionKind>,
    /// For effects of an accumulate: what it does to its target.
    pub operation: Option<Operation>,
    /// The action that it is a part of.
    pub of: Option<usize>,
    /// Index of its statement among those that the process of the statement executed.
    pub statement: usize,
    /// The process of the statement.
    pub origin: Rank,
}

impl Action {
    /// A load or store of the program itself.
    #[must_use]
    pub fn is_own_access(&self) -> bool {
        self.kind.is_local() && self.effect_of.is_none()
    }

    /// What a remote action does to the memory of its origin (§3.2.3).
    #[must_use]
    pub fn is_origin_effect(&self) -> bool {
        self.kind.is_local() && self.effect_of.is_some()
    }

    /// Whether it touches memory: `l*` or `vac`.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        self.location.is_some() && (self.kind.is_local() || self.kind == ActionKind::Vac)
    }
}
