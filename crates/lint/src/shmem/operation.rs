//! Put, get and signals (OpenSHMEM 1.5 §9.6, §9.8), and what all operations have in common.

use super::elements::Elements;
use super::mistakes::Argument;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::memory::Content;
use crate::value::Scalar;
use farside_calls::shmem::{Class, Element, Returns, Strided};
use farside_events::{
    AccumulateOp, Buffer, ChannelId, EventKind, Mistake, Operation, OperationId, OperationKind, Rank,
    RequestId, TypeId, TypeMap,
};

/// What an operation is made of.
pub(super) struct Parts {
    kind: OperationKind,
    /// At the target, as this process names it.
    remote: Elements,
    count: u64,
    pe: i32,
    /// What is read here.
    origin: Option<Elements>,
    /// What is written here.
    result: Option<Elements>,
    operator: Option<AccumulateOp>,
    operand: Option<u64>,
    expected: Option<u64>,
    returns: Returns,
}

impl Parts {
    /// One element, whose values are in registers.
    pub(super) fn single(kind: OperationKind, address: u64, pe: i32) -> Self {
        Self {
            kind,
            remote: Elements::at(address),
            count: 1,
            pe,
            origin: None,
            result: None,
            operator: None,
            operand: None,
            expected: None,
            returns: Returns::Complete,
        }
    }

    /// The elements here that are read or written, and what the standard calls them.
    fn here(&self) -> Option<(&'static str, Elements)> {
        let result = match self.kind {
            OperationKind::Get => "dest",
            _ => "fetch",
        };
        let origin = self.origin.map(|elements| ("source", elements));
        origin.or(self.result.map(|elements| (result, elements)))
    }

    /// What is computed at the target: by an operator, of an operand, if what is expected is there.
    pub(super) fn computing(
        self,
        operator: Option<AccumulateOp>,
        operand: Option<u64>,
        expected: Option<u64>,
    ) -> Self {
        Self {
            operator,
            operand,
            expected,
            ..self
        }
    }

    /// When the call returns, and where what it fetches goes if that is in memory.
    pub(super) fn returning(self, returns: Returns, result: Option<Elements>) -> Self {
        Self {
            returns,
            result,
            ..self
        }
    }
}

/// An operation that was told, and its elements at the target if they lie within its object there.
pub(super) struct Issued {
    operation: OperationId,
    request: Option<RequestId>,
    target: u32,
    there: Option<Elements>,
}

impl Issued {
    pub(super) fn operation(&self) -> OperationId {
        self.operation
    }

    /// The process and its elements, if they are where they may be.
    pub(super) fn there(&self) -> Option<(u32, Elements)> {
        Some((self.target, self.there?))
    }
}

/// The word of a signal.
const SIGNAL: Element = Element {
    size: 8,
    class: Class::Integer,
};

impl Shmem<'_, '_> {
    /// `shmem_put(dest, source, nelems, pe)`, `shmem_iput(dest, source, dst, sst, nelems, pe)`.
    pub(super) fn put(&mut self, call: &Call<'_>, returns: Returns, strided: Strided) -> Flow {
        let (remote, origin, count, pe) = both(call, strided);
        let operand = self.operand(origin, count, call.size());
        let parts = Parts {
            remote,
            count,
            origin: Some(origin),
            operand,
            returns,
            ..Parts::single(OperationKind::Put, remote.address(), pe)
        };
        if let Some(issued) = self.issue(call, parts) {
            self.bring(&issued, origin, count, call.size());
            self.finish(&issued);
        }
        NOTHING
    }

    /// What a put of few bytes brings.
    fn operand(&self, origin: Elements, count: u64, size: u64) -> Option<u64> {
        let bytes = count.saturating_mul(size);
        let at = origin.address();
        let is_told = origin.stride() == 1 && (1..=8).contains(&bytes);
        is_told.then(|| self.caller.memory(at).load(at, bytes).bits)
    }

