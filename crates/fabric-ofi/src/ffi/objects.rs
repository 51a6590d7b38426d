//! Objects of libfabric and their tables of functions.

// Fields are there for their places.
#![allow(dead_code)]

use super::{Address, Fid, Info, Slot};
use std::ffi::{c_char, c_int, c_void};

/// `struct fid_fabric`.
#[repr(C)]
pub(crate) struct Fabric {
    pub(crate) fid: Fid,
    pub(crate) ops: *const FabricOperations,
    pub(crate) api_version: u32,
}

/// `struct fi_ops_fabric`.
#[repr(C)]
pub(crate) struct FabricOperations {
    pub(crate) size: usize,
    pub(crate) domain:
        Option<unsafe extern "C" fn(*mut Fabric, *mut Info, *mut *mut Domain, *mut c_void) -> c_int>,
    pub(crate) passive_ep: Slot,
    pub(crate) eq_open: Slot,
    pub(crate) wait_open: Slot,
    pub(crate) trywait: Option<unsafe extern "C" fn(*mut Fabric, *mut *mut Fid, c_int) -> c_int>,
}

/// `struct fid_domain`.
#[repr(C)]
pub(crate) struct Domain {
    pub(crate) fid: Fid,
    pub(crate) ops: *const DomainOperations,
    pub(crate) mr: *const MrOperations,
}

/// `struct fi_ops_domain`.
#[repr(C)]
pub(crate) struct DomainOperations {
    pub(crate) size: usize,
    pub(crate) av_open:
        Option<unsafe extern "C" fn(*mut Domain, *mut AvAttributes, *mut *mut Av, *mut c_void) -> c_int>,
    pub(crate) cq_open:
        Option<unsafe extern "C" fn(*mut Domain, *mut CqAttributes, *mut *mut Cq, *mut c_void) -> c_int>,
    pub(crate) endpoint:
        Option<unsafe extern "C" fn(*mut Domain, *mut Info, *mut *mut Ep, *mut c_void) -> c_int>,
}

/// `struct fi_ops_mr`.
#[repr(C)]
pub(crate) struct MrOperations {
    pub(crate) size: usize,
    #[allow(clippy::type_complexity)]
    pub(crate) reg: Option<
        unsafe extern "C" fn(
            *mut Fid,
            *const c_void,
            usize,
            u64,
            u64,
            u64,
            u64,
            *mut *mut Mr,
            *mut c_void,
        ) -> c_int,
    >,
}

/// `struct fid_mr`.
#[repr(C)]
pub(crate) struct Mr {
    pub(crate) fid: Fid,
    pub(crate) mem_desc: *mut c_void,
    pub(crate) key: u64,
}

/// `struct fi_av_attr`.
#[repr(C)]
pub(crate) struct AvAttributes {
    pub(crate) kind: u32,
    pub(crate) rx_ctx_bits: c_int,
    pub(crate) count: usize,
    pub(crate) ep_per_node: usize,
    pub(crate) name: *const c_char,
    pub(crate) map_addr: *mut c_void,
    pub(crate) flags: u64,
}

/// `struct fid_av`.
#[repr(C)]
pub(crate) struct Av {
    pub(crate) fid: Fid,
    pub(crate) ops: *const AvOperations,
}

/// `struct fi_ops_av`.
#[repr(C)]
pub(crate) struct AvOperations {
    pub(crate) size: usize,
    pub(crate) insert:
        Option<unsafe extern "C" fn(*mut Av, *const c_void, usize, *mut Address, u64, *mut c_void) -> c_int>,
}

/// `struct fi_cq_attr`.
#[repr(C)]
pub(crate) struct CqAttributes {
    pub(crate) size: usize,
    pub(crate) flags: u64,
    pub(crate) format: u32,
    pub(crate) wait_obj: u32,
    pub(crate) signaling_vector: c_int,
    pub(crate) wait_cond: u32,
    pub(crate) wait_set: *mut c_void,
}

/// `struct fid_cq`.
#[repr(C)]
pub(crate) struct Cq {
    pub(crate) fid: Fid,
    pub(crate) ops: *const CqOperations,
}

/// `struct fi_ops_cq`.
#[repr(C)]
pub(crate) struct CqOperations {
    pub(crate) size: usize,
    pub(crate) read: Option<unsafe extern "C" fn(*mut Cq, *mut c_void, usize) -> isize>,
    pub(crate) readfrom: Slot,
    pub(crate) readerr: Option<unsafe extern "C" fn(*mut Cq, *mut CqError, u64) -> isize>,
    pub(crate) sread: Slot,
    pub(crate) sreadfrom: Slot,
    pub(crate) signal: Slot,
    pub(crate) strerror:
        Option<unsafe extern "C" fn(*mut Cq, c_int, *const c_void, *mut c_char, usize) -> *const c_char>,
}

