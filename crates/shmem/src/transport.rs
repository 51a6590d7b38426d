//! Which transport the environment asks for: as `World::init` of the crate `farside` reads it.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Fabric, Result};
use std::sync::Arc;

/// The environment variable that chooses the transport.
const VARIABLE: &str = "FARSIDE_TRANSPORT";

/// An endpoint of the transport that `FARSIDE_TRANSPORT` names (`shm`, `ofi[:PROVIDER]`, `hybrid[:PROVIDER]`); without
/// it, the one that suits where the PEs are. Collective.
///
/// # Errors
/// The name is none, or the transport refuses; the message says what to do.
pub(crate) fn open(bootstrap: Arc<dyn Bootstrap>) -> Result<Arc<dyn Fabric>> {
    let text = std::env::var_os(VARIABLE).unwrap_or_default();
    let text = text.to_string_lossy();
    let (name, provider) = match text.split_once(':') {
        Some((name, provider)) => (name, Some(provider)),
        None => (&*text, None),
    };
    let mut say = |remark: &str| eprintln!("farside: {remark}");
    match (name, provider) {
        ("", None) => farside_fabric_hybrid::by_place(bootstrap, &mut say),
        ("shm", None) => Ok(Arc::new(farside_fabric_shm::ShmFabric::start(bootstrap)?)),
        ("ofi", provider) => Ok(Arc::new(farside_fabric_ofi::Ofi::open(bootstrap, provider)?)),
        ("hybrid", provider) => farside_fabric_hybrid::start(bootstrap, provider, &mut say),
        _ => Err(Error::Bootstrap(format!(
            "{VARIABLE} is `{text}`, which is none of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER"
        ))),
    }
}