    /// Moves the data of a put.
    fn bring(&mut self, issued: &Issued, origin: Elements, count: u64, size: u64) {
        if let Some((target, there)) = issued.there() {
            let content = self.gather(self.caller.rank(), origin, count, size);
            self.scatter(target, there, size, &content);
        }
    }

    /// `shmem_get(dest, source, nelems, pe)`, `shmem_iget(dest, source, dst, sst, nelems, pe)`.
    pub(super) fn get(&mut self, call: &Call<'_>, returns: Returns, strided: Strided) -> Flow {
        let (result, remote, count, pe) = both(call, strided);
        let parts = Parts {
            remote,
            count,
            result: Some(result),
            returns,
            ..Parts::single(OperationKind::Get, remote.address(), pe)
        };
        if let Some(issued) = self.issue(call, parts) {
            if let Some((target, there)) = issued.there() {
                let content = self.gather(target, there, count, call.size());
                self.scatter(self.caller.rank(), result, call.size(), &content);
            }
            self.finish(&issued);
        }
        Flow::Poll(Scalar::known(0))
    }

    /// `shmem_put_signal(dest, source, nelems, signal, value, operator, pe)`: the word is updated after the data are
    /// there.
    pub(super) fn put_signal(&mut self, call: &Call<'_>, returns: Returns) -> Flow {
        let (origin, count, pe) = (Elements::at(call.word(1)), call.word(2), call.int(6));
        let data = Argument::new("dest", Elements::at(call.word(0)), count, call.size());
        let word = Argument::new("sig_addr", Elements::at(call.word(3)), 1, u64::from(SIGNAL.size));
        if !self.are_apart(call, data, word) {
            return NOTHING;
        }
        let data = Parts {
            count,
            origin: Some(origin),
            operand: self.operand(origin, count, call.size()),
            returns,
            ..Parts::single(OperationKind::Put, call.word(0), pe)
        };
        let data = self.issue(call, data);
        if let Some(data) = &data {
            self.bring(data, origin, count, call.size());
            let channel = self
                .channel_of(call)
                .map_or(ChannelId::DEFAULT, |(channel, _)| channel);
            self.caller.emit(EventKind::Ordered {
                channel,
                latest: true,
            });
        }
        let sets = self.library.constants.sets(call.int(5));
        let given = call.argument(4);
        let signal = Parts {
            operator: Some(match sets {
                true => AccumulateOp::Replace,
                false => AccumulateOp::Sum,
            }),
            operand: Some(given.bits),
            ..Parts::single(OperationKind::Accumulate, call.word(3), pe)
        };
        let of_signal = self.type_of_signal(sets);
        let signal = self.issue_of(call, signal, SIGNAL, Some(of_signal));
        if let Some((target, there)) = signal.as_ref().and_then(Issued::there) {
            let at = there.address();
            let old = self.caller.memory_of(target, at).load(at, 8);
            let new = match sets {
                true => given,
                false => Scalar {
                    bits: old.bits.wrapping_add(given.bits),
                    symbol: crate::value::derived("signal", &[old, given]),
                },
            };
            self.caller.memory_of_mut(target, at).store(at, 8, new);
        }
        for issued in [data, signal].iter().flatten() {
            self.finish(issued);
        }
        NOTHING
    }

    /// `shmem_p(dest, value, pe)`.
    pub(super) fn put_value(&mut self, call: &Call<'_>) -> Flow {
        let value = call.value(1);
        let parts = Parts {
            // A number of more bytes than a word has is not told.
            operand: (call.size() <= 8).then_some(value.bits),
            ..Parts::single(OperationKind::Put, call.word(0), call.int(2))
        };
        if let Some(issued) = self.issue(call, parts) {
            if let Some((target, there)) = issued.there() {
                let at = there.address();
                let memory = self.caller.memory_of_mut(target, at);
                memory.store(at, call.size().min(8), value);
            }
            self.finish(&issued);
        }
        NOTHING
    }

