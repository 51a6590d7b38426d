//! Collective operations (MPI-4.1 chapters 6 and 8.6): each orders processes in its own direction, and moves data.
//!
//! No data, no order: a call that moves nothing to this process (count 0, or a datatype without data) has
//! [`Direction::Nothing`]; a vector form orders only those sources that send something. What the arguments of each form are
//! is in [`CollectiveForm`].

mod movement;
mod reduction;
mod side;

use crate::communicator::Comm;
use crate::flow::Flow;
use crate::handles::Request;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{Kind, Meeting, MeetingKey, Part, Transfer};
use crate::process::Entered;
use crate::site::Site;
use farside_calls::collective::{CollectiveForm, Movement};
use farside_calls::signature::Role;
use farside_events::{AccessKind, Call, Direction};
use std::rc::Rc;

/// What a call does for this process.
struct Plan {
    direction: Direction,
    /// What is brought: one part for everybody, or a part for each.
    gives: Vec<Part>,
    /// The parts of the own buffers that the call reads.
    loads: Vec<Part>,
    /// To whom the parts go, where that is not by rank.
    addressees: Vec<u64>,
    then: Option<Transfer>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            direction: Direction::Nothing,
            gives: Vec::new(),
            loads: Vec::new(),
            addressees: Vec::new(),
            then: None,
        }
    }
}

/// The root of a rooted collective, seen from a process.
pub(crate) enum Root {
    /// This process.
    Here,
    /// Another process.
    There(u32),
    /// In an inter-communicator: another process of this group, which takes no part. Or nobody that is there.
    Aside,
}

impl Job<'_> {
    /// Meets the others of a communicator; what they brought once all are there, and the number of the call.
    pub(crate) fn meet(
        &mut self,
        site: &Site,
        comm: &Comm,
        expected: usize,
        direction: Direction,
        name: &str,
        words: Vec<u64>,
    ) -> Option<(u64, Rc<Meeting>)> {
        let key = match self.entered(site) {
            Some(Entered::Meeting(key)) => key,
            _ => {
                let key = self.arrive(site, comm, direction, name, None);
                self.meetings.arrive(key, site.rank, words, Vec::new());
                self.set_entered(site, Entered::Meeting(key));
                key
            }
        };
        self.meetings
            .complete(key, expected)
            .map(|meeting| (key.2, meeting))
    }

    /// The event of a thread that begins a collective call, and where the others are to be met.
    fn arrive(
        &mut self,
        site: &Site,
        comm: &Comm,
        direction: Direction,
        name: &str,
        request: Option<farside_events::RequestId>,
    ) -> MeetingKey {
        let sequence = self.processes.of_mut(site.rank).handles.sequence(comm.id);
        self.enter(
            site,
            Call::Collective {
                comm: comm.id,
                sequence,
                direction,
                name: name.into(),
                request,
            },
        );
        (Kind::Collective, comm.id.0, sequence)
    }

    /// A collective call, which is shown as `name`; `request` receives the handle of a non-blocking one.
    pub(super) fn collective_call(
        &mut self,
        site: &Site,
        name: &str,
        form: CollectiveForm,
        a: &Invocation,
        request: Option<u64>,
    ) -> Flow {
        let Some(comm) = self.comm(site, a[Role::Communicator].bits) else {
            return self.unknown_call(site, a.name());
        };
        let expected = comm.processes();
        if let Some(Entered::Meeting(key)) = self.entered(site) {
            if self.meetings.so_far(key) < expected {
                return Flow::Block;
            }
            let plan = self.plan(site, form, a, &comm);
            let flow = self.done(site);
            self.finish_collective(site, name, key, plan.then);
            return flow;
        }
        let plan = self.plan(site, form, a, &comm);
        for part in &plan.loads {
            self.library_buffer(site, name, AccessKind::Load, part);
        }
        let parcels = plan.gives.iter().map(|part| self.pack(site.rank, part)).collect();
        let id = request.map(|_| self.processes.of_mut(site.rank).handles.request_id());
        let key = self.arrive(site, &comm, plan.direction, name, id);
        self.meetings.arrive(key, site.rank, plan.addressees, parcels);
        if let Some(result) = request {
            let request = Request::Collective {
                comm: comm.id,
                sequence: key.2,
                key,
                expected,
                then: plan.then,
            };
            let handle = self.processes.of_mut(site.rank).handles.add_request(request);
            self.put_handle(site, result, handle);
            return self.done(site);
        }
        self.set_entered(site, Entered::Meeting(key));
        if self.meetings.so_far(key) < expected {
            return Flow::Block;
        }
        let flow = self.done(site);
        self.finish_collective(site, name, key, plan.then);
        flow
    }

    /// Gives a process its results.
    pub(super) fn finish_collective(
        &mut self,
        site: &Site,
        name: &str,
        key: MeetingKey,
        then: Option<Transfer>,
    ) {
        let Some((then, meeting)) = then.zip(self.meetings.complete(key, 0)) else {
            return;
        };
        for (into, data) in then.results(&meeting, site.rank) {
            self.library_buffer(site, name, AccessKind::Store, &into);
            self.unpack(site.rank, &into, &data);
        }
    }

    fn plan(&mut self, site: &Site, form: CollectiveForm, a: &Invocation, comm: &Comm) -> Plan {
        match form.movement(a.procedure().signature()) {
            Movement::Nothing => Plan {
                direction: Direction::All,
                ..Plan::default()
            },
            Movement::FromRoot { parts, own } => movement::from_root(self, site, a, comm, parts, own),
            Movement::ToRoot { own, parts } => movement::to_root(self, site, a, comm, own, parts),
            Movement::Exchange { gives, takes } => movement::exchange(self, site, a, comm, gives, takes),
            Movement::Neighbors { gives, takes } => movement::neighbors(self, site, a, comm, gives, takes),
            Movement::ReduceToRoot => reduction::reduce_to_root(self, site, a, comm),
            Movement::Reduce => reduction::reduce(self, site, a, comm, form),
        }
    }

    /// What the root argument of a collective call means (MPI-4.1 §6.2.3).
    fn root(&mut self, site: &Site, comm: &Comm, root: i32) -> Root {
        if comm.is_inter() && root == self.abi.numbers.root {
            return Root::Here;
        }
        match self.peer(comm, root) {
            Some(peer) if peer == site.rank => Root::Here,
            Some(peer) => Root::There(peer),
            None => Root::Aside,
        }
    }
}
