//! Which calls the simulations came to, and what ended them.

use super::Simulation;
use crate::ir::Module;
use crate::reach::{CallSite, Point, Role, Sightings, Stop, Words, ahead, controlling, reason};
use crate::start;
use crate::survey::Survey;
use farside_findings::{Place, ReachedSite, SimulationEnd, UnreachedSite};
use std::collections::{BTreeMap, BTreeSet};

/// What all simulations of a program came to.
pub(super) struct Coverage {
    /// The calls that some way leads to from what the program begins with, by their numbers.
    wanted: BTreeSet<usize>,
    met: BTreeSet<usize>,
    further: BTreeSet<Point>,
    sightings: Sightings,
    /// Conditions that were not decided the other way, as there were too many.
    untried: u64,
}

/// Which blocks lead to calls that were not reached.
pub(super) struct Leads<'m> {
    module: &'m Module,
    survey: &'m Survey,
    /// Functions from which some way leads to such a call.
    above: Vec<bool>,
    blocks: BTreeSet<(u32, u32)>,
}

impl Coverage {
    /// Nothing was simulated yet.
    pub(super) fn of(module: &Module, survey: &Survey) -> Self {
        let roots = start::program(module);
        let live = survey.graph().from(&roots);
        let sites = survey.sites().all().iter().enumerate();
        let wanted = sites.filter(|(_, site)| {
            let is_live = |at: Point| live[at.function as usize];
            roots.is_empty() || site.points().any(is_live)
        });
        Self {
            wanted: wanted.map(|(number, _)| number).collect(),
            met: BTreeSet::new(),
            further: BTreeSet::new(),
            sightings: Sightings::default(),
            untried: 0,
        }
    }

    /// What a simulation came to that is judged.
    pub(super) fn take(&mut self, simulation: &Simulation) {
        self.met.extend(simulation.notes.met());
        self.further.extend(simulation.notes.further());
        self.sightings.enter(simulation.notes.entered());
    }

    /// How a simulation ended, whether it is judged or not.
    pub(super) fn ended(&mut self, simulation: &Simulation) {
        let notes = &simulation.notes;
        self.sightings.end(notes.stops(), notes.decided_outside());
    }

    /// So many conditions are not decided the other way.
    pub(super) fn leave_untried(&mut self, conditions: u64) {
        self.untried += conditions;
    }

    /// The calls that simulations which are judged came to, by their numbers.
    pub(super) fn met(&self) -> &BTreeSet<usize> {
        &self.met
    }

    /// Whether every call was reached that the program may make.
    pub(super) fn is_whole(&self) -> bool {
        self.wanted.is_subset(&self.met)
    }

    /// What leads to the calls that were not reached yet.
    pub(super) fn leads<'m>(&self, survey: &'m Survey, module: &'m Module) -> Leads<'m> {
        let sites = survey.sites().all().iter().enumerate();
        let unreached = sites.filter(|(number, _)| !self.met.contains(number));
        let blocks: BTreeSet<(u32, u32)> = unreached
            .flat_map(|(_, site)| site.points())
            .map(|at| (at.function, at.block))
            .collect();
        let mut holds = vec![false; module.functions.len()];
        for (function, _) in &blocks {
            holds[*function as usize] = true;
        }
        let above = if blocks.is_empty() {
            holds
        } else {
            survey.graph().above(holds)
        };
        Leads {
            module,
            survey,
            above,
            blocks,
        }
    }

    /// The report's part; `roots` are the functions that the program begins with.
    pub(super) fn report(
        mut self,
        module: &Module,
        survey: &Survey,
        roots: &[u32],
        name: fn(&str) -> String,
    ) -> farside_findings::Coverage {
        // Functions that no simulation is known to have entered.
        let blocks = module.functions.iter().map(|code| vec![false; code.blocks.len()]);
        self.sightings.enter(&blocks.collect::<Vec<_>>());
        let words = Words::of(module, name);
        let live = survey.graph().from(roots);
        let sites = survey.sites().all();
        // A library's own headers bring functions that a program need not call: those are not its sites.
        let foreign = |site: &CallSite| {
            let at = site.at;
            let code = &module.functions[at.function as usize];
            let instruction = &code.blocks[at.block as usize].instructions[at.index as usize];
            let header = place(module, instruction.place).is_some_and(|place| place.is_in_system_header());
            let bindings = ["_ZN3MPI", "_ZNK3MPI"]
                .iter()
                .any(|start| code.name.starts_with(start));
            let is_live = site.points().any(|at| live[at.function as usize]);
            !is_live && (header || bindings)
        };
        let own = sites.iter().filter(|site| !foreign(site)).count();
        let missing = sites
            .iter()
            .enumerate()
            .filter(|(number, site)| !self.met.contains(number) && !foreign(site));
        let mut unreached: Vec<UnreachedSite> = missing
            .map(|(_, site)| {
                let block = &module.functions[site.at.function as usize].blocks[site.at.block as usize];
                UnreachedSite {
                    operation: site.operation.clone(),
                    function: words.function(site.at.function),
                    place: place(module, block.instructions[site.at.index as usize].place),
                    reason: reason(&words, survey.graph(), &live, &self.sightings, site),
                }
            })
            .collect();
        unreached.sort_by(|a, b| (&a.place, &a.function).cmp(&(&b.place, &b.function)));
        let met = sites
            .iter()
            .enumerate()
            .filter(|(number, site)| self.met.contains(number) && !foreign(site));
        let mut reached: Vec<ReachedSite> = met
            .filter_map(|(_, site)| {
                let block = &module.functions[site.at.function as usize].blocks[site.at.block as usize];
                let place = place(module, block.instructions[site.at.index as usize].place)?;
                let operation = site.operation.clone();
                Some(ReachedSite { place, operation })
            })
            .collect();
        reached.sort();
        farside_findings::Coverage {
            sites: (own + self.further.len()) as u64,
            ends: if unreached.is_empty() {
                Vec::new()
            } else {
                self.ends(module)
            },
            unreached,
            reached,
        }
    }