    /// `shmem_g(source, pe)`.
    pub(super) fn get_value(&mut self, call: &Call<'_>) -> Flow {
        let parts = Parts::single(OperationKind::Get, call.word(0), call.int(1));
        let mut value = Scalar::known(0);
        if let Some(issued) = self.issue(call, parts) {
            value = self.value_there(&issued, call.size());
            self.finish(&issued);
        }
        Flow::Poll(value)
    }

    /// What an element at the target holds.
    pub(super) fn value_there(&self, issued: &Issued, size: u64) -> Scalar {
        let there = issued.there();
        there.map_or(Scalar::known(0), |(target, there)| {
            let at = there.address();
            self.caller.memory_of(target, at).load(at, size.min(8))
        })
    }

    /// Tells an operation on elements of the type of the call.
    pub(super) fn issue(&mut self, call: &Call<'_>, parts: Parts) -> Option<Issued> {
        self.issue_of(call, parts, call.function.element(), None)
    }

    /// Tells an operation. None is told that moves nothing, or whose target or object is not there.
    /// `target_type` is that of the target where it differs from that of the elements.
    fn issue_of(
        &mut self,
        call: &Call<'_>,
        parts: Parts,
        element: Element,
        target_type: Option<TypeId>,
    ) -> Option<Issued> {
        let (channel, target) = self.addressee(call, parts.pe)?;
        if parts.count == 0 {
            return None;
        }
        let argument = match (parts.kind, parts.operator) {
            _ if target_type.is_some() => "sig_addr",
            (OperationKind::Get, _) | (_, Some(AccumulateOp::NoOp)) => "source",
            _ => "dest",
        };
        let object = self.object_of(call, argument, parts.remote.address())?;
        let written = Argument::new(argument, parts.remote, parts.count, u64::from(element.size));
        if argument != "source" && !self.is_no_lock(call, object, &written) {
            return None;
        }
        if target == self.caller.rank()
            && let Some((name, here)) = parts.here()
        {
            let size = u64::from(element.size);
            let [one, other] = [(name, here), (argument, parts.remote)]
                .map(|(name, elements)| Argument::new(name, elements, parts.count, size));
            if !self.are_apart(call, one, other) {
                return None;
            }
        }
        let handles = self.caller.handles_mut();
        let operation = handles.operation_id();
        let request = (parts.returns == Returns::Complete).then(|| handles.request_id());
        let (size, count) = (u64::from(element.size), parts.count);
        let displacement = object.displacement(parts.remote.address());
        let mut buffer = |elements: Option<Elements>| {
            let elements = elements?;
            Some(Buffer {
                address: elements.address(),
                datatype: self.type_of(element, elements.stride()),
                count,
            })
        };
        let (origin, result) = (buffer(parts.origin), buffer(parts.result));
        let target_type = target_type.unwrap_or_else(|| self.type_of(element, parts.remote.stride()));
        // What is in use until a quiet is watched.
        if request.is_none()
            && let Some(elements) = parts.origin.or(parts.result)
        {
            let at = elements.address();
            self.caller.memory_mut(at).track(at, elements.span(count, size));
        }
        let event = Operation {
            id: operation,
            kind: parts.kind,
            win: object.win(),
            target: Some(Rank(target)),
            origin,
            result,
            compare: None,
            displacement,
            target_type,
            target_count: count,
            operator: parts.operator,
            operand: parts.operand,
            expected: parts.expected,
            request,
            channel,
            notice: None,
            stack: self.caller.stack(),
        };
        self.caller.emit(EventKind::Operation(event));
        let thread = self.caller.thread();
        self.pe_mut().use_object(channel, object.win(), thread);
        // What leaves the object is reported by the detector, and has no effect here.
        let part = self.library.pes[target as usize].part(object.win());
        let bytes = parts.remote.span(count, size);
        let there = part.and_then(|part| part.address(displacement, bytes));
        Some(Issued {
            operation,
            request,
            target,
            there: there.map(|address| parts.remote.moved_to(address)),
        })
    }