/// `struct fi_cq_data_entry`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct CqEntry {
    pub(crate) op_context: *mut c_void,
    pub(crate) flags: u64,
    pub(crate) len: usize,
    pub(crate) buf: *mut c_void,
    pub(crate) data: u64,
}

/// `struct fi_cq_err_entry`.
#[repr(C)]
pub(crate) struct CqError {
    pub(crate) op_context: *mut c_void,
    pub(crate) flags: u64,
    pub(crate) len: usize,
    pub(crate) buf: *mut c_void,
    pub(crate) data: u64,
    pub(crate) tag: u64,
    pub(crate) olen: usize,
    pub(crate) err: c_int,
    pub(crate) prov_errno: c_int,
    pub(crate) err_data: *mut c_void,
    pub(crate) err_data_size: usize,
}

/// `struct fid_ep`.
#[repr(C)]
pub(crate) struct Ep {
    pub(crate) fid: Fid,
    pub(crate) ops: *const EpOperations,
    pub(crate) cm: *const CmOperations,
    pub(crate) msg: *const MessageOperations,
    pub(crate) rma: *const RmaOperations,
}

/// `struct fi_ops_ep`.
#[repr(C)]
pub(crate) struct EpOperations {
    pub(crate) size: usize,
}

/// `struct fi_ops_cm`.
#[repr(C)]
pub(crate) struct CmOperations {
    pub(crate) size: usize,
    pub(crate) setname: Slot,
    pub(crate) getname: Option<unsafe extern "C" fn(*mut Fid, *mut c_void, *mut usize) -> c_int>,
}

/// `struct iovec` of the system.
#[repr(C)]
pub(crate) struct IoVector {
    pub(crate) base: *mut c_void,
    pub(crate) len: usize,
}

/// `struct fi_msg`.
#[repr(C)]
pub(crate) struct Message {
    pub(crate) msg_iov: *const IoVector,
    pub(crate) desc: *mut *mut c_void,
    pub(crate) iov_count: usize,
    pub(crate) addr: Address,
    pub(crate) context: *mut c_void,
    pub(crate) data: u64,
}

/// `struct fi_rma_iov`.
#[repr(C)]
pub(crate) struct RmaVector {
    pub(crate) addr: u64,
    pub(crate) len: usize,
    pub(crate) key: u64,
}

/// `struct fi_msg_rma`.
#[repr(C)]
pub(crate) struct RmaMessage {
    pub(crate) msg_iov: *const IoVector,
    pub(crate) desc: *mut *mut c_void,
    pub(crate) iov_count: usize,
    pub(crate) addr: Address,
    pub(crate) rma_iov: *const RmaVector,
    pub(crate) rma_iov_count: usize,
    pub(crate) context: *mut c_void,
    pub(crate) data: u64,
}

/// `struct fi_ops_msg`.
#[repr(C)]
pub(crate) struct MessageOperations {
    pub(crate) size: usize,
    pub(crate) recv:
        Option<unsafe extern "C" fn(*mut Ep, *mut c_void, usize, *mut c_void, Address, *mut c_void) -> isize>,
    pub(crate) recvv: Slot,
    pub(crate) recvmsg: Slot,
    pub(crate) send: Slot,
    pub(crate) sendv: Slot,
    pub(crate) sendmsg: Option<unsafe extern "C" fn(*mut Ep, *const Message, u64) -> isize>,
}

/// Parameters of reads and writes: buffer, length, its registration, peer, address there, key there, context.
type Transfer<B> =
    unsafe extern "C" fn(*mut Ep, B, usize, *mut c_void, Address, u64, u64, *mut c_void) -> isize;

/// The same with an immediate before the peer.
type TransferData = unsafe extern "C" fn(
    *mut Ep,
    *const c_void,
    usize,
    *mut c_void,
    u64,
    Address,
    u64,
    u64,
    *mut c_void,
) -> isize;

/// `struct fi_ops_rma`.
#[repr(C)]
pub(crate) struct RmaOperations {
    pub(crate) size: usize,
    pub(crate) read: Option<Transfer<*mut c_void>>,
    pub(crate) readv: Slot,
    pub(crate) readmsg: Slot,
    pub(crate) write: Option<Transfer<*const c_void>>,
    pub(crate) writev: Slot,
    pub(crate) writemsg: Option<unsafe extern "C" fn(*mut Ep, *const RmaMessage, u64) -> isize>,
    pub(crate) inject: Slot,
    pub(crate) writedata: Option<TransferData>,
}
