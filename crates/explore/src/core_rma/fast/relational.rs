//! Relational expressions on bit rows.

use super::edges::{Rows, full, later, of_rule};
use super::order::{Order, Set, members, one};
use super::scene::Scene;
use farside_models::core_rma::expression::{BaseRelation, Expression, RequirementKind};

/// What an expression means.
#[derive(Clone)]
enum Meaning {
    Set(Set),
    Relation(Box<Rows>),
}

/// Reads-from by reader, and happens-before.
pub(super) type Known<'k> = (&'k [Option<u8>; 64], &'k Order);

/// The relations of a path, or of an execution.
pub(super) struct Relations<'r> {
    scene: &'r Scene<'r>,
    known: Option<Known<'r>>,
    definitions: Vec<Meaning>,
}

impl<'r> Relations<'r> {
    pub(super) fn new(scene: &'r Scene<'r>, known: Option<Known<'r>>) -> Self {
        let mut relations = Self {
            scene,
            known,
            definitions: Vec::new(),
        };
        for definition in &scene.model.definitions {
            let meaning = relations.meaning(definition);
            relations.definitions.push(meaning);
        }
        relations
    }

    /// The meaning of an expression that is a relation.
    pub(super) fn relation(&self, expression: &Expression) -> Rows {
        match self.meaning(expression) {
            Meaning::Relation(rows) => *rows,
            Meaning::Set(_) => [0; 64],
        }
    }

    /// Whether the requirement is met.
    pub(super) fn meets(&self, kind: RequirementKind, expression: &Expression) -> bool {
        match (kind, self.meaning(expression)) {
            (RequirementKind::Empty, Meaning::Set(set)) => set == 0,
            (_, Meaning::Set(_)) => true,
            (RequirementKind::Empty, Meaning::Relation(rows)) => rows.iter().all(|&row| row == 0),
            (RequirementKind::Irreflexive, Meaning::Relation(rows)) => loopless(&rows),
            (RequirementKind::Acyclic, Meaning::Relation(rows)) => loopless(&closed(*rows)),
        }
    }

    fn set(&self, expression: &Expression) -> Set {
        match self.meaning(expression) {
            Meaning::Set(set) => set,
            Meaning::Relation(_) => 0,
        }
    }

    fn meaning(&self, expression: &Expression) -> Meaning {
        let size = self.scene.size;
        let rows = |row: &dyn Fn(usize) -> Set| {
            let mut rows = [0; 64];
            for (a, target) in rows.iter_mut().enumerate().take(size) {
                *target = row(a) & full(size);
            }
            Meaning::Relation(Box::new(rows))
        };
        match expression {
            Expression::Set(set) => Meaning::Set(
                (0..size)
                    .filter(|&a| set.contains(self.scene.path, a))
                    .map(one)
                    .fold(0, |set, member| set | member),
            ),
            Expression::Relation(relation) => self.base(*relation),
            Expression::Defined(index) => self.definitions[*index].clone(),
            Expression::EmptyRelation => rows(&|_| 0),
            Expression::EmptySet => Meaning::Set(0),
            Expression::Union(parts) => self.fold(parts, |x, y| x | y),
            Expression::Intersection(parts) => self.fold(parts, |x, y| x & y),
            Expression::Difference(left, right) => {
                pointwise(self.meaning(left), self.meaning(right), |x, y| x & !y)
            }
            Expression::Composition(parts) => {
                let mut all = parts.iter().map(|part| self.relation(part));
                let first = all.next().unwrap_or([0; 64]);
                let composed = all.fold(first, |left, right| {
                    let mut composed = [0; 64];
                    for (a, row) in composed.iter_mut().enumerate() {
                        for middle in members(left[a]) {
                            *row |= right[middle];
                        }
                    }
                    composed
                });
                Meaning::Relation(Box::new(composed))
            }
            Expression::Product(left, right) => {
                let [left, right] = [self.set(left), self.set(right)];
                rows(&|a| if left & one(a) != 0 { right } else { 0 })
            }
            Expression::IdentityOn(set) => {
                let set = self.set(set);
                rows(&|a| set & one(a))
            }
            Expression::Inverse(inner) => {
                let inner = self.relation(inner);
                let mut inverse = [0; 64];
                for (a, &row) in inner.iter().enumerate() {
                    for b in members(row) {
                        inverse[b] |= one(a);
                    }
                }
                Meaning::Relation(Box::new(inverse))
            }
            Expression::Closure(inner) => Meaning::Relation(Box::new(closed(self.relation(inner)))),
            Expression::ReflexiveClosure(inner) => {
                let closure = closed(self.relation(inner));
                rows(&|a| closure[a] | one(a))
            }
            Expression::Optional(inner) => {
                let inner = self.relation(inner);
                rows(&|a| inner[a] | one(a))
            }
            Expression::Domain(inner) => {
                let inner = self.relation(inner);
                let domain = (0..size).filter(|&a| inner[a] != 0);
                Meaning::Set(domain.map(one).fold(0, |set, member| set | member))
            }
            Expression::Range(inner) => {
                let inner = self.relation(inner);
                Meaning::Set(inner.iter().fold(0, |set, row| set | row))
            }
        }
    }

