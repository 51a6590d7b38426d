//! Relational expressions on bit rows.

use super::edges::{later, of_rule};
use super::scene::Scene;
use farside_models::core_rma::expression::{BaseRelation, Expression, RequirementKind};
use farside_models::core_rma::{Executed, Parts};
use farside_relations::{MAX, Order, Relation, Set};

/// What an expression means.
#[derive(Clone)]
enum Meaning {
    Set(Set),
    Relation(Box<Relation>),
}

impl From<Relation> for Meaning {
    fn from(relation: Relation) -> Self {
        Self::Relation(Box::new(relation))
    }
}

/// Reads-from by reader, and happens-before.
pub(super) type Known<'k> = (&'k [Option<u8>; MAX], &'k Order);

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
    pub(super) fn relation(&self, expression: &Expression) -> Relation {
        match self.meaning(expression) {
            Meaning::Relation(relation) => *relation,
            Meaning::Set(_) => Relation::new(self.scene.size),
        }
    }

    /// Whether the requirement is met.
    pub(super) fn meets(&self, kind: RequirementKind, expression: &Expression) -> bool {
        match (kind, self.meaning(expression)) {
            (RequirementKind::Empty, Meaning::Set(set)) => set.is_empty(),
            (_, Meaning::Set(_)) => true,
            (RequirementKind::Empty, Meaning::Relation(relation)) => relation.is_empty(),
            (RequirementKind::Irreflexive, Meaning::Relation(relation)) => relation.is_irreflexive(),
            (RequirementKind::Acyclic, Meaning::Relation(relation)) => relation.is_acyclic(),
        }
    }

    fn set(&self, expression: &Expression) -> Set {
        match self.meaning(expression) {
            Meaning::Set(set) => set,
            Meaning::Relation(_) => Set::EMPTY,
        }
    }

    fn meaning(&self, expression: &Expression) -> Meaning {
        let size = self.scene.size;
        match expression {
            Expression::Set(set) => {
                Meaning::Set((0..size).filter(|&a| set.contains(self.scene.path, a)).collect())
            }
            Expression::Relation(relation) => self.base(*relation).into(),
            Expression::Defined(index) => self.definitions[*index].clone(),
            Expression::EmptyRelation => Relation::new(size).into(),
            Expression::EmptySet => Meaning::Set(Set::EMPTY),
            Expression::Union(parts) => self.fold(parts, |x, y| x | y, |x, y| x | y),
            Expression::Intersection(parts) => self.fold(parts, |x, y| x & y, |x, y| x & y),
            Expression::Difference(left, right) => pointwise(
                self.meaning(left),
                self.meaning(right),
                |x, y| x - y,
                |x, y| x - y,
            ),
            Expression::Composition(parts) => {
                let mut all = parts.iter().map(|part| self.relation(part));
                let first = all.next().unwrap_or(Relation::new(size));
                all.fold(first, |left, right| left.compose(&right)).into()
            }
            Expression::Product(left, right) => {
                Relation::product(size, self.set(left), self.set(right)).into()
            }
            Expression::IdentityOn(set) => Relation::identity_on(size, self.set(set)).into(),
            Expression::Inverse(inner) => self.relation(inner).inverse().into(),
            Expression::Closure(inner) => self.relation(inner).closure().into(),
            Expression::ReflexiveClosure(inner) => self.relation(inner).reflexive_closure().into(),
            Expression::Optional(inner) => self.relation(inner).reflexive().into(),
            Expression::Domain(inner) => Meaning::Set(self.relation(inner).domain()),
            Expression::Range(inner) => Meaning::Set(self.relation(inner).range()),
        }
    }

    fn fold(
        &self,
        parts: &[Expression],
        sets: fn(Set, Set) -> Set,
        relations: fn(Relation, Relation) -> Relation,
    ) -> Meaning {
        let mut all = parts.iter().map(|part| self.meaning(part));
        let first = all.next().unwrap_or(Meaning::Set(Set::EMPTY));
        all.fold(first, |left, right| pointwise(left, right, sets, relations))
    }

    fn base(&self, base: BaseRelation) -> Relation {
        let scene = self.scene;
        let size = scene.size;
        let actions = &scene.path.actions;
        let pairs = |holds: &dyn Fn(usize, usize) -> bool| {
            let all = (0..size).flat_map(|a| (0..size).map(move |b| (a, b)));
            Relation::from_edges(size, all.filter(|&(a, b)| holds(a, b)))
        };
        let first = |a: usize| scene.first_values.has(a);
        match base {
            BaseRelation::Po => Relation::from_edges(
                size,
                (0..size).flat_map(|a| later(scene, a).members().map(move |b| (a, b))),
            ),
            BaseRelation::Rf => {
                let reads_from = self
                    .known
                    .iter()
                    .flat_map(|(reads_from, _)| reads_from.iter().enumerate());
                Relation::from_edges(
                    size,
                    reads_from.filter_map(|(r, w)| Some((usize::from((*w)?), r))),
                )
            }
            BaseRelation::Hb => self
                .known
                .map_or(Relation::new(size), |(_, order)| order.relation()),
            BaseRelation::Identity => Relation::identity(size),
            BaseRelation::Location => pairs(&|a, b| {
                actions[a].variable().is_some() && actions[a].variable() == actions[b].variable()
            }),
            BaseRelation::Internal => {
                pairs(&|a, b| !first(a) && !first(b) && actions[a].source == actions[b].source)
            }
            BaseRelation::External => {
                pairs(&|a, b| a != b && (first(a) || first(b) || actions[a].source != actions[b].source))
            }
            BaseRelation::Statement => {
                pairs(&|a, b| actions[a].statement.is_some() && actions[a].statement == actions[b].statement)
            }
            BaseRelation::Source => pairs(&|a, b| actions[a].source == actions[b].source),
            BaseRelation::Destination => pairs(&|a, b| actions[a].destination == actions[b].destination),
            BaseRelation::Queue | BaseRelation::Barrier => {
                let statements = &scene.path.statements;
                let of = |a: usize| actions[a].statement.map(|statement| &statements[statement]);
                let together = |a: &Executed, b: &Executed| match base {
                    BaseRelation::Queue => a.rank == b.rank && a.queue.is_some() && a.queue == b.queue,
                    _ => match (a.parts, b.parts) {
                        (Parts::Barrier { turn, .. }, Parts::Barrier { turn: other, .. }) => turn == other,
                        _ => false,
                    },
                };
                pairs(&|a, b| of(a).zip(of(b)).is_some_and(|(a, b)| together(a, b)))
            }
            BaseRelation::Rule(rule) => of_rule(scene, rule),
        }
    }
}

fn pointwise(
    left: Meaning,
    right: Meaning,
    sets: fn(Set, Set) -> Set,
    relations: fn(Relation, Relation) -> Relation,
) -> Meaning {
    match (left, right) {
        (Meaning::Set(left), Meaning::Set(right)) => Meaning::Set(sets(left, right)),
        (Meaning::Relation(left), Meaning::Relation(right)) => relations(*left, *right).into(),
        (left, _) => left,
    }
}
