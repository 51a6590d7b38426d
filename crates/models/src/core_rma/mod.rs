//! coreRMA: what the networks of one-sided communication promise.
//!
//! Source: Dan, Lam, Hoefler, Vechev: *Modeling and Analysis of Remote Memory Access Programming* (OOPSLA 2016),
//! sections 3 to 5 and 7. [`paths`] are made by Table 3, [`action`] Table 5's actions, [`rules`] Figure 4, a function a
//! rule.
//!
//! Promise: a [`CoreModel`] is data: which rules hold, which switches are set, what a user adds. An execution of a
//! program is a [`Path`] through its processes with a reads-from; happens-before is the least transitive relation that
//! has the edges which the rules demand, together with one order of the atomic writes a location (WS); the execution
//! counts if happens-before has no cycle. Limits: at most 64 actions a path; one thread a process, sequentially
//! consistent by itself.
//!
//! Where this differs from the paper as printed, and what it leaves open:
//!
//! 1. R1 needs `r != w2`: as printed, any atomic rga or cas is inconsistent with itself (Figure 7 would have no
//!    outcome).
//! 2. IR as printed (`dst != src`) never fires in a process that targets itself, yet Table 6 has such tests: the switch
//!    [`Switch::IrSelf`] lets it.
//! 3. The printed conclusions name `erw` where they mean its neighbours. PG: `er hb ew`. GA: `er hb erw hb ew`. CAS:
//!    `er1` and `er2 hb erw hb ew`. CAS-T: `wval(erw) = rval(er2)`. CAS-F: `wval(erw) = rval(erw)`, the location is
//!    left unchanged. F3: the premise is that the flush comes before the *remote* action; its conclusion holds for all
//!    of its statement.
//! 4. First values are atomic writes that are hb before everything. Only variables that the path accesses, or whose
//!    final value is asked for, have one.
//! 5. Figure 6 prints `<1,2>` where it must be `<1,0>`.
//! 6. Figure 8 without IR has a fourth further outcome, (0,2,2), beside the three printed.
//! 7. `dmapp` is [`Switch::PutReadsAtOnce`]: the processor itself reads the source of a put, so LO and F1 see a local
//!    action.
//! 8. A read without conflict of which some participant is not atomic is not forced by any rule to see the latest
//!    write: no-C here requires that what it reads is neither overwritten in hb before it nor hb after it.
//! 9. A size in Table 6 counts the first values; so does the limit of 64 actions here.
//! 10. The paper's customisation for InfiniBand is `verbs-paper`; what reliable connections give is `verbs-rc`. A flush
//!     is completion at the target in both: on hardware, a read after the writes, and its completion.
//! 11. [`Switch::RmwRemoteOnly`]: remote atomics are atomic among each other only. The read-write becomes an external
//!     read and an external write; WS keeps pairs on a location apart, R1 and R2 apply to each half by itself. A cas
//!     that fails writes back what it read (CAS-F), also over a write that came between.
//! 12. A value that depends on itself (possible where orders are switched off) is no value: executions in which an
//!     observed register or a branch needs one do not count.
//! 13. A rule that is switched off loses its orders only; the data of a put, get, rga or cas flows as before. Without
//!     C, conflicts are harmless. no-C cannot be switched off: reads would have no values.
//! 14. Arithmetic and comparison with the undefined value are undefined; a cas that compares it writes it. Operations
//!     that ignore an operand (`replace`, `no_op`) ignore its being undefined. A branch on it goes both ways.
//! 15. The final value of a variable is that of a write which no other write to it follows in hb; undefined if the
//!     write has a conflict.
//! 16. [`Completion::Queues`] is not in the paper: operations are handed to queues, [`ActionKind::QueueWait`] waits for
//!     one, notifications set flags ([`ActionKind::Notification`]), and the processor awaits and takes them. Figure 4
//!     says nothing of these: a model file does. Flags are atomic, and so is the target of an rga or cas; a variable is
//!     a flag or holds data. R1 and WS hold for flags as well, so a notification that overwrites another one before it
//!     was taken also carries what that one stood for: in such programs, which lose a signal, a race may be missed.
//! 17. Paths on which processes come to different numbers of barriers, or on which an awaited flag stays 0, never end:
//!     they have no execution. Every model has barriers; what one orders, its file says.

mod accessed;
pub mod action;
pub mod control;
pub mod expression;
pub mod paths;
pub mod rules;
mod translation;
pub mod value;

