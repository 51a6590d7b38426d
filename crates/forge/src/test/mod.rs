//! A test: statements over variables that are known by owner and number.

use crate::{MOST_PROCESSES, MOST_VARIABLES};

mod program;
pub use program::NotATest;
pub(crate) use program::letters;

/// A variable by its owner and its number among the owner's variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableName(u8);

impl VariableName {
    /// The `index`th variable of `owner`.
    #[must_use]
    pub fn new(owner: u8, index: u8) -> Self {
        debug_assert!(usize::from(owner) < MOST_PROCESSES && usize::from(index) < MOST_VARIABLES);
        Self(owner << 4 | index)
    }

    /// Whose memory it is.
    #[must_use]
    pub fn owner(self) -> u8 {
        self.0 >> 4
    }

    /// Which one of the owner's.
    #[must_use]
    pub fn index(self) -> u8 {
        self.0 & 15
    }
}

impl std::fmt::Debug for VariableName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "v{}@{}", self.index(), self.owner())
    }
}

/// What a statement is. The order is the one in which tests are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `a = X`, into a register of its own.
    Load,
    /// `X = 2`, a number of its own.
    Store,
    /// `X = get(Y@1)`
    Get,
    /// `put(Y@1, X)`
    Put,
    /// `X = rga(Y@1, Z)`
    Rga,
    /// `X = cas(Y@1, C, S)`
    Cas,
    /// `flush(1)`
    Flush,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Load,
        Self::Store,
        Self::Get,
        Self::Put,
        Self::Rga,
        Self::Cas,
        Self::Flush,
    ];

    /// How many actions it makes (paper, Table 3).
    #[must_use]
    pub fn actions(self) -> u8 {
        match self {
            Self::Load | Self::Store | Self::Flush => 1,
            Self::Get | Self::Put => 2,
            Self::Rga => 3,
            Self::Cas => 4,
        }
    }

    /// How many variables it names.
    #[must_use]
    pub fn operands(self) -> usize {
        match self {
            Self::Flush => 0,
            Self::Load | Self::Store => 1,
            Self::Get | Self::Put => 2,
            Self::Rga => 3,
            Self::Cas => 4,
        }
    }

    /// The operand that may be of any process.
    #[must_use]
    pub fn target(self) -> Option<usize> {
        match self {
            Self::Load | Self::Store | Self::Flush => None,
            Self::Put => Some(0),
            Self::Get | Self::Rga | Self::Cas => Some(1),
        }
    }

    /// The operands that it writes.
    #[must_use]
    pub fn written(self) -> &'static [usize] {
        match self {
            Self::Load | Self::Flush => &[],
            Self::Store | Self::Get | Self::Put => &[0],
            Self::Rga | Self::Cas => &[0, 1],
        }
    }
}

/// A statement of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// What it is.
    pub kind: Kind,
    /// What it names, in the order of the litmus language: `into` or the target of a put first. Unused ones are the
    /// first variable of process 0; a flush has the first variable of its target process in the first place.
    pub operands: [VariableName; 4],
}

impl Step {
    /// A statement with these variables.
    #[must_use]
    pub fn new(kind: Kind, variables: &[VariableName]) -> Self {
        let mut operands = [VariableName(0); 4];
        operands[..variables.len()].copy_from_slice(variables);
        Self { kind, operands }
    }

    /// `flush(target)`
    #[must_use]
    pub fn flush(target: u8) -> Self {
        Self::new(Kind::Flush, &[VariableName::new(target, 0)])
    }

    /// The variables it names.
    #[must_use]
    pub fn variables(&self) -> &[VariableName] {
        &self.operands[..self.kind.operands()]
    }

    /// The process that its remote action, or the flush, goes to.
    #[must_use]
    pub fn destination(&self) -> Option<u8> {
        match self.kind {
            Kind::Flush => Some(self.operands[0].owner()),
            kind => kind.target().map(|target| self.operands[target].owner()),
        }
    }
}

/// A test: the statements of each process. Variables are those that are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Test {
    /// By process.
    pub processes: Vec<Vec<Step>>,
}

impl Test {
    /// Variables in order of first use, processes one after the other.
    #[must_use]
    pub fn variables(&self) -> Vec<VariableName> {
        let mut variables = Vec::with_capacity(8);
        for variable in self.processes.iter().flatten().flat_map(Step::variables) {
            if !variables.contains(variable) {
                variables.push(*variable);
            }
        }
        variables
    }

    /// Number of actions, first values counted.
    #[must_use]
    pub fn size(&self) -> usize {
        let statements = self.processes.iter().flatten();
        let actions: usize = statements.map(|step| usize::from(step.kind.actions())).sum();
        actions + self.variables().len()
    }
}
