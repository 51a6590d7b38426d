//! What is known of a module before it is executed; the same for all simulations.

use crate::external::External;
use crate::ir::Module;
use crate::loops::{self, Exit};
use crate::mathematics;
use crate::reach::{self, Graph, Sites};

/// What holds of a module's code, whoever executes it.
pub(crate) struct Survey {
    /// The ways out of loops, by function and block.
    pub(crate) exits: Vec<Vec<Option<Exit>>>,
    /// What the functions are by their names.
    pub(crate) externals: Vec<External>,
    /// The names of those functions outside of the module that only compute.
    pub(crate) computing: Vec<Option<String>>,
    /// Whether a program can only fail from here on, by function and block.
    pub(crate) ways_out: Vec<Vec<bool>>,
    /// Its one-sided and synchronising calls.
    pub(crate) sites: Sites,
    /// Who leads where.
    pub(crate) graph: Graph,
}

impl Survey {
    /// Looks at all functions.
    pub(crate) fn of(module: &Module) -> Self {
        let computes = |name: &str| mathematics::value(name, &[Default::default(); 3]).is_some();
        let functions = module.functions.iter();
        let named = functions.clone();
        let externals: Vec<External> = named.map(|function| External::of(&function.name)).collect();
        Self {
            exits: loops::all_exits(module),
            ways_out: reach::doomed(module),
            sites: Sites::of(module, &externals),
            externals,
            graph: Graph::of(module),
            computing: functions
                .map(|function| {
                    let outside = function.blocks.is_empty() && computes(&function.name);
                    outside.then(|| function.name.clone())
                })
                .collect(),
        }
    }
}
