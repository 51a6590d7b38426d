//! Collective calls, as the order that they are: nobody has what a process gives before that has come.
//!
//! What a call gives and gets is `farside-calls`'s ([`Plan`]). Who only gives waits for nobody, as far as the standard
//! promises (MPI-4.1 §6.1): a broadcast or a scatter is a message from its root to each, a reduction or a gather one
//! from each to its root; of a scan, each waits for those before it. Where each gets something from all, all wait for
//! all: a barrier, if they are all processes. What a call without the wait begins, `MPI_Wait` waits for (§6.12).
//!
//! What comes as it is given is followed in messages; where all processes wait for all, it comes by the barrier. The
//! sums of a scan are those of what messages bring; what else is combined is not followed.

use super::constants::SUM;
use super::read::Member;
use super::requests::Kept;
use crate::expression::Expression;
use crate::machine::{Followed, Machine};
use crate::message::{Kind, Message};
use crate::request::{Elements, Request};
use crate::value::{Value, cause_of};
use farside_calls::arguments::Arguments as _;
use farside_calls::collective::{CollectiveForm, Ends, Gets, Parcel, Plan, Take};
use farside_calls::communicator::Communicator as _;
use farside_calls::datatype::Elements as Named;
use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure;
use farside_events::{Direction, Rank};
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::BinaryOperator;

/// More pieces of memory of one part of a call are not told apart.
const MOST_PIECES: usize = 64;

/// A collective call at one of its processes, as it was called.
pub(super) struct Planned {
    form: CollectiveForm,
    ends: Ends,
    member: Member,
    plan: Plan,
    /// Whole numbers are added up.
    adds: bool,
}

impl Planned {
    /// The call, matched with those of others by this kind.
    pub(super) fn matched_by(self, kind: Kind) -> Collective {
        let Self {
            form,
            member,
            plan,
            adds,
            ..
        } = self;
        Collective {
            form,
            member,
            plan,
            adds,
            kind,
        }
    }
}

/// A collective call at one of its processes.
pub(super) struct Collective {
    form: CollectiveForm,
    member: Member,
    plan: Plan,
    adds: bool,
    kind: Kind,
}

impl Collective {
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// What this process brings to a sum that is followed: its address, and what is there.
    fn summand(&self) -> Option<(u64, Elements)> {
        let Some(Some(own)) = self.plan.gives.first().filter(|_| self.adds) else {
            return None;
        };
        let elements = dense(own).filter(|elements| elements.followed().is_some())?;
        Some((own.address, elements))
    }

    /// What this process gives another one, if it gives it something.
    pub(super) fn given_to(&self, other: u32) -> Option<Named> {
        let at = self.member.members().iter().position(|member| *member == other);
        let part = match &self.plan.gives[..] {
            [whole] => whole.clone(),
            parts => parts.get(at.unwrap_or(0)).cloned().flatten(),
        };
        part.filter(Named::moves)
    }
}

/// Whether all processes of a communicator wait for all in a call of this form, in each of them.
fn is_barrier(form: CollectiveForm) -> bool {
    use CollectiveForm as F;
    matches!(
        form,
        F::Barrier | F::Allgather | F::Alltoall | F::Allreduce | F::ReduceScatterBlock
    )
}

/// Whether a process that gets nothing may give something.
fn gives_without_getting(form: CollectiveForm) -> bool {
    use CollectiveForm as F;
    matches!(form, F::Alltoallv | F::Alltoallw | F::ReduceScatter)
}

/// Whether one process gets what the others give.
fn goes_to_root(form: CollectiveForm) -> bool {
    use CollectiveForm as F;
    matches!(form, F::Gather | F::Gatherv | F::Reduce)
}

/// Whether each gets what it and those before bring.
fn is_scan(form: CollectiveForm) -> bool {
    matches!(form, CollectiveForm::Scan | CollectiveForm::Exscan)
}

/// Whether what comes is what some process gave, as it was.
fn moves_values(form: CollectiveForm) -> bool {
    use CollectiveForm as F;
    matches!(
        form,
        F::Bcast
            | F::Gather
            | F::Gatherv
            | F::Scatter
            | F::Scatterv
            | F::Allgather
            | F::Allgatherv
            | F::Alltoall
            | F::Alltoallv
            | F::Alltoallw
    )
}

