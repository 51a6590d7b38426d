//! What searching a path needs to know of it, as bit sets.

use farside_models::core_rma::value::{Source, Term};
use farside_models::core_rma::{ActionKind, CoreModel, Parts, Path, Rule, Switch};
use farside_relations::{MAX, Set};

/// A path, its model, and sets of its actions.
pub(super) struct Scene<'s> {
    pub(super) path: &'s Path,
    pub(super) model: &'s CoreModel,
    pub(super) size: usize,
    pub(super) first_values: Set,
    pub(super) readers: Set,
    pub(super) atomic: Set,
    /// By action that reads or writes: all writes to its variable.
    pub(super) writers: [Set; MAX],
    /// By write: the reads that its value depends on.
    pub(super) sources: [Set; MAX],
    /// By action: those that it happens with (GA-atomic); itself at least.
    pub(super) together: [Set; MAX],
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
            first_values: Set::EMPTY,
            readers: Set::EMPTY,
            atomic: Set::EMPTY,
            writers: [Set::EMPTY; MAX],
            sources: [Set::EMPTY; MAX],
            together: std::array::from_fn(Set::one),
            assigned: Vec::with_capacity(path.assigned.len()),
            pairs: Vec::new(),
        };
        for term in &path.assigned {
            let reads = scene.term(term);
            scene.assigned.push(reads);
        }
        for (index, action) in path.actions.iter().enumerate() {
            let here = |holds: bool| if holds { Set::one(index) } else { Set::EMPTY };
            scene.first_values |= here(action.kind == ActionKind::FirstValue);
            scene.readers |= here(action.reads.is_some());
            scene.atomic |= here(action.is_atomic());
            if let Some(source) = &path.written[index] {
                scene.sources[index] = scene.source(source);
                for (other, writers) in path.actions.iter().zip(&mut scene.writers) {
                    *writers |= here(other.variable() == action.writes);
                }
            }
        }
        for statement in &path.statements {
            if let Parts::Rga { er, erw, ew } = statement.parts
                && model.switches.has(Switch::GaAtomic)
            {
                let group = Set::from_iter([er, erw.read, erw.write, ew]);
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
            Source::Copy(read) => Set::one(*read),
            Source::Operation { stored, operand, .. } => Set::from_iter([*stored, *operand]),
            Source::CompareAndSwap {
                stored,
                compare,
                swap,
            } => Set::from_iter([*stored, *compare, *swap]),
        }
    }

    /// Reads that the term depends on.
    pub(super) fn term(&self, term: &Term) -> Set {
        match term {
            Term::Number(_) => Set::EMPTY,
            Term::Read(read) => Set::one(*read),
            Term::Assigned(index) => self.assigned[*index],
            Term::Negative(inner) | Term::Not(inner) => self.term(inner),
            Term::Binary(_, left, right) => self.term(left) | self.term(right),
        }
    }

    pub(super) fn is_atomic(&self, action: usize) -> bool {
        self.atomic.has(action)
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
