//! Where a program begins, and with what.

use crate::ir::{Action, Module, Operand};
use crate::symbolic::Answers;
use std::fmt::{self, Display, Formatter};

/// Arguments that a program is given where nobody says how many it takes.
const ARGUMENTS: usize = 8;
/// Arguments of a short command line.
const FIRST: usize = 2;
/// The number that is tried first in the place of each argument.
const USUAL: u32 = 4;
/// What is tried where a program refuses that, the smallest first: programs have least sizes of their own, and some
/// want multiples of the number of processes, or powers of two.
const LARGER: [u32; 6] = [12, 16, 48, 64, 240, 256];
/// What is tried where that makes a program too long, in the first place alone (which most often is a size, not how
/// often something is done) and then in each: of three, one is inside.
const SMALLER: [u32; 2] = [3, LEAST];
const LEAST: u32 = 2;
/// Of so many arguments, the first ones, each is tried as the only one that is larger.
const ALONE: usize = 4;

/// Small numbers as the arguments of a program: the same in each place, but for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Numbers {
    usual: u32,
    other: Option<(usize, u32)>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            usual: USUAL,
            other: None,
        }
    }
}

impl Numbers {
    /// The words of a command line.
    pub(crate) fn words(self) -> Vec<String> {
        let number = |place| match self.other {
            Some((other, number)) if other == place => number,
            _ => self.usual,
        };
        (0..ARGUMENTS).map(|place| number(place).to_string()).collect()
    }

    /// A shorter command line, of the first words.
    pub(crate) fn first_words(self) -> Vec<String> {
        let mut words = self.words();
        words.truncate(self.other.map_or(FIRST, |(place, _)| FIRST.max(place + 1)));
        words
    }

    /// Larger ones, the smallest first: one argument alone, then all of them.
    pub(crate) fn larger() -> impl Iterator<Item = Self> + Clone {
        LARGER.into_iter().flat_map(|number| {
            let alone = (0..ALONE).map(move |place| Self {
                other: Some((place, number)),
                ..Self::default()
            });
            let all = Self {
                usual: number,
                other: None,
            };
            alone.chain([all])
        })
    }

    /// The next smaller ones, where there are any; what has to be larger stays.
    pub(crate) fn smaller(self) -> Option<Self> {
        let Self { usual, other } = self;
        if usual > USUAL {
            return None;
        }
        if let (USUAL, None) = (usual, other) {
            let other = Some((0, LEAST));
            return Some(Self { usual, other });
        }
        let usual = SMALLER.into_iter().find(|number| *number < usual)?;
        let other = other.filter(|(_, number)| *number > USUAL);
        Some(Self { usual, other })
    }

    /// Whether one is smaller than what is tried first, and than the number of processes: of what they share out there
    /// may be nothing for some of them.
    pub(crate) fn are_below(self, size: u32) -> bool {
        let least = self
            .other
            .map_or(self.usual, |(_, number)| number.min(self.usual));
        least < USUAL.min(size)
    }

    /// Whether nothing is done more often than the least number says.
    pub(crate) fn are_least(self) -> bool {
        self.usual == LEAST
    }
}

impl Display for Numbers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let usual = self.usual;
        match self.other {
            None => write!(f, "the argument {usual} in each place"),
            Some((place, number)) => write!(
                f,
                "the argument {number} in place {}, and {usual} in each other place",
                place + 1
            ),
        }
    }
}

/// The arguments of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    /// None, but the program may be tried with some.
    Nothing,
    /// Small numbers.
    Numbers(Numbers),
    /// Those that the user says.
    These(&'a [String]),
    /// Those of answers; they and all else that the program asks of the outside world are symbols.
    Answers(&'a Answers),
}

/// The functions by which a module without `main` can be entered: those that no other function calls.
pub(crate) fn entries(module: &Module) -> Vec<u32> {
    let mut called = vec![false; module.functions.len()];
    for function in &module.functions {
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            if let Action::Call {
                callee: Operand::Function(callee),
                ..
            } = &instruction.action
            {
                called[*callee as usize] = true;
            }
        }
    }
    let open = |index: &u32| {
        let function = &module.functions[*index as usize];
        !called[*index as usize] && !function.internal && !function.blocks.is_empty()
    };
    (0..module.functions.len() as u32).filter(open).collect()
}

/// The functions that a program with a `main` begins with: these, and those that run before.
pub(crate) fn program(module: &Module) -> Vec<u32> {
    let named = (0..).zip(&module.functions);
    let mains = named.filter(|(_, function)| ["main", "_QQmain"].contains(&function.name.as_str()));
    let before = module
        .globals
        .iter()
        .filter(|global| global.name == "llvm.global_ctors");
    let initial = before.flat_map(|global| &global.initial);
    let constructors = initial.filter_map(|(_, _, value)| match value {
        Operand::Function(function) => Some(*function),
        _ => None,
    });
    mains.map(|(index, _)| index).chain(constructors).collect()
}
