//! A call as [`farside_calls`] reads it: arguments in registers and on the stack, objects as this process knows them.

use super::communicator::{self, Communicator, world_ranks};
use super::datatype;
use super::window::{self, Window};
use crate::abi::constants;
use crate::call::{CallView, Choice};
use farside_calls::abi::Numbers;
use farside_calls::arguments::{self, Arguments, OfMpi, Standing};
use farside_calls::communicator::Communicator as _;
use farside_calls::datatype::Datatype;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, Rank, WinId};
use std::sync::Arc;

impl Arguments for CallView {
    type Window = Arc<Window>;
    type Communicator = Arc<Communicator>;

    fn signature(&self) -> &'static Signature {
        self.signature()
    }

    fn int(&self, role: Role) -> i32 {
        self.int(role)
    }

    fn count(&self, role: Role) -> i64 {
        self.count(role)
    }

    fn aint(&self, role: Role) -> i64 {
        self.aint(role)
    }

    fn address(&self, role: Role) -> u64 {
        self.choice(role).address() as u64
    }

    fn is_in_place(&self, role: Role) -> bool {
        self.choice(role) == Choice::InPlace
    }

    fn is_root_of_other_group(&self) -> bool {
        self.int(Role::Root) == constants().numbers.root
    }

    fn displacement(&self, _: &Arc<Window>) -> i64 {
        self.aint(Role::TargetDisplacement)
    }

    fn element_count(&self, role: Role, k: usize) -> i64 {
        self.element_count(role, k)
    }

    fn element_aint(&self, role: Role, k: usize) -> i64 {
        self.element_aint(role, k)
    }

    fn communicator(&mut self) -> Option<Arc<Communicator>> {
        communicator::argument(self)
    }

    fn window(&self) -> Option<Arc<Window>> {
        window::argument(self)
    }

    fn datatype(&mut self, role: Role) -> Option<Arc<Datatype>> {
        datatype::argument(self, role)
    }

    fn element_datatype(&mut self, role: Role, k: usize) -> Option<Arc<Datatype>> {
        datatype::find(self.element_handle(role, k))
    }

    fn operator(&self) -> AccumulateOp {
        constants().operator(self.handle(Role::Operator))
    }

    fn group(&self) -> Vec<Rank> {
        let ranks = world_ranks(self.handle(Role::Group));
        ranks.into_iter().map(Rank).collect()
    }
}

impl OfMpi for CallView {
    fn numbers(&self) -> &Numbers {
        constants().numbers
    }

    fn is_given(&self, _: Role) -> bool {
        true
    }

    /// Which types were committed is not known here.
    fn standing(&self, role: Role) -> Standing {
        match self.handle(role) == constants().type_null {
            true => Standing::Null,
            false => Standing::Usable,
        }
    }

    fn has_no_window(&self) -> bool {
        self.handle(Role::Window) == constants().win_null
    }
}

impl arguments::Window for Window {
    fn id(&self) -> WinId {
        self.id
    }

    fn peer(&self, rank: i32) -> Option<Rank> {
        self.comm.peer(rank)
    }

    fn processes(&self) -> u32 {
        u32::try_from(self.comm.peers().len()).unwrap_or(u32::MAX)
    }
}
