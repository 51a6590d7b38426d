//! What is known of a module before it is executed; the same for all simulations.

use crate::choices::{self, Choice};
use crate::external::External;
use crate::ir::{BlockId, Module};
use crate::loops::{self, Exit};
use crate::mathematics;
use crate::reach::{self, Graph, Sites};
use farside_calls::mpi::Procedure;
use farside_events::Interface;

/// What holds of a module's code, whoever executes it.
pub(crate) struct Survey {
    /// The ways out of loops, by function and block.
    exits: Vec<Vec<Option<Exit>>>,
    /// The branches that only choose between values, by function and block.
    choices: Vec<Vec<Option<Choice>>>,
    /// What the functions are by their names.
    externals: Vec<External>,
    /// The names of those functions outside of the module that only compute.
    computing: Vec<Option<String>>,
    /// Whether a program can only fail from here on, by function and block.
    ways_out: Vec<Vec<bool>>,
    /// Its one-sided and synchronising calls.
    sites: Sites,
    /// Who leads where.
    graph: Graph,
    /// Whether it computes with the number of its processes.
    computes_with_number: bool,
}

impl Survey {
    /// Looks at all functions.
    pub(crate) fn of(module: &Module) -> Self {
        let computes = |name: &str| mathematics::value(name, &[Default::default(); 3]).is_some();
        let functions = module.functions.iter();
        let named = functions.clone();
        let externals: Vec<External> = named.map(External::of_function).collect();
        Self {
            exits: loops::all_exits(module),
            choices: functions.clone().map(choices::choices).collect(),
            ways_out: reach::doomed(module),
            sites: Sites::of(module, &externals),
            computes_with_number: reach::computes_with_number(module, &externals),
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

    /// The ways out of a function's loops, by block.
    pub(crate) fn exits(&self, function: u32) -> &[Option<Exit>] {
        &self.exits[function as usize]
    }

    /// What a branch chooses between, if it does nothing else.
    pub(crate) fn choice(&self, function: u32, block: BlockId) -> Option<Choice> {
        self.choices[function as usize][block as usize]
    }

    /// The name of a function outside of the module that only computes.
    pub(crate) fn computing(&self, function: u32) -> Option<&str> {
        self.computing[function as usize].as_deref()
    }

    /// Whether a program can only fail from here on, by block of a function.
    pub(crate) fn ways_out(&self, function: u32) -> &[bool] {
        &self.ways_out[function as usize]
    }

    /// What a function is by its name.
    pub(crate) fn external(&self, function: u32) -> External {
        self.externals[function as usize]
    }

    /// Whose calls the program makes: OpenSHMEM's or GASPI's only if it does not initialise MPI.
    pub(crate) fn interface(&self) -> Interface {
        let calls = |which: &dyn Fn(&External) -> bool| self.externals.iter().any(which);
        let initialises = |external: &External| {
            matches!(
                external.procedure(),
                Some(Procedure::Init | Procedure::Init_thread)
            )
        };
        if calls(&initialises) {
            Interface::Mpi
        } else if calls(&|external| matches!(external, External::Shmem(Some(_)))) {
            Interface::Shmem
        } else if calls(&|external| matches!(external, External::Gaspi(Some(_)))) {
            Interface::Gaspi
        } else {
            Interface::Mpi
        }
    }

    /// Whether it computes with the number of its processes: then it is written for any of them.
    pub(crate) fn computes_with_number(&self) -> bool {
        self.computes_with_number
    }

    /// Its one-sided and synchronising calls.
    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Who leads where.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }
}