    fn fold(&self, parts: &[Expression], combine: fn(Set, Set) -> Set) -> Meaning {
        let mut all = parts.iter().map(|part| self.meaning(part));
        let first = all.next().unwrap_or(Meaning::Set(0));
        all.fold(first, |left, right| pointwise(left, right, combine))
    }

    fn base(&self, relation: BaseRelation) -> Meaning {
        let scene = self.scene;
        let actions = &scene.path.actions;
        let mut rows = [0; 64];
        let same = |holds: &dyn Fn(usize, usize) -> bool| {
            let mut rows = [0; 64];
            for (a, row) in rows.iter_mut().enumerate().take(scene.size) {
                for b in 0..scene.size {
                    *row |= Set::from(holds(a, b)) << b;
                }
            }
            rows
        };
        match relation {
            BaseRelation::Po => {
                for (a, row) in rows.iter_mut().enumerate().take(scene.size) {
                    *row = later(scene, a);
                }
            }
            BaseRelation::Rf => {
                if let Some((reads_from, _)) = self.known {
                    for (r, w) in reads_from.iter().enumerate() {
                        if let Some(w) = w {
                            rows[usize::from(*w)] |= one(r);
                        }
                    }
                }
            }
            BaseRelation::Hb => {
                if let Some((_, order)) = self.known {
                    rows[..scene.size].copy_from_slice(order.rows());
                }
            }
            BaseRelation::Identity => rows = same(&|a, b| a == b),
            BaseRelation::Location => {
                rows = same(&|a, b| {
                    actions[a].variable().is_some() && actions[a].variable() == actions[b].variable()
                });
            }
            BaseRelation::Internal => {
                rows = same(&|a, b| {
                    let first = scene.first_values;
                    first & (one(a) | one(b)) == 0 && actions[a].source == actions[b].source
                });
            }
            BaseRelation::External => {
                rows = same(&|a, b| {
                    let first = scene.first_values;
                    a != b && (first & (one(a) | one(b)) != 0 || actions[a].source != actions[b].source)
                });
            }
            BaseRelation::Statement => {
                rows = same(&|a, b| {
                    actions[a].statement.is_some() && actions[a].statement == actions[b].statement
                });
            }
            BaseRelation::Source => rows = same(&|a, b| actions[a].source == actions[b].source),
            BaseRelation::Destination => {
                rows = same(&|a, b| actions[a].destination == actions[b].destination);
            }
            BaseRelation::Rule(rule) => rows = of_rule(scene, rule),
        }
        Meaning::Relation(Box::new(rows))
    }
}

fn pointwise(left: Meaning, right: Meaning, combine: fn(Set, Set) -> Set) -> Meaning {
    match (left, right) {
        (Meaning::Set(left), Meaning::Set(right)) => Meaning::Set(combine(left, right)),
        (Meaning::Relation(mut left), Meaning::Relation(right)) => {
            for (x, y) in left.iter_mut().zip(right.iter()) {
                *x = combine(*x, *y);
            }
            Meaning::Relation(left)
        }
        (left, _) => left,
    }
}

fn closed(mut rows: Rows) -> Rows {
    for middle in 0..64 {
        let through = rows[middle];
        if through != 0 {
            for row in &mut rows {
                if *row & one(middle) != 0 {
                    *row |= through;
                }
            }
        }
    }
    rows
}

fn loopless(rows: &Rows) -> bool {
    rows.iter().enumerate().all(|(a, row)| row & one(a) == 0)
}
