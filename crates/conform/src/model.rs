//! What a transport promises, as a model.

use farside_fabric::Capabilities;

/// The name of the weakest shipped model of coreRMA's family that a transport with these capabilities keeps to.
///
/// - `verbs-rc` where operations of one origin at one target are done in order, but that a get may be late: the order of
///   reliable connections;
/// - `coreRMA-no-IR` else: nothing is ordered but by completion.
#[must_use]
pub fn declared_model(capabilities: &Capabilities) -> &'static str {
    if capabilities.write_after_write && capabilities.read_after_write {
        "verbs-rc"
    } else {
        "coreRMA-no-IR"
    }
}
