//! Which provider of libfabric is used, and what it says of itself.

use crate::ffi::{Info, constants as c};
use crate::library::{InfoList, Library};
use farside_fabric::{Error, Result};
use std::ffi::{CStr, CString};

/// Providers that are not chosen unless they are named: for one machine only, superseded, or very slow.
const ONLY_BY_NAME: [&str; 5] = ["shm", "sockets", "udp;ofi_rxd", "net", "net;ofi_rxm"];

/// What a provider says of itself, as far as it matters here.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// Its name, such as `tcp;ofi_rxm`.
    pub(crate) name: String,
    /// Its domain, such as `eth0`.
    pub(crate) domain: String,
    /// Major version of the library, which is that of its own providers.
    pub(crate) library: (u32, u32),
    /// Orders between operations of one endpoint to one peer, which both sides keep.
    pub(crate) order: u64,
    /// Longest write that keeps its order after a write, and longest read after a write.
    pub(crate) ordered_write: usize,
    pub(crate) ordered_read: usize,
    /// Longest operation, in bytes.
    pub(crate) operation: usize,
    /// Bytes that travel with a write and end in the completion queue of the target.
    pub(crate) immediate: usize,
    /// Modes of registration that it asks for.
    pub(crate) registration: i32,
    /// Bytes of a key, where we choose it.
    pub(crate) key: usize,
    /// A write with an immediate takes one of the receive buffers.
    pub(crate) immediate_takes_buffer: bool,
    /// Receives that fit at once.
    pub(crate) receives: usize,
}

/// Finds the provider: the one that is named, or the best of those that do what is needed.
///
/// What is needed: reliable datagram endpoints with messages and RMA, messages in order, completion of writes when
/// they are visible at the target, and none of the duties that this crate does not take (registered origin buffers,
/// message prefixes, bounded keys of other kinds).
pub(crate) fn search<'l>(library: &'l Library, name: Option<&str>) -> Result<(InfoList<'l>, *mut Info)> {
    let hints = needs(library)?;
    if let Some(name) = name {
        let text = CString::new(name).map_err(|_| refused(library, name, "its name has a zero byte"))?;
        // SAFETY: an entry of `fi_dupinfo(NULL)` has all its parts; the name is given back by `fi_freeinfo`, which
        // calls `free`.
        unsafe { (*(*hints.first).fabric_attr).prov_name = libc::strdup(text.as_ptr()) };
    }
    let found = library.search(&hints)?;
    let chosen = found.entries().find(|info| {
        // SAFETY: entries live as long as the list.
        let candidate = unsafe { provider_name(*info) };
        match name {
            // A name also matches those that are stacked upon it: `net` gives `net;ofi_rxm` as well.
            Some(name) => candidate == name,
            None => !ONLY_BY_NAME.contains(&candidate.as_str()),
        }
    });
    match chosen {
        Some(info) => Ok((found, info)),
        None => Err(refused(library, name.unwrap_or("any"), &why(library, name)?)),
    }
}

/// What is asked for.
fn needs(library: &Library) -> Result<InfoList<'_>> {
    let hints = library.hints()?;
    // SAFETY: an entry of `fi_dupinfo(NULL)` has all its parts.
    unsafe {
        let info = &mut *hints.first;
        info.caps = c::MSG | c::RMA;
        info.mode = c::CONTEXT | c::CONTEXT2 | c::RX_CQ_DATA;
        (*info.ep_attr).kind = c::EP_RDM;
        (*info.domain_attr).threading = c::THREAD_DOMAIN;
        (*info.domain_attr).resource_mgmt = c::RM_ENABLED;
        (*info.domain_attr).mr_mode = c::MR_VIRT_ADDR | c::MR_ALLOCATED | c::MR_PROV_KEY | c::MR_ENDPOINT;
        (*info.tx_attr).op_flags = c::DELIVERY_COMPLETE;
        (*info.tx_attr).msg_order = c::ORDER_SAS;
        (*info.rx_attr).msg_order = c::ORDER_SAS;
    }
    Ok(hints)
}

