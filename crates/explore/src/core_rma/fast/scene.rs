//! What searching a path needs to know of it, as bit sets.

use super::order::{Set, one};
use farside_models::core_rma::value::{Source, Term};
use farside_models::core_rma::{ActionKind, CoreModel, Parts, Path, Rule, Switch};

/// A path, its model, and sets of its actions.
pub(super) struct Scene<'s> {
    pub(super) path: &'s Path,
    pub(super) model: &'s CoreModel,
    pub(super) size: usize,
    pub(super) first_values: Set,
    pub(super) readers: Set,
    pub(super) atomic: Set,
    /// By action that reads or writes: all writes to its variable.
    pub(super) writers: [Set; 64],
    /// By write: the reads that its value depends on.
    pub(super) sources: [Set; 64],
    /// By action: those that it happens with (GA-atomic); itself at least.
    pub(super) together: [Set; 64],
    /// By value assigned: the reads that it depends on.
    assigned: Vec<Set>,
    /// Pairs that WS keeps apart (rmw-remote-only): read and write.
    pub(super) pairs: Vec<[usize; 2]>,
}

impl<'s> Scene<'s> {
    pub(super) fn new(path: &'s Path, model: &'s CoreModel) -> Self {
        let size = path.actions.len();
        let mut scene = Self {
            path,
            model,
            size,
            first_values: 0,
            readers: 0,
            atomic: 0,
            writers: [0; 64],
            sources: [0; 64],
            together: std::array::from_fn(one),
            assigned: Vec::with_capacity(path.assigned.len()),
            pairs: Vec::new(),
        };
        for term in &path.assigned {
            let reads = scene.term(term);
            scene.assigned.push(reads);
        }
        for (index, action) in path.actions.iter().enumerate() {
            scene.first_values |= Set::from(action.kind == ActionKind::FirstValue) << index;
            scene.readers |= Set::from(action.reads.is_some()) << index;
            scene.atomic |= Set::from(action.is_atomic()) << index;
            if let Some(source) = &path.written[index] {
                scene.sources[index] = scene.source(source);
                for (other, writers) in path.actions.iter().zip(&mut scene.writers) {
                    *writers |= Set::from(other.variable() == action.writes) << index;
                }
            }
        }
        for statement in &path.statements {
            if let Parts::Rga { er, erw, ew } = statement.parts
                && model.switches.has(Switch::GaAtomic)
            {
                let group = one(er) | one(erw.read) | one(erw.write) | one(ew);
                for action in [er, erw.read, erw.write, ew] {
                    scene.together[action] = group;
                }
            }
        }
        scene.pairs = path
            .split()
            .filter(|pair| path.actions[pair.write].is_atomic())
            .map(|pair| [pair.read, pair.write])
            .collect();
        scene
    }

    /// Reads that the value of the source depends on.
    fn source(&self, source: &Source) -> Set {
        match source {
            Source::Term(term) => self.term(term),
            Source::Copy(read) => one(*read),
            Source::Operation { stored, operand, .. } => one(*stored) | one(*operand),
            Source::CompareAndSwap {
                stored,
                compare,
                swap,
            } => one(*stored) | one(*compare) | one(*swap),
        }
    }

    /// Reads that the term depends on.
    pub(super) fn term(&self, term: &Term) -> Set {
        match term {
            Term::Number(_) => 0,
            Term::Read(read) => one(*read),
            Term::Assigned(index) => self.assigned[*index],
            Term::Negative(inner) | Term::Not(inner) => self.term(inner),
            Term::Binary(_, left, right) => self.term(left) | self.term(right),
        }
    }

    pub(super) fn is_atomic(&self, action: usize) -> bool {
        self.atomic & one(action) != 0
    }

    pub(super) fn has(&self, rule: Rule) -> bool {
        self.model.has(rule)
    }

    /// Whether something in the model looks at rf or hb besides the rules.
    pub(super) fn is_dynamic(&self) -> bool {
        let orders = self.model.orders.iter().any(|order| order.dynamic);
        orders
            || self
                .model
                .requirements
                .iter()
                .any(|requirement| requirement.dynamic)
    }
}
