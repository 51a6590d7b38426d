//! What a transport promises, as a model.

use farside_fabric::Capabilities;

/// The name of the weakest shipped model of coreRMA's family that a transport with these capabilities keeps to.
///
/// - `verbs-paper` where the processor of the origin writes to the target itself: its puts are ordered, and so are its
///   gets, but a put may wait in the store buffer while a later get of something else is done (x86-TSO; seen in about
///   one of 3,000 runs of `rdma-tso-TSO-allowed` over `shm`, ranks being processes);
/// - `verbs-rc` where the network does operations of one origin at one target in order, but that a get may be late: the
///   order of reliable connections;
/// - `coreRMA-no-IR` else: nothing is ordered but by completion.
#[must_use]
pub fn declared_model(capabilities: &Capabilities) -> &'static str {
    let ordered = capabilities.write_after_write && capabilities.read_after_write;
    match (ordered, capabilities.mapped) {
        (true, true) => "verbs-paper",
        (true, false) => "verbs-rc",
        (false, _) => "coreRMA-no-IR",
    }
}
