//! Persistent requests (MPI-4.1 §3.9): what is begun by `MPI_Start` is what the call without `_init` begins.
//!
//! A handle stands for its request whichever variable has it, so that what it waits for is part of the state of the
//! process, and not of the handle.

use super::messages::Envelope;
use super::requests::Kept;
use crate::machine::{Followed, Machine};
use crate::message::Kind;
use crate::request::{Begins, Persistent, Request, Way};
use crate::value::Value;
use farside_lint::ir::PlaceId;

impl Machine<'_> {
    /// A call on persistent requests, or `MPI_Request_free`; false if it is neither.
    pub(super) fn persistent_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let way = match call {
            "Send_init" | "Bsend_init" | "Rsend_init" => Some(Way::Send),
            "Ssend_init" => Some(Way::SendSynchronously),
            "Recv_init" => Some(Way::Receive),
            _ => None,
        };
        match (way, call, values) {
            (Some(way), _, [buffer, count, kind, rank, tag, communicator, request]) => {
                let elements = self.elements(count, kind, place)?;
                let communicator = self.communicator(communicator, place)?;
                let (&Value::Known(buffer), &Value::Known(rank), &Value::Known(tag)) = (buffer, rank, tag)
                else {
                    return Err(self.lost(place, "a persistent request whose message is not known"));
                };
                let begins = Begins::Message {
                    way,
                    buffer: (buffer, elements),
                    envelope: (rank, tag, communicator),
                };
                let number = self.state.progress_mut().make_persistent(Persistent::new(begins));
                self.store_request(request, Request::Persistent(number), place)?;
            }
            (None, "Start", [request]) => self.start(request, place)?,
            (None, "Startall", [count, requests]) => {
                let size = self.handle_type().size();
                for at in 0..self.count(count, place)? {
                    let request = self.moved(requests, at * size, place)?;
                    self.start(&request, place)?;
                }
            }
            (None, "Request_free", [request]) => self.free_request(request, place)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A collective call is made, to be started (MPI-4.1 §6.13).
    pub(super) fn make_collective(
        &mut self,
        call: &str,
        values: &[Value],
        kind: Kind,
        place: PlaceId,
    ) -> Followed<()> {
        let known = values.iter().map(|value| match value {
            Value::Known(value) => Some(*value),
            _ => None,
        });
        let (Some(values), Some(request)) = (known.collect::<Option<Vec<u64>>>(), values.last()) else {
            return Err(self.lost(
                place,
                "a persistent collective call with values that are not known",
            ));
        };
        let begins = Begins::Collective {
            call: call.to_owned(),
            values,
            kind,
        };
        let number = self.state.progress_mut().make_persistent(Persistent::new(begins));
        self.store_request(request, Request::Persistent(number), place)
    }

    fn start(&mut self, request: &Value, place: PlaceId) -> Followed<()> {
        let handle = self.load(request, &self.handle_type(), u32::MAX, place)?;
        let known = match self.known_request(&handle, place)? {
            Request::Persistent(number) => Some(number),
            _ => None,
        };
        let begins = known.and_then(|number| {
            let persistent = self.state.progress().persistent(number);
            let persistent = persistent.filter(|persistent| !persistent.is_active())?;
            Some((number, persistent.begins().clone()))
        });
        let Some((number, begins)) = begins else {
            return Err(self.lost(place, "a start of what is not persistent, or is started"));
        };
        let (way, (buffer, elements), (rank, tag, communicator)) = match begins {
            Begins::Message {
                way,
                buffer,
                envelope,
            } => (way, buffer, envelope),
            Begins::Collective { call, values, kind } => {
                let values: Vec<Value> = values.into_iter().map(Value::Known).collect();
                return self.start_collective((&call, &values), kind, number, place);
            }
            Begins::Partitions(partitions) => return self.start_partitions(partitions, number, place),
        };
        let (buffer, rank, tag) = (Value::Known(buffer), Value::Known(rank), Value::Known(tag));
        let envelope = Envelope::new(&rank, &tag, communicator);
        match way {
            way @ (Way::Send | Way::SendSynchronously) => {
                let waits = way == Way::SendSynchronously;
                self.send_later((&buffer, elements), envelope, waits, Kept::As(number), place)
            }
            Way::Receive => {
                // Only the last thing that a call does may be a choice.
                let sources = self.sources(envelope, place)?;
                if sources.is_some_and(|sources| sources.len() > 1) {
                    return Err(self.lost(place, "a persistent receive of a message of any process"));
                }
                self.receive_by_request((&buffer, elements), envelope, Kept::As(number), place)
            }
        }
    }

    /// `MPI_Request_free`: nobody waits for what it stands for.
    fn free_request(&mut self, request: &Value, place: PlaceId) -> Followed<()> {
        let ty = self.handle_type();
        let handle = self.load(request, &ty, u32::MAX, place)?;
        match self.known_request(&handle, place)? {
            Request::Persistent(number) if self.is_inactive(&handle, place)? => {
                self.state.progress_mut().free_persistent(number);
            }
            Request::Over => {}
            Request::Words { written, .. } if written.is_empty() => {}
            _ => return Err(self.lost(place, "MPI_Request_free of what is not over")),
        }
        let over = self.no_request();
        self.store(request, &over, &ty, place)
    }
}
