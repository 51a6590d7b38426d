//! How a world starts: the launcher and the transport, both by the environment.

use crate::shrink::Beginning;
use crate::waits::limit;
use crate::{Error, Result, World};
use farside_fabric::Fabric;
use farside_fabric::bootstrap::Bootstrap;
use std::panic::Location;
use std::rc::Rc;
use std::sync::Arc;

/// The environment variable that chooses the transport.
const TRANSPORT: &str = "FARSIDE_TRANSPORT";

/// A transport, by its name in the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Transport {
    /// The one that suits where the ranks are.
    ByPlace,
    Shm,
    /// Memory within a node, libfabric between nodes; with a provider, or with the first that will do.
    Hybrid(Option<String>),
    /// With a provider, or with the first that will do.
    Ofi(Option<String>),
    /// So many ranks in one process.
    Sim(u32),
    Threads(u32),
}

impl Transport {
    fn parse(text: &str) -> Result<Self> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let ranks = || {
            rest.and_then(|rest| rest.parse().ok())
                .filter(|&ranks: &u32| ranks > 0)
        };
        match (name, rest, ranks()) {
            ("", None, _) => Ok(Self::ByPlace),
            ("shm", None, _) => Ok(Self::Shm),
            ("hybrid", provider, _) => Ok(Self::Hybrid(provider.map(str::to_owned))),
            ("ofi", provider, _) => Ok(Self::Ofi(provider.map(str::to_owned))),
            ("sim", _, Some(ranks)) => Ok(Self::Sim(ranks)),
            ("threads", _, Some(ranks)) => Ok(Self::Threads(ranks)),
            _ => Err(Error::Unsupported {
                what: "the transport that FARSIDE_TRANSPORT names",
                reason: format!(
                    "`{text}` is none of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER, sim:RANKS, threads:RANKS"
                ),
            }),
        }
    }

    /// An endpoint, of the ranks that a launcher has brought together.
    fn open(&self, bootstrap: Arc<dyn Bootstrap>) -> Result<Arc<dyn Fabric>> {
        match self {
            #[cfg(feature = "hybrid")]
            Self::ByPlace => Ok(farside_fabric_hybrid::by_place(bootstrap, &mut say)?),
            #[cfg(all(feature = "shm", not(feature = "hybrid")))]
            Self::ByPlace => Ok(Arc::new(farside_fabric_shm::ShmFabric::start(bootstrap)?)),
            #[cfg(feature = "hybrid")]
            Self::Hybrid(provider) => Ok(farside_fabric_hybrid::start(
                bootstrap,
                provider.as_deref(),
                &mut say,
            )?),
            #[cfg(feature = "shm")]
            Self::Shm => Ok(Arc::new(farside_fabric_shm::ShmFabric::start(bootstrap)?)),
            #[cfg(feature = "ofi")]
            Self::Ofi(provider) => Ok(Arc::new(farside_fabric_ofi::Ofi::open(
                bootstrap,
                provider.as_deref(),
            )?)),
            #[allow(unreachable_patterns, reason = "depends on the features")]
            other => {
                drop(bootstrap);
                Err(Error::Unsupported {
                    what: "this transport",
                    reason: format!("{other:?} is not among the features that farside was built with"),
                })
            }
        }
    }

    fn from_environment() -> Result<Self> {
        match std::env::var_os(TRANSPORT) {
            None => Ok(Self::ByPlace),
            Some(text) => Self::parse(&text.to_string_lossy()),
        }
    }
}

