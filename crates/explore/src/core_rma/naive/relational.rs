//! Relational expressions on matrices of truth values, as their definitions say.

use farside_models::core_rma::expression::{BaseRelation, Expression};
use farside_models::core_rma::rules::ORDERING;
use farside_models::core_rma::{CoreModel, Path};

/// A relation: `relation[a][b]`.
pub(in crate::core_rma) type Matrix = Vec<Vec<bool>>;

/// What an expression means.
#[derive(Clone)]
pub(in crate::core_rma) enum Meaning {
    Set(Vec<bool>),
    Relation(Matrix),
}

/// The relations of an execution.
pub(in crate::core_rma) struct Relations<'r> {
    path: &'r Path,
    model: &'r CoreModel,
    reads_from: &'r [Option<usize>],
    hb: &'r Matrix,
    /// What the model's `let`s mean.
    definitions: Vec<Meaning>,
}

impl<'r> Relations<'r> {
    pub(in crate::core_rma) fn new(
        path: &'r Path,
        model: &'r CoreModel,
        reads_from: &'r [Option<usize>],
        hb: &'r Matrix,
    ) -> Self {
        let mut relations = Self {
            path,
            model,
            reads_from,
            hb,
            definitions: Vec::new(),
        };
        for definition in &model.definitions {
            let meaning = relations.meaning(definition);
            relations.definitions.push(meaning);
        }
        relations
    }

    pub(in crate::core_rma) fn meaning(&self, expression: &Expression) -> Meaning {
        let pairs = |holds: &dyn Fn(usize, usize) -> bool| {
            let size = self.path.actions.len();
            Meaning::Relation(
                (0..size)
                    .map(|a| (0..size).map(|b| holds(a, b)).collect())
                    .collect(),
            )
        };
        let members =
            |holds: &dyn Fn(usize) -> bool| Meaning::Set((0..self.path.actions.len()).map(holds).collect());
        match expression {
            Expression::Set(set) => members(&|a| set.contains(self.path, a)),
            Expression::Relation(relation) => pairs(&|a, b| self.related(*relation, a, b)),
            Expression::Defined(index) => self.definitions[*index].clone(),
            Expression::EmptyRelation => pairs(&|_, _| false),
            Expression::EmptySet => members(&|_| false),
            Expression::Union(parts) => self.fold(parts, |x, y| x || y),
            Expression::Intersection(parts) => self.fold(parts, |x, y| x && y),
            Expression::Difference(left, right) => {
                pointwise(self.meaning(left), &self.meaning(right), |x, y| x && !y)
            }
            Expression::Composition(parts) => {
                let mut all = parts.iter().map(|part| self.relation(part));
                let first = all.next().unwrap_or_default();
                Meaning::Relation(all.fold(first, |left, right| composed(&left, &right)))
            }
            Expression::Product(left, right) => {
                let [left, right] = [self.set(left), self.set(right)];
                pairs(&|a, b| left[a] && right[b])
            }
            Expression::IdentityOn(set) => {
                let set = self.set(set);
                pairs(&|a, b| a == b && set[a])
            }
            Expression::Inverse(inner) => {
                let inner = self.relation(inner);
                pairs(&|a, b| inner[b][a])
            }
            Expression::Closure(inner) => Meaning::Relation(closed(self.relation(inner))),
            Expression::ReflexiveClosure(inner) => {
                let closure = closed(self.relation(inner));
                pairs(&|a, b| a == b || closure[a][b])
            }
            Expression::Optional(inner) => {
                let inner = self.relation(inner);
                pairs(&|a, b| a == b || inner[a][b])
            }
            Expression::Domain(inner) => {
                let inner = self.relation(inner);
                members(&|a| inner[a].iter().any(|&related| related))
            }
            Expression::Range(inner) => {
                let inner = self.relation(inner);
                members(&|b| inner.iter().any(|row| row[b]))
            }
        }
    }

    fn fold(&self, parts: &[Expression], combine: fn(bool, bool) -> bool) -> Meaning {
        let mut all = parts.iter().map(|part| self.meaning(part));
        let first = all.next().unwrap_or(Meaning::Relation(Vec::new()));
        all.fold(first, |left, right| pointwise(left, &right, combine))
    }

    fn set(&self, expression: &Expression) -> Vec<bool> {
        match self.meaning(expression) {
            Meaning::Set(set) => set,
            Meaning::Relation(_) => vec![false; self.path.actions.len()],
        }
    }

    fn relation(&self, expression: &Expression) -> Matrix {
        match self.meaning(expression) {
            Meaning::Relation(relation) => relation,
            Meaning::Set(_) => vec![vec![false; self.path.actions.len()]; self.path.actions.len()],
        }
    }

    fn related(&self, relation: BaseRelation, a: usize, b: usize) -> bool {
        let [first, second] = [&self.path.actions[a], &self.path.actions[b]];
        let process = |action| self.path.process(action);
        match relation {
            BaseRelation::Po => self.path.po(a, b),
            BaseRelation::Rf => self.reads_from[b] == Some(a),
            BaseRelation::Hb => self.hb[a][b],
            BaseRelation::Identity => a == b,
            BaseRelation::Location => first.variable().is_some() && first.variable() == second.variable(),
            BaseRelation::Internal => process(a).is_some() && process(a) == process(b),
            BaseRelation::External => a != b && (process(a).is_none() || process(a) != process(b)),
            BaseRelation::Statement => first.statement.is_some() && first.statement == second.statement,
            BaseRelation::Source => first.source == second.source,
            BaseRelation::Destination => first.destination == second.destination,
            BaseRelation::Queue => {
                process(a) == process(b)
                    && self.path.queue(a).is_some()
                    && self.path.queue(a) == self.path.queue(b)
            }
            BaseRelation::Barrier => {
                self.path.barrier(a).is_some() && self.path.barrier(a) == self.path.barrier(b)
            }
            BaseRelation::Rule(rule) => ORDERING
                .iter()
                .any(|&(other, demands)| other == rule && demands(self.path, self.model.switches, a, b)),
        }
    }
}

fn pointwise(left: Meaning, right: &Meaning, combine: fn(bool, bool) -> bool) -> Meaning {
    let rows = |left: Vec<bool>, right: &[bool]| -> Vec<bool> {
        left.into_iter().zip(right).map(|(x, &y)| combine(x, y)).collect()
    };
    match (left, right) {
        (Meaning::Set(left), Meaning::Set(right)) => Meaning::Set(rows(left, right)),
        (Meaning::Relation(left), Meaning::Relation(right)) => {
            Meaning::Relation(left.into_iter().zip(right).map(|(x, y)| rows(x, y)).collect())
        }
        (left, _) => left,
    }
}

fn composed(left: &Matrix, right: &Matrix) -> Matrix {
    let size = left.len();
    (0..size)
        .map(|a| {
            (0..size)
                .map(|b| (0..size).any(|middle| left[a][middle] && right[middle][b]))
                .collect()
        })
        .collect()
}

/// The transitive closure (Warshall).
pub(in crate::core_rma) fn closed(mut relation: Matrix) -> Matrix {
    for middle in 0..relation.len() {
        let through = relation[middle].clone();
        for row in &mut relation {
            if row[middle] {
                for (related, &further) in row.iter_mut().zip(&through) {
                    *related |= further;
                }
            }
        }
    }
    relation
}