pub use action::{Action, ActionKind, Executed, Parts, Path, ReadWrite};
pub use rules::Rule;

use expression::{Expression, Ordering, Requirement};
use farside_litmus::ast::Atomicity;

/// coreRMA with its rules switched, or strengthened by further orderings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreModel {
    /// As `--model` takes it.
    pub name: String,
    /// What it is, in one line.
    pub about: String,
    /// The rules of Figure 4 that hold.
    pub rules: Rules,
    /// Their switches.
    pub switches: Switches,
    /// What an access without a mark is, whatever the program says; as the program says if none.
    pub accesses: Option<Atomicity>,
    /// What completes operations, and so which statements there are.
    pub completion: Completion,
    /// What `let` names; orders and requirements refer to them by index, each to earlier ones only.
    pub definitions: Vec<Expression>,
    /// Further edges of hb.
    pub orders: Vec<Ordering>,
    /// What must hold in an execution besides.
    pub requirements: Vec<Requirement>,
}

impl CoreModel {
    /// The stock model: all rules of Figure 4, nothing else.
    #[must_use]
    pub fn stock() -> Self {
        Self {
            name: "coreRMA".into(),
            about: "all rules of Figure 4".into(),
            rules: Rules::all(),
            switches: Switches::default(),
            accesses: None,
            completion: Completion::Flushes,
            definitions: Vec::new(),
            orders: Vec::new(),
            requirements: Vec::new(),
        }
    }

    /// A model in which no rule holds, to be filled.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            name: String::new(),
            about: String::new(),
            rules: Rules::default(),
            ..Self::stock()
        }
    }

    /// Whether nothing has been said in it yet.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        let blank = Self::empty();
        *self
            == Self {
                name: self.name.clone(),
                about: self.about.clone(),
                ..blank
            }
    }

    /// Whether the rule holds.
    #[must_use]
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(rule)
    }
}

/// What completes operations. A model has the statements of one kind only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Completion {
    /// `flushes`: a flush completes all operations to a target.
    #[default]
    Flushes,
    /// `queues`: a wait completes the operations of a queue locally, a notification says that they arrived.
    Queues,
}

impl Completion {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Flushes, Self::Queues];

    /// As model files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flushes => "flushes",
            Self::Queues => "queues",
        }
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules(u16);

impl Rules {
    /// Every rule of Figure 4.
    #[must_use]
    pub fn all() -> Self {
        Rule::ALL.iter().fold(Self::default(), |mut rules, &rule| {
            rules.insert(rule);
            rules
        })
    }

    /// Whether the rule is in it.
    #[must_use]
    pub fn contains(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u16) != 0
    }

    /// Adds a rule.
    pub fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule as u16;
    }

    /// Takes a rule out.
    pub fn remove(&mut self, rule: Rule) {
        self.0 &= !(1 << rule as u16);
    }
}

/// A way in which a rule can be strengthened or weakened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// `IR-self`: in-order routing also holds for a process that targets itself.
    IrSelf,
    /// `put-reads-at-once`: the processor reads the source of a put when it issues it.
    PutReadsAtOnce,
    /// `GA-atomic`: the actions of an rga happen as one (paper, section 7, "Non-Triggerable Behaviors").
    GaAtomic,
    /// `rmw-remote-only`: rga and cas are atomic against rga and cas only.
    RmwRemoteOnly,
}

impl Switch {
    /// Every switch.
    pub const ALL: [Self; 4] = [
        Self::IrSelf,
        Self::PutReadsAtOnce,
        Self::GaAtomic,
        Self::RmwRemoteOnly,
    ];

    /// As model files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::IrSelf => "IR-self",
            Self::PutReadsAtOnce => "put-reads-at-once",
            Self::GaAtomic => "GA-atomic",
            Self::RmwRemoteOnly => "rmw-remote-only",
        }
    }
}

/// Which switches are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Switches(u8);

impl Switches {
    /// Whether the switch is set.
    #[must_use]
    pub fn has(self, switch: Switch) -> bool {
        self.0 & (1 << switch as u8) != 0
    }

    /// Sets or clears a switch.
    pub fn set(&mut self, switch: Switch, on: bool) {
        if on {
            self.0 |= 1 << switch as u8;
        } else {
            self.0 &= !(1 << switch as u8);
        }
    }
}
