//! How an endpoint comes to be: both transports, over the same launcher.

use crate::fabric::Hybrid;
use crate::members::Members;
use crate::nodes::{Nodes, listed};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Capabilities, Error, Fabric, Rank, Result};
use farside_fabric_ofi::{Notice, Ofi};
use farside_fabric_shm::ShmFabric;
use std::sync::Arc;

/// Under this name a rank says whether those of its node see one another's memory.
const MET: &str = "node-met";

/// The transport that suits where the ranks of a job are: [`ShmFabric`] on one node, [`Ofi`] where each has a node of
/// its own, [`Hybrid`] else. All ranks call it. `say` hears what the user should know ([`Hybrid::remarks`]).
///
/// # Errors
/// As for [`ShmFabric::start`], [`Ofi::open`] and [`open`].
pub fn by_place(job: Arc<dyn Bootstrap>, say: &mut dyn FnMut(&str)) -> Result<Arc<dyn Fabric>> {
    let nodes = Nodes::meet(&*job)?;
    if nodes.number() <= 1 {
        return Ok(Arc::new(ShmFabric::start(job)?));
    }
    if nodes.are_shared() {
        return joined(job, nodes, None, say);
    }
    nodes.remarks().iter().for_each(|remark| say(remark));
    Ok(Arc::new(Ofi::open(job, None)?))
}

/// The transport of this name: `shm`, `ofi` or `ofi:PROVIDER`, `hybrid` or `hybrid:PROVIDER`, or nothing for the one
/// that suits ([`by_place`]). All ranks call it. `say` hears what the user should know.
///
/// # Errors
/// It names none; as for [`by_place`].
pub fn by_name(name: &str, job: Arc<dyn Bootstrap>, say: &mut dyn FnMut(&str)) -> Result<Arc<dyn Fabric>> {
    let (transport, provider) = match name.split_once(':') {
        Some((transport, provider)) => (transport, Some(provider)),
        None => (name, None),
    };
    match (transport, provider) {
        ("", None) => by_place(job, say),
        ("shm", None) => Ok(Arc::new(ShmFabric::start(job)?)),
        ("ofi", provider) => Ok(Arc::new(Ofi::open(job, provider)?)),
        ("hybrid", provider) => start(job, provider, say),
        _ => Err(Error::Bootstrap(format!(
            "FARSIDE_TRANSPORT is `{name}`, which is none of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER"
        ))),
    }
}

/// [`Hybrid`], wherever the ranks of a job are. All ranks call it.
///
/// # Errors
/// As for [`open`].
pub fn start(
    job: Arc<dyn Bootstrap>,
    provider: Option<&str>,
    say: &mut dyn FnMut(&str),
) -> Result<Arc<dyn Fabric>> {
    let nodes = Nodes::meet(&*job)?;
    joined(job, nodes, provider, say)
}

fn joined(
    job: Arc<dyn Bootstrap>,
    nodes: Nodes,
    provider: Option<&str>,
    say: &mut dyn FnMut(&str),
) -> Result<Arc<dyn Fabric>> {
    let fabric = open(job, nodes, provider)?;
    fabric.remarks().iter().for_each(|remark| say(remark));
    Ok(Arc::new(fabric))
}

