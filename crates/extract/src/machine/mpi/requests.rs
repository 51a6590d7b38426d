//! Requests: of messages, and of operations on windows.
//!
//! A request of an operation has a handle of its own. Waiting for it completes an operation that only writes locally,
//! and one that gives something back wholly (MPI-4.1 §12.3.5); a flush waits for it, too.

use super::constants::target_of;
use super::messages::Envelope;
use crate::declare::Effect;
use crate::machine::{Followed, Machine};
use crate::message::{Kind, Message};
use crate::program::number;
use crate::request::{Elements, Persistent, Request};
use crate::tables::ObjectKind;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};
use farside_pgas::ast::{Completion, StatementKind};

/// More open requests of one window are not told apart.
const MOST_REQUESTS: u32 = 16;

/// Bytes of a status of a message, of the library whose is larger.
const STATUS: u64 = 24;

/// Where what a request stands for is kept.
#[derive(Clone, Copy)]
pub(super) enum Kept<'v> {
    /// In a variable of the program, as a handle.
    At(&'v Value),
    /// As the persistent request of this number.
    As(u32),
}

impl Machine<'_> {
    /// `MPI_Isend`, and `MPI_Issend` if it waits until it is received.
    pub(super) fn send_later(
        &mut self,
        (buffer, elements): (&Value, Elements),
        to: Envelope<'_>,
        waits: bool,
        request: Kept<'_>,
        place: PlaceId,
    ) -> Followed<()> {
        self.own_buffer(buffer, elements.bytes(), place)?;
        let awaited = match waits {
            true => self.send_synchronously(buffer, elements, to, place)?,
            false => self.send(buffer, elements, to, place)?.and(None),
        };
        let begun = match awaited {
            None => Request::Over,
            Some(taken) => Request::Words {
                awaited: vec![taken],
                written: Vec::new(),
            },
        };
        self.keep_request(request, begun, place)
    }

    /// `MPI_Irecv`.
    pub(super) fn receive_by_request(
        &mut self,
        (buffer, elements): (&Value, Elements),
        from: Envelope<'_>,
        request: Kept<'_>,
        place: PlaceId,
    ) -> Followed<()> {
        self.own_buffer(buffer, elements.bytes(), place)?;
        let Value::Known(buffer) = *buffer else {
            return Err(self.lost(place, "a message to an address that is not known"));
        };
        let Some(sources) = self.sources(from, place)? else {
            return self.keep_request(request, Request::Over, place);
        };
        if sources.is_empty() {
            return Err(self.lost(place, "a receive of a message that nobody is known to send"));
        }
        // Messages that are sent arrive when they like: whose comes here is open.
        self.any(sources.len(), place, &mut |machine, way| {
            let (source, kind) = sources[way];
            let message = machine.next_received(source, kind, place)?;
            machine.begin_to_receive(message, place)?;
            let receive = Request::Receive {
                message,
                buffer,
                elements,
            };
            machine.keep_request(request, receive, place)
        })
    }

    /// A buffer of a message is left alone by the program until it is waited for (MPI-4.1 §3.7.2). When it is read or
    /// written before that matters only if other processes reach it.
    pub(super) fn own_buffer(&mut self, buffer: &Value, bytes: u64, place: PlaceId) -> Followed<()> {
        if bytes == 0 {
            return Ok(());
        }
        let (object, _, _) = self.spot(buffer, bytes, place)?;
        let is_of_another = matches!(self.tables.kind(object), ObjectKind::Reached(..));
        if !is_of_another && !self.is_in_window(object) {
            return Ok(());
        }
        Err(self.lost(
            place,
            "a non-blocking message of the memory of a window, which is not followed",
        ))
    }

    /// A request for an operation on a window: its number.
    pub(super) fn request_operation(
        &mut self,
        (window, gives): (u32, bool),
        rank: &Value,
        request: &Value,
        place: PlaceId,
    ) -> Followed<u32> {
        let number = self.state.progress_mut().open_request(window, gives);
        if number >= MOST_REQUESTS {
            let text = format!("more than {MOST_REQUESTS} requests of one window at once");
            return Err(self.lost(place, &text));
        }
        self.knowledge.request(window, gives, number);
        let target = target_of(rank);
        let operation = Request::Operation {
            window,
            gives,
            number,
            target,
        };
        self.store_request(request, operation, place)?;
        Ok(number)
    }

    /// Gives the program a request, or what a persistent one stands for now.
    pub(super) fn keep_request(&mut self, kept: Kept<'_>, request: Request, place: PlaceId) -> Followed<()> {
        match kept {
            Kept::At(to) => self.store_request(to, request, place)?,
            Kept::As(number) => {
                if let Some(persistent) = self.state.progress_mut().persistent_mut(number) {
                    persistent.start(request);
                }
            }
        }
        Ok(())
    }

    /// Gives the program a request.
    pub(super) fn store_request(&mut self, to: &Value, request: Request, place: PlaceId) -> Followed<()> {
        let handle = Value::Known(self.tables.request(request));
        self.store(to, &handle, &self.handle_type(), place)
    }

    /// `MPI_Waitall`.
    pub(super) fn wait_for_all(
        &mut self,
        count: &Value,
        requests: &Value,
        statuses: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let count = self.count(count, place)?;
        let size = self.handle_type().size();
        for at in 0..count {
            let request = self.moved(requests, at * size, place)?;
            self.wait_for_request(&request, &Value::Known(0), place)?;
        }
        self.some_status(statuses, count, place)
    }

    /// `MPI_Wait`.
    pub(super) fn wait_for_request(
        &mut self,
        request: &Value,
        status: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let ty = self.handle_type();
        let handle = self.load(request, &ty, u32::MAX, place)?;
        if self.is_no_request(&handle) {
            return self.some_status(status, 1, place);
        }
        let known = self.known_request(&handle, place)?;
        let mut message_of = None;
        let persistent = matches!(known, Request::Persistent(_));
        let known = match known {
            Request::Persistent(number) => {
                let ended = self.state.progress_mut().persistent_mut(number);
                // One that is not started is not waited for (MPI-4.1 §3.7.3).
                ended.and_then(Persistent::end).unwrap_or(Request::Over)
            }
            known => known,
        };
        match known {
            Request::Over | Request::Persistent(_) => {}
            Request::Words { awaited, written } => self.wait_for_words(&awaited, &written, place)?,
            Request::Receive {
                message,
                buffer,
                elements,
            } => {
                let buffer = Value::Known(buffer);
                self.own_buffer(&buffer, elements.bytes(), place)?;
                self.receive_values(message, &buffer, elements, place)?;
                message_of = Some(message);
            }
            Request::Operation {
                window,
                gives,
                number,
                target,
            } => self.wait_for_operation((window, gives, number), target, place),
            Request::Partitions(partitions, done) => self.wait_for_partitions(&partitions, &done, place)?,
        }
        if !persistent {
            let over = self.no_request();
            self.store(request, &over, &ty, place)?;
        }
        match message_of {
            Some(message) => self.status_of(status, message, place),
            None => self.some_status(status, 1, place),
        }
    }

    /// Whether nothing is waited for by a handle: `MPI_REQUEST_NULL`, or a persistent request that is not started.
    pub(super) fn is_inactive(&mut self, handle: &Value, place: PlaceId) -> Followed<bool> {
        if self.is_no_request(handle) {
            return Ok(true);
        }
        Ok(match self.known_request(handle, place)? {
            Request::Persistent(number) => {
                let persistent = self.state.progress().persistent(number);
                !persistent.is_some_and(Persistent::is_active)
            }
            _ => false,
        })
    }

    /// What a handle that is not `MPI_REQUEST_NULL` stands for.
    pub(super) fn known_request(&mut self, handle: &Value, place: PlaceId) -> Followed<Request> {
        let known = match handle {
            Value::Known(handle) => self.tables.request_at(*handle).cloned(),
            _ => None,
        };
        match known {
            Some(request) => Ok(request),
            None => Err(self.lost(place, "a request that is not known")),
        }
    }

    /// Earlier operations with the same number are as complete as this waits for: it waits for no other one.
    fn wait_for_operation(
        &mut self,
        (window, gives, request): (u32, bool, u32),
        target: Option<u32>,
        place: PlaceId,
    ) {
        let completion = match gives {
            true => Completion::Full,
            false => Completion::Local,
        };
        let targets = match target {
            Some(target) => target..target + 1,
            None => 0..self.ranks,
        };
        let effect = match gives {
            true => Effect::Gives,
            false => Effect::Writes,
        };
        for target in targets {
            let what = self.handle_of(window, effect, &number(i64::from(target)), Some(request));
            self.emit(StatementKind::Wait { what, completion }, place);
        }
        let progress = self.state.progress_mut();
        progress.close_request(window, gives, request);
        // What has given something back has had its lock.
        if let (true, Some(target)) = (gives, target) {
            progress.flushed(window, target);
        }
    }

    /// A status has the source and the tag of a message; what else is in it is not known.
    pub(super) fn status_of(&mut self, status: &Value, message: Message, place: PlaceId) -> Followed<()> {
        self.some_status(status, 1, place)?;
        let is_there = matches!(status, Value::Known(address) if self.tables.at(*address).is_some());
        let (Kind::Tag(communicator, tag), true) = (message.kind(), is_there) else {
            return Ok(());
        };
        let source = self.tables.communicator_of(communicator).rank_of(message.from());
        let numbers = [u64::from(source.unwrap_or(u32::MAX)), tag as u64 & 0xffff_ffff];
        for (at, number) in (0..).zip(numbers) {
            let to = self.moved(status, self.source_at() + 4 * at, place)?;
            self.store(&to, &Value::Known(number), &Type::Integer(32), place)?;
        }
        Ok(())
    }

    /// What is in a status is not known. `MPI_STATUS_IGNORE` is no address.
    pub(super) fn some_status(&mut self, status: &Value, count: u64, place: PlaceId) -> Followed<()> {
        let Value::Known(address) = status else {
            return Err(self.lost(place, "a status at an address that is not known"));
        };
        let Some((object, at)) = self.tables.at(*address) else {
            return Ok(());
        };
        let room = self.tables.size(object).saturating_add_signed(-at);
        let size = room.min(STATUS.saturating_mul(count));
        self.fill(status, &Value::Known(1), size, place)
    }
}