impl Machine<'_> {
    /// What a collective call does; false if it is none that is followed.
    pub(super) fn collective(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let Some(planned) = self.planned(call, values, place)? else {
            return Ok(false);
        };
        let (form, ends, number) = (planned.form, planned.ends, planned.member.number());
        if ends == Ends::Persistent {
            // Matched by how they are made, in whichever order they are started.
            let kind = Kind::Collective(number, self.state.progress_mut().next_collective(number));
            self.make_collective(call, values, kind, place)?;
            return Ok(true);
        }
        let all = self.tables.communicator_of(number).is_like_world(self.ranks);
        if ends == Ends::Returning && all && is_barrier(form) {
            let plan = &planned.plan;
            if moves_values(form) && plan.direction == Direction::All {
                self.exchange(number, planned, call, place)?;
                return Ok(true);
            }
            self.give_all(plan, place)?;
            if plan.direction == Direction::All {
                self.barrier(place);
            }
            self.get_all(plan, call, place)?;
            return Ok(true);
        }
        let kind = Kind::Collective(number, self.state.progress_mut().next_collective(number));
        let collective = planned.matched_by(kind);
        self.send_parts(&collective, place)?;
        match (ends, values.last()) {
            (Ends::Request, Some(request)) => self.take_later(&collective, Kept::At(request), place)?,
            _ => self.take_parts(&collective, call, place)?,
        }
        Ok(true)
    }

    /// What a collective call does; none if it is no collective call.
    fn planned(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<Option<Planned>> {
        let Some((procedure, false)) = Procedure::of_name(&format!("MPI_{call}")) else {
            return Ok(None);
        };
        let Some(Meaning::Collective(form, ends)) = procedure.meaning() else {
            return Ok(None);
        };
        let planned = self.read((procedure, values), place, |read| {
            let member = read.communicator()?;
            let plan = Plan::of(form, read, &member, true);
            Some((member, plan))
        })?;
        let adds = match values {
            [_, _, _, kind, operation, ..] if is_scan(form) => {
                self.is(operation, SUM) && self.is_whole_number(kind)
            }
            _ => false,
        };
        match planned {
            Some((member, plan)) => Ok(Some(Planned {
                form,
                ends,
                member,
                plan,
                adds,
            })),
            None => Err(self.lost(place, "a collective call on a communicator that is not known")),
        }
    }

    /// A persistent collective call is started: its parts are messages of this kind.
    pub(super) fn start_collective(
        &mut self,
        (call, values): (&str, &[Value]),
        kind: Kind,
        number: u32,
        place: PlaceId,
    ) -> Followed<()> {
        let Some(planned) = self.planned(call, values, place)? else {
            return Err(self.lost(place, "a start of what is no collective call"));
        };
        let collective = planned.matched_by(kind);
        self.send_parts(&collective, place)?;
        self.take_later(&collective, Kept::As(number), place)
    }

    /// All processes of a communicator wait for all.
    pub(in crate::machine) fn meet_in(&mut self, communicator: u32, place: PlaceId) -> Followed<()> {
        let of = self.tables.communicator_of(communicator);
        if of.is_like_world(self.ranks) {
            self.barrier(place);
            return Ok(());
        }
        let others: Vec<u32> = of
            .members()
            .iter()
            .copied()
            .filter(|of| *of != self.rank)
            .collect();
        let kind = Kind::Collective(
            communicator,
            self.state.progress_mut().next_collective(communicator),
        );
        for &other in &others {
            let message = self.next_sent(other, kind, place)?;
            self.signal(message, place)?;
        }
        for other in others {
            let message = self.next_received(other, kind, place)?;
            self.arrive(message, place)?;
        }
        Ok(())
    }

    /// Tells those who wait for this process that it is here, with what it gives them.
    fn send_parts(&mut self, collective: &Collective, place: PlaceId) -> Followed<()> {
        let Collective {
            form,
            member,
            plan,
            kind,
            ..
        } = collective;
        let me = self.rank;
        let others = |members: &[u32]| -> Vec<u32> {
            members.iter().copied().filter(|member| *member != me).collect()
        };
        let to = match &plan.direction {
            _ if !plan.addressees.is_empty() => {
                let mut to: Vec<u32> = plan.addressees.iter().flatten().map(|Rank(to)| *to).collect();
                to.sort_unstable();
                to.dedup();
                others(&to)
            }
            Direction::FromRoot(root) if root.0 == me => others(member.members()),
            Direction::FromRoot(_) => Vec::new(),
            Direction::ToRoot(root) => others(&[root.0]),
            // A root that only some give something to.
            _ if goes_to_root(*form) => Vec::new(),
            Direction::Prefix => others(&member.members()[member.own_rank()..]),
            Direction::Nothing if !gives_without_getting(*form) => Vec::new(),
            _ => others(member.members()),
        };
        if let Some((own, elements)) = collective.summand()
            && !to.is_empty()
        {
            for to in to {
                let message = self.next_sent(to, *kind, place)?;
                self.send_values(message, &Value::Known(own), elements, place)?;
            }
            return Ok(());
        }
        if !moves_values(*form) {
            self.give_all(plan, place)?;
            for to in to {
                let message = self.next_sent(to, *kind, place)?;
                self.signal(message, place)?;
            }
            return Ok(());
        }
        for to in to {
            let Some(part) = collective.given_to(to) else {
                continue;
            };
            let message = self.next_sent(to, *kind, place)?;
            match dense(&part) {
                Some(elements) => {
                    self.send_values(message, &Value::Known(part.address), elements, place)?;
                }
                None => {
                    self.give_part(&part, place)?;
                    self.signal(message, place)?;
                }
            }
        }
        Ok(())
    }

    /// From whom something is waited for.
    fn sources_of(&self, collective: &Collective) -> Vec<u32> {
        let member = &collective.member;
        let all = match &collective.plan.direction {
            Direction::Nothing => Vec::new(),
            Direction::FromRoot(root) => vec![root.0],
            Direction::ToRoot(root) if root.0 == self.rank => member.members().to_vec(),
            Direction::ToRoot(_) => Vec::new(),
            Direction::Prefix => member.members()[..member.own_rank()].to_vec(),
            Direction::FromNeighbors(sources) => sources.iter().map(|Rank(from)| *from).collect(),
            Direction::All => member.members().to_vec(),
        };
        all.into_iter().filter(|from| *from != self.rank).collect()
    }

    /// Waits for what this process gets, and takes it.
    fn take_parts(&mut self, collective: &Collective, call: &str, place: PlaceId) -> Followed<()> {
        if let Some(summand) = collective.summand() {
            return self.take_sum(collective, summand, call, place);
        }
        let mut takes: Vec<&Take> = match &collective.plan.gets {
            Gets::Parcels(takes) => takes.iter().collect(),
            Gets::Reduction(_) => Vec::new(),
        };
        for from in self.sources_of(collective) {
            let message = self.next_received(from, collective.kind, place)?;
            let from_it = takes.iter().position(|take| take.from.0 == from);
            let taken = from_it
                .filter(|_| moves_values(collective.form))
                .map(|at| takes.remove(at));
            match taken.map(|take| (take, dense(&take.into))) {
                Some((take, Some(elements))) => {
                    self.receive_values(message, &Value::Known(take.into.address), elements, place)?;
                }
                Some((take, None)) => {
                    self.arrive(message, place)?;
                    self.get_part(&take.into, call, place)?;
                }
                None => self.arrive(message, place)?,
            }
        }
        for take in takes {
            self.take_own(take, &collective.plan, call, place)?;
        }
        if let Gets::Reduction(reduction) = &collective.plan.gets {
            self.get_part(&reduction.into, call, place)?;
        }
        Ok(())
    }

    /// The sum of what those before give, and of what this process gives if it counts itself.
    fn take_sum(
        &mut self,
        collective: &Collective,
        (own, elements): (u64, Elements),
        call: &str,
        place: PlaceId,
    ) -> Followed<()> {
        let Gets::Reduction(reduction) = &collective.plan.gets else {
            return Ok(());
        };
        let (own, into) = (Value::Known(own), Value::Known(reduction.into.address));
        let mut sums: Vec<Vec<Value>> = vec![Vec::new(); elements.followed().unwrap_or(0) as usize];
        if reduction.contributors.contains(&Rank(self.rank)) {
            for (at, summands) in (0..).zip(&mut sums) {
                summands.push(self.element_of(&own, elements, at, place)?);
            }
        }
        for from in self.sources_of(collective) {
            let message = self.next_received(from, collective.kind, place)?;
            self.arrive(message, place)?;
            self.same_on_both_sides(message, elements, place)?;
            for (at, summands) in (0..).zip(&mut sums) {
                summands.push(self.value_in(message, elements, at, place)?);
            }
        }
        let bits = 8 * elements.size() as u32;
        for (at, summands) in (0..).zip(&sums) {
            let numbers: Option<Vec<Expression>> = summands.iter().map(|value| value.number(bits)).collect();
            let sum = numbers.and_then(|numbers| {
                numbers.iter().try_fold(Expression::Number(0), |sum, number| {
                    Expression::binary(BinaryOperator::Add, &sum, number)
                })
            });
            let value = match (sum, cause_of(summands)) {
                (Some(sum), _) => Value::of(sum, bits),
                (None, Some(cause)) => Value::Unknown(cause),
                (None, None) => self.unknown(place, &format!("what MPI_{call} gives")),
            };
            self.put_element(&into, elements, at, &value, place)?;
        }
        Ok(())
    }

    /// What a process gives itself is copied; what nobody is waited for is not known.
    pub(super) fn take_own(&mut self, take: &Take, plan: &Plan, call: &str, place: PlaceId) -> Followed<()> {
        let own = match (take.parcel, take.from.0 == self.rank, &plan.gives[..]) {
            (_, true, [Some(whole)]) => Some(whole),
            (Parcel::Number(number), true, parts) => parts.get(number).and_then(Option::as_ref),
            (Parcel::Addressed(number), true, parts) => {
                let all = plan.addressees.iter().zip(parts);
                let mut to_itself = all.filter(|(to, _)| **to == Some(take.from));
                to_itself.nth(number).and_then(|(_, part)| part.as_ref())
            }
            _ => None,
        };
        match own.and_then(|own| Some((own.one_piece()?, take.into.one_piece()?, own.address))) {
            Some((bytes, room, address)) if bytes == room => {
                let (to, from) = (Value::Known(take.into.address), Value::Known(address));
                self.copy(&to, &from, bytes, place)
            }
            _ => self.get_part(&take.into, call, place),
        }
    }

    /// The request of a call that is waited for later.
    fn take_later(&mut self, collective: &Collective, request: Kept<'_>, place: PlaceId) -> Followed<()> {
        let mut awaited = Vec::new();
        for from in self.sources_of(collective) {
            awaited.push(self.next_received(from, collective.kind, place)?);
        }
        let mut written = Vec::new();
        for into in collective.plan.stores() {
            self.own_buffer(&Value::Known(into.address), into.span().1, place)?;
            written.extend(self.pieces_in(into, place)?);
        }
        let whole = match (&awaited[..], &collective.plan.gets) {
            ([message], Gets::Parcels(takes)) if moves_values(collective.form) => match &takes[..] {
                [take] => dense(&take.into).map(|elements| (*message, take.into.address, elements)),
                _ => None,
            },
            _ => None,
        };
        let begun = match whole {
            Some((message, buffer, elements)) => Request::Receive {
                message,
                buffer,
                elements,
            },
            None if awaited.is_empty() && written.is_empty() => Request::Over,
            None => Request::Words { awaited, written },
        };
        self.keep_request(request, begun, place)
    }

    /// Waits for what others say, and writes what comes with it.
    pub(super) fn wait_for_words(
        &mut self,
        awaited: &[Message],
        written: &[(u64, u64)],
        place: PlaceId,
    ) -> Followed<()> {
        for message in awaited {
            self.arrive(*message, place)?;
        }
        for &(address, bytes) in written {
            self.got_bytes(
                &Value::Known(address),
                bytes,
                "what a collective call gives",
                place,
            )?;
        }
        Ok(())
    }

    /// Reads all that a process gives.
    pub(super) fn give_all(&mut self, plan: &Plan, place: PlaceId) -> Followed<()> {
        plan.loads().try_for_each(|given| self.give_part(given, place))
    }

    pub(super) fn give_part(&mut self, given: &Named, place: PlaceId) -> Followed<()> {
        for (address, bytes) in self.pieces_in(given, place)? {
            self.load(&Value::Known(address), &Type::Opaque(bytes), u32::MAX, place)?;
        }
        Ok(())
    }

    /// Writes all that a process gets, of which nothing is known.
    fn get_all(&mut self, plan: &Plan, call: &str, place: PlaceId) -> Followed<()> {
        plan.stores()
            .try_for_each(|into| self.get_part(into, call, place))
    }

    pub(super) fn get_part(&mut self, into: &Named, call: &str, place: PlaceId) -> Followed<()> {
        for (address, bytes) in self.pieces_in(into, place)? {
            let what = format!("what MPI_{call} gives");
            self.got_bytes(&Value::Known(address), bytes, &what, place)?;
        }
        Ok(())
    }

    fn pieces_in(&mut self, of: &Named, place: PlaceId) -> Followed<Vec<(u64, u64)>> {
        let pieces: Vec<(u64, u64)> = match of.moves() {
            true => of.pieces().take(MOST_PIECES + 1).collect(),
            false => Vec::new(),
        };
        if pieces.len() > MOST_PIECES {
            return Err(self.lost(place, "a collective call of too many pieces of memory"));
        }
        Ok(pieces)
    }

    /// Writes bytes of which nothing is known.
    pub(in crate::machine) fn got_bytes(
        &mut self,
        buffer: &Value,
        size: u64,
        what: &str,
        place: PlaceId,
    ) -> Followed<()> {
        if size == 0 {
            return Ok(());
        }
        if size <= 8 {
            let value = self.unknown(place, what);
            return self.store(buffer, &value, &Type::Integer(8 * size as u32), place);
        }
        self.fill(buffer, &Value::Known(1), size, place)
    }
}

/// Elements that lie without gaps, one after the other.
pub(super) fn dense(of: &Named) -> Option<Elements> {
    let size = of.datatype.size();
    let is_dense = of.datatype.is_one_piece() && of.datatype.map().extent == size as i64;
    is_dense.then(|| Elements::new(of.number(), size))
}