/// Joins the job that a launcher began: all ranks call it, with the nodes that they asked one another for. Binds
/// the calling thread as [`ShmFabric::start`] does, unless there is another node on this machine.
///
/// `provider` is one of libfabric; else the first one is taken that reaches other machines ([`Ofi::open`]).
///
/// # Errors
/// The launcher is gone; libfabric is not there, has no such provider, or refuses; the system refuses.
pub fn open(job: Arc<dyn Bootstrap>, mut nodes: Nodes, provider: Option<&str>) -> Result<Hybrid> {
    let rank = job.rank();
    let around = nodes.around(rank);
    let crowded = nodes.shares_machine(rank);
    let members = Arc::new(Members::new(Arc::clone(&job), around.clone()));
    let (members, shm) = match ShmFabric::try_start(Arc::clone(&members) as Arc<dyn Bootstrap>, crowded)? {
        Ok(shm) => (members, shm),
        Err(reason) => {
            if around.first() == Some(&rank) {
                nodes.remark(format!(
                    "ranks {} run on one machine, but do not share memory, and use the network: {reason}",
                    listed(&around)
                ));
            }
            let alone = Arc::new(Members::new(Arc::clone(&job), vec![rank]));
            let shm = ShmFabric::alone(Arc::clone(&alone) as Arc<dyn Bootstrap>)?;
            (alone, shm)
        }
    };
    let shm = Arc::new(shm);
    job.publish(MET, &[u8::from(members.size() as usize == around.len())])?;
    let ofi = open_ofi(&job, &members, &shm, provider)?;
    // Published before the fence of that call.
    let met = (0..job.size()).map(|rank| Ok(job.lookup(rank, MET)? == [1]));
    nodes.dissolve(&met.collect::<Result<Vec<bool>>>()?);
    // After the threads of the endpoints: these run where there is room.
    shm.pin_where_wanted()?;
    let capabilities = weaker(shm.capabilities(), ofi.capabilities());
    Ok(Hybrid::new((shm, members), ofi, nodes, capabilities))
}

/// The endpoint among all. It hears of the losses that the other one knows, and wakes its sleepers.
fn open_ofi(
    job: &Arc<dyn Bootstrap>,
    members: &Arc<Members>,
    shm: &Arc<ShmFabric>,
    provider: Option<&str>,
) -> Result<Ofi> {
    let watched = Watched {
        job: Arc::clone(job),
        members: Arc::clone(members),
        shm: Arc::clone(shm),
    };
    let (members, shm) = (Arc::clone(members), Arc::clone(shm));
    let notice: Notice = Arc::new(move |lost| {
        if let Some(rank) = lost {
            shm.tell_lost(members.known_as(rank));
        }
        shm.wake(shm.rank());
    });
    Ofi::open_within(Arc::new(watched), provider, notice)
}

/// What is so over both ways.
fn weaker(shm: &Capabilities, ofi: &Capabilities) -> Capabilities {
    let provider = ofi.transport.strip_prefix("ofi:").unwrap_or(&ofi.transport);
    Capabilities {
        transport: format!("hybrid:{provider}"),
        write_after_write: shm.write_after_write && ofi.write_after_write,
        message_after_write: shm.message_after_write && ofi.message_after_write,
        immediate_after_write: shm.immediate_after_write && ofi.immediate_after_write,
        read_after_write: shm.read_after_write && ofi.read_after_write,
        whole_words: shm.whole_words && ofi.whole_words,
        immediate_bits: shm.immediate_bits.min(ofi.immediate_bits),
        notification_depth: shm.notification_depth.min(ofi.notification_depth),
        counts: shm.counts && ofi.counts,
        message_bytes: shm.message_bytes.min(ofi.message_bytes),
        operation_bytes: shm.operation_bytes.min(ofi.operation_bytes),
        progress: ofi.progress,
        // By those of a node only.
        mapped: false,
        virtual_time: false,
    }
}

/// The launcher of the job, which also knows of the losses that `shm` has seen.
struct Watched {
    job: Arc<dyn Bootstrap>,
    members: Arc<Members>,
    shm: Arc<ShmFabric>,
}

impl Bootstrap for Watched {
    fn rank(&self) -> Rank {
        self.job.rank()
    }

    fn size(&self) -> u32 {
        self.job.size()
    }

    fn job(&self) -> &str {
        self.job.job()
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.job.publish(name, bytes)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        self.job.lookup(rank, name)
    }

    fn fence(&self) -> Result<()> {
        self.job.fence()
    }

    fn finish(&self) -> Result<()> {
        self.job.finish()
    }

    fn lost(&self) -> Option<Rank> {
        let here = || self.shm.lost().map(|known| self.members.in_job(known));
        self.job.lost().or_else(here)
    }

    fn tell_lost(&self, rank: Rank) {
        self.job.tell_lost(rank);
    }
}