impl World {
    /// The world of the job that this process was started for, by `farside run`, mpirun or srun; of one rank if by none
    /// of them (`MPI_Init`, MPI-4.1 §11.2.1). Collective.
    ///
    /// Once in a process, for a program that any launcher starts: `farside run` refuses another world while one lives,
    /// and mpirun complains of one that is begun after another ended. Worlds of one rank may be as many as one likes.
    ///
    /// `FARSIDE_TRANSPORT` chooses the transport: `shm` (ranks on one machine), `ofi` or `ofi:PROVIDER` (libfabric),
    /// `hybrid` or `hybrid:PROVIDER` (memory within a machine, libfabric between machines). If it is not set, where the
    /// ranks are decides: the first for one machine, the second for a machine each, the third else. See
    /// [`run`] for ranks in one process.
    ///
    /// # Errors
    /// The launcher, or the transport, fails or is not there; the message says what to do.
    ///
    /// ```
    /// let world = farside::World::init()?;
    /// println!("rank {} of {}", world.rank(), world.size());
    /// world.finish()?;
    /// # Ok::<(), farside::Error>(())
    /// ```
    pub fn init() -> Result<Self> {
        let transport = Transport::from_environment()?;
        if let Transport::Sim(_) | Transport::Threads(_) = transport {
            return Err(Error::Unsupported {
                what: "several ranks in a process that calls World::init",
                reason: format!("{TRANSPORT} asks for it, which farside::run can do"),
            });
        }
        Self::join(&transport)
    }

    fn join(transport: &Transport) -> Result<Self> {
        if crate::watch::is_wanted() {
            return Err(Error::Start(
                "FARSIDE_CHECK asks for a check, and nobody reads what this process records: start the program with \
                 `farside run --check`, or with `farside check -- mpirun ...`"
                    .to_owned(),
            ));
        }
        // A wrong one is told by each rank, before any of them waits for another that has ended because of it.
        limit::by_environment(false)?;
        let bootstrap = farside_launch::connect().map_err(|error| Error::Start(error.to_string()))?;
        let transport = transport.clone();
        let open = move |bootstrap| transport.open(bootstrap);
        Self::begin(&Beginning::new(Arc::from(bootstrap), Rc::new(open)))
    }
}

/// Tells the user something of the start: an answer to nothing that the program has asked.
#[cfg(feature = "hybrid")]
fn say(remark: &str) {
    eprintln!("farside: {remark}");
}

/// Runs a program from the beginning of its world to its end, and gives what the ranks of this process returned: what a
/// `main` does. One rank, as [`World::init`] makes it; or all ranks in this process, if `FARSIDE_TRANSPORT` is
/// `sim:RANKS` (a virtual network) or `threads:RANKS`.
///
/// # Errors
/// What the program returns, and as for [`World::init`].
///
/// ```
/// fn main() -> Result<(), farside::Error> {
///     farside::run(|world| world.barrier())?;
///     Ok(())
/// }
/// ```
#[track_caller]
pub fn run<R: Send>(program: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    match Transport::from_environment()? {
        #[cfg(feature = "sim")]
        Transport::Sim(ranks) => crate::simulate(ranks, program),
        #[cfg(feature = "shm")]
        Transport::Threads(ranks) => crate::threads(ranks, program),
        transport => {
            // Ranks that wait for one whose program is over are told where it was run, not a line of this crate.
            let place = Location::caller();
            let world = World::join(&transport)?;
            let value = program(&world)?;
            world.finish_at(place)?;
            Ok(vec![value])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transports_have_names() {
        assert_eq!(Transport::parse("shm").expect("a name"), Transport::Shm);
        assert_eq!(Transport::parse("").expect("nothing"), Transport::ByPlace);
        assert_eq!(
            Transport::parse("hybrid").expect("a name"),
            Transport::Hybrid(None)
        );
        let net = Transport::parse("hybrid:net").expect("a provider");
        assert_eq!(net, Transport::Hybrid(Some("net".to_owned())));
        assert_eq!(Transport::parse("ofi").expect("a name"), Transport::Ofi(None));
        let layered = Transport::parse("ofi:tcp;ofi_rxm").expect("a provider");
        assert_eq!(layered, Transport::Ofi(Some("tcp;ofi_rxm".to_owned())));
        assert_eq!(Transport::parse("sim:64").expect("ranks"), Transport::Sim(64));
        for wrong in [
            "sim",
            "sim:0",
            "sim:many",
            "shm:2",
            "threads",
            "tcp",
            "threads:-1",
        ] {
            let error = Transport::parse(wrong).expect_err(wrong);
            assert!(error.to_string().contains("ofi:PROVIDER"), "{error}");
        }
    }
}