/// Why there is no such provider, and which of this machine do.
fn why(library: &Library, name: Option<&str>) -> Result<String> {
    let endpoints = match name {
        Some(name) => endpoints(library, name)?,
        None => Vec::new(),
    };
    let mut reason = if endpoints.is_empty() {
        "no such provider is there".to_owned()
    } else {
        format!(
            "it offers no endpoints of the kind FI_EP_RDM, but {}",
            endpoints.join(" and ")
        )
    };
    reason += "; what is needed are reliable datagrams, RMA, messages in order and delivery-complete writes";
    let usable = if name.is_some() {
        names(library)?
    } else {
        Vec::new()
    };
    if usable.is_empty() {
        return Ok(format!(
            "{reason}; no provider of this machine has them (`fi_info -l` lists all)"
        ));
    }
    let chosen: Vec<String> = usable
        .iter()
        .map(|name| format!("FARSIDE_TRANSPORT='ofi:{name}'"))
        .collect();
    Ok(format!(
        "{reason}; this machine has them with {} (`fi_info -l` lists all providers, `fi_info -p NAME -t FI_EP_RDM` \
         what they offer)",
        chosen.join(", ")
    ))
}

/// The providers that do what is needed, best first.
fn names(library: &Library) -> Result<Vec<String>> {
    let hints = needs(library)?;
    let mut names = Vec::new();
    for info in library.search(&hints)?.entries() {
        // SAFETY: entries live as long as the list.
        let name = unsafe { provider_name(info) };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The kinds of endpoints that a provider of this name has, whatever they can do.
fn endpoints(library: &Library, name: &str) -> Result<Vec<&'static str>> {
    let hints = library.hints()?;
    let found = library.search(&hints)?;
    let mut kinds = Vec::new();
    for info in found.entries() {
        // SAFETY: entries live as long as the list, and have all their parts.
        let (candidate, kind) = unsafe { (provider_name(info), (*(*info).ep_attr).kind) };
        let kind = match kind {
            c::EP_MSG => "FI_EP_MSG",
            c::EP_DGRAM => "FI_EP_DGRAM",
            _ => continue,
        };
        if candidate == name && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

fn refused(library: &Library, name: &str, reason: &str) -> Error {
    Error::Unsupported {
        transport: "ofi".into(),
        what: format!("provider `{name}`"),
        reason: format!("{}: {reason}", library.describe()),
    }
}

/// # Safety
/// `info` is an entry of a list that is alive.
unsafe fn provider_name(info: *const Info) -> String {
    // SAFETY: by the caller; names are null or end with 0.
    unsafe { text((*(*info).fabric_attr).prov_name) }
}

/// # Safety
/// `pointer` is null or a text that ends with 0.
unsafe fn text(pointer: *const std::ffi::c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by the caller.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

impl Facts {
    /// # Safety
    /// `info` is an entry of a list that is alive.
    pub(crate) unsafe fn of(library: &Library, info: *const Info) -> Self {
        // SAFETY: by the caller; an entry has all its parts.
        unsafe {
            let (tx, rx) = (&*(*info).tx_attr, &*(*info).rx_attr);
            let (endpoint, domain) = (&*(*info).ep_attr, &*(*info).domain_attr);
            Self {
                name: provider_name(info),
                domain: text(domain.name),
                library: library.version(),
                order: tx.msg_order & rx.msg_order,
                ordered_write: endpoint.max_order_waw_size,
                ordered_read: endpoint.max_order_raw_size,
                operation: endpoint.max_msg_size,
                immediate: domain.cq_data_size,
                registration: domain.mr_mode,
                key: domain.mr_key_size,
                immediate_takes_buffer: (*info).mode & c::RX_CQ_DATA != 0,
                receives: rx.size,
            }
        }
    }

    /// Whether data come in a stream of bytes, of which a read may bring any number: over TCP, providers copy what has
    /// come to its place at once, so that a word is seen half written when a segment ends within it (`tests/words.rs`).
    pub(crate) fn is_stream(&self) -> bool {
        let core = self.name.split(';').next().unwrap_or_default();
        matches!(core, "tcp" | "net" | "sockets")
    }

    /// Whether the provider moves data only when it is called: all that lie over streams, but for `sockets`.
    pub(crate) fn has_no_threads(&self) -> bool {
        self.is_stream() && !self.name.starts_with("sockets")
    }

    /// Whether `fi_write` completes before the write is visible, though the endpoint was asked for delivery: `net` of
    /// libfabric 1, seen with a target that is stopped.
    pub(crate) fn forgets_delivery(&self) -> bool {
        self.name == "net"
    }

    /// Whether the provider does not take back its own signal of completions, so that a set of descriptors with it is
    /// always readable: `net` of libfabric 1.
    pub(crate) fn keeps_its_signal(&self) -> bool {
        self.name == "net"
    }

    /// Whether the provider keeps an order (a constant `ORDER_*`).
    pub(crate) fn keeps(&self, order: u64) -> bool {
        self.order & order != 0
    }
}