    /// What ended simulations, the most frequent first.
    fn ends(&self, module: &Module) -> Vec<SimulationEnd> {
        /// What ended a simulation, its place, and the block whose condition led there, by function.
        type Key = (String, u32, Option<(u32, u32)>);
        let mut ends: BTreeMap<Key, u64> = BTreeMap::new();
        for (stop, simulations) in self.sightings.stops() {
            let Stop { cause, place, frames } = stop;
            let key = (cause.words(), *place, controlling(module, frames));
            *ends.entry(key).or_default() += simulations;
        }
        let mut ends: Vec<SimulationEnd> = ends
            .into_iter()
            .map(|((what, at, branch), simulations)| {
                let condition = branch.and_then(|(function, block)| {
                    place(
                        module,
                        module.functions[function as usize].blocks[block as usize].end_place,
                    )
                });
                SimulationEnd {
                    what,
                    place: place(module, at),
                    from_outside: branch.is_some_and(|branch| self.sightings.is_outside(branch)),
                    condition,
                    simulations,
                }
            })
            .collect();
        ends.sort_by_key(|end| std::cmp::Reverse(end.simulations));
        if self.untried > 0 {
            ends.push(SimulationEnd {
                what: "the limit of simulations (--paths raises it), before other ways of some conditions were tried,".into(),
                simulations: self.untried,
                ..SimulationEnd::default()
            });
        }
        ends
    }

    /// Whether a simulation told nothing of what the program is for: it failed, or made no one-sided call although
    /// there are some. A status that says no after a loop that was cut, and after what the program is for, may come of
    /// the rounds that are missing.
    pub(super) fn gave_up(survey: &Survey, simulation: &Simulation) -> bool {
        let is_idle = Self::is_idle(survey, simulation);
        is_idle || simulation.failed() && (!simulation.is_cut() || simulation.notes.has_aborted())
    }

    /// Whether a simulation made no one-sided call although there are some.
    pub(super) fn is_idle(survey: &Survey, simulation: &Simulation) -> bool {
        let one_sided = |number: usize| survey.sites().all()[number].role == Role::OneSided;
        let has_some = (0..survey.sites().all().len()).any(one_sided);
        let made_some = simulation.notes.met().iter().any(|number| one_sided(*number));
        has_some && !made_some && simulation.notes.further().is_empty()
    }
}

impl Leads<'_> {
    /// Whether a way leads to a call that was not reached, from the last of these blocks, or behind the call that each of the
    /// others is in.
    pub(super) fn to_unreached(&self, frames: &[(u32, u32)]) -> bool {
        if self.blocks.is_empty() {
            return false;
        }
        for (depth, (function, block)) in frames.iter().rev().enumerate() {
            let code = &self.module.functions[*function as usize];
            if depth == 0 && self.survey.ways_out(*function).get(*block as usize) != Some(&false) {
                return false;
            }
            let ahead = ahead(code, *block);
            let mut returns = false;
            for (number, block) in code
                .blocks
                .iter()
                .enumerate()
                .filter(|(number, _)| ahead[*number])
            {
                let holds = self.blocks.contains(&(*function, number as u32));
                let calls = block
                    .instructions
                    .iter()
                    .any(|instruction| self.calls_above(&instruction.action));
                if holds || calls {
                    return true;
                }
                returns |= matches!(block.end, crate::ir::End::Return(_));
            }
            if !returns {
                return false;
            }
        }
        false
    }

    fn calls_above(&self, action: &crate::ir::Action) -> bool {
        match action {
            crate::ir::Action::Call {
                callee: crate::ir::Operand::Function(callee),
                ..
            } => self.above[*callee as usize],
            _ => false,
        }
    }
}

fn place(module: &Module, id: u32) -> Option<Place> {
    let known = module.places.get(id as usize).filter(|known| known.line > 0)?;
    Some(Place {
        file: known.file.clone(),
        line: known.line,
        column: Some(known.column).filter(|column| *column > 0),
    })
}
