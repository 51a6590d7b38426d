//! Which transport: `FARSIDE_TRANSPORT`, as for the crate `farside`, less its ranks in one process.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Fabric, Result};
use std::sync::Arc;

/// The environment variable that chooses the transport.
const TRANSPORT: &str = "FARSIDE_TRANSPORT";

/// Opens the transport that the environment names; all ranks of the job call it.
///
/// # Errors
/// It names none, or the transport refuses.
pub(crate) fn open(bootstrap: Arc<dyn Bootstrap>) -> Result<Arc<dyn Fabric>> {
    let text = std::env::var(TRANSPORT).unwrap_or_default();
    let (name, provider) = match text.split_once(':') {
        Some((name, provider)) => (name, Some(provider)),
        None => (&text[..], None),
    };
    let mut say = |remark: &str| eprintln!("farside-gaspi: {remark}");
    Ok(match (name, provider) {
        ("", None) => farside_fabric_hybrid::by_place(bootstrap, &mut say)?,
        ("shm", None) => Arc::new(farside_fabric_shm::ShmFabric::start(bootstrap)?),
        ("hybrid", provider) => farside_fabric_hybrid::start(bootstrap, provider, &mut say)?,
        ("ofi", provider) => Arc::new(farside_fabric_ofi::Ofi::open(bootstrap, provider)?),
        _ => {
            return Err(Error::Unsupported {
                transport: text.clone(),
                what: "ranks here".to_owned(),
                reason: format!("{TRANSPORT} is none of shm, ofi, ofi:PROVIDER, hybrid, hybrid:PROVIDER"),
            });
        }
    })
}