    /// The buffers of an operation are free, if its call says so when it returns.
    pub(super) fn finish(&mut self, issued: &Issued) {
        if let Some(request) = issued.request {
            self.caller.emit(EventKind::OperationRequestDone { request });
        }
    }

    /// The channel that a call uses, and the process that it names there.
    fn addressee(&mut self, call: &Call<'_>, pe: i32) -> Option<(ChannelId, u32)> {
        let (channel, members) = self.channel_of(call)?;
        let processes = members
            .as_ref()
            .map_or(self.caller.size(), |members| members.len() as u32);
        let place = u32::try_from(pe).ok().filter(|place| *place < processes);
        let Some(place) = place else {
            self.miss(call, pe, processes);
            return None;
        };
        let target = members.map_or(place, |members| members[place as usize]);
        Some((channel, target))
    }

    /// The process from which a collective call brings data, by its number among its members (OpenSHMEM 1.5 §9.9.5).
    pub(super) fn root(&mut self, call: &Call<'_>, number: i32, members: &[u32]) -> Option<u32> {
        let root = usize::try_from(number).ok().and_then(|root| members.get(root));
        if root.is_none() {
            self.miss(call, number, members.len() as u32);
        }
        root.copied()
    }

    /// A call names a process that is not there.
    fn miss(&mut self, call: &Call<'_>, number: i32, processes: u32) {
        // A number that is too large may exist where more processes are.
        if number >= 0 {
            self.caller.notes().miss_target(number);
        }
        self.mistaken(call, Mistake::Target { number, processes }, None);
    }

    /// The process that has a number in the world; a number that none has is noted.
    pub(super) fn world_rank(&mut self, pe: i32) -> Option<u32> {
        let found = u32::try_from(pe).ok().filter(|pe| *pe < self.caller.size());
        if found.is_none() {
            self.caller.notes().miss_rank();
        }
        found
    }

    /// The type of an element, and the distance to the next; told at its first use.
    pub(super) fn type_of(&mut self, element: Element, stride: u64) -> TypeId {
        let name = match element.class {
            Class::Float => "FLOAT",
            Class::Integer => "integer",
        };
        self.type_named(name, element.size, stride)
    }

    /// The type of a signal, by what updates it: updates that set are atomic to one another, and so are those that add,
    /// but neither to those of the other kind, nor to atomic operations (OpenSHMEM 1.5 §9.8.1).
    fn type_of_signal(&mut self, sets: bool) -> TypeId {
        let name = match sets {
            true => "signal that is set",
            false => "signal that is added to",
        };
        self.type_named(name, SIGNAL.size, 1)
    }

    fn type_named(&mut self, name: &'static str, size: u32, stride: u64) -> TypeId {
        let key = (size, name, stride);
        if let Some(known) = self.pe().type_of(key) {
            return known;
        }
        let id = self.caller.handles_mut().type_id();
        let mut map = TypeMap::basic(name, size);
        map.extent = i64::from(size).saturating_mul(stride.cast_signed());
        self.caller.emit(EventKind::Type { id, map });
        self.pe_mut().add_type(key, id);
        id
    }

    /// Writes one element into the memory of the caller, as the result of an operation.
    pub(super) fn put_result(&mut self, at: u64, size: u64, value: Scalar) {
        let mut bytes = value.bits.to_le_bytes().to_vec();
        bytes.truncate(size as usize);
        let content = Content::known(bytes).with_symbol(value.symbol);
        self.caller.memory_mut(at).put_content(at, &content);
    }
}

/// Destination, source, their number and the other process.
fn both(call: &Call<'_>, strided: Strided) -> (Elements, Elements, u64, i32) {
    let (strides, next) = match strided {
        Strided::No => ([1, 1], 2),
        Strided::Yes => ([call.word(2), call.word(3)], 4),
    };
    let elements = |place: usize| Elements::new(call.word(place), strides[place]);
    (elements(0), elements(1), call.word(next), call.int(next + 1))
}
