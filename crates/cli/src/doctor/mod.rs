//! `farside doctor`: what is on this machine, and what each missing piece switches off.
use crate::arguments::DoctorArguments;
use crate::status::Status;
pub(crate) fn run(_arguments: &DoctorArguments) -> Status {
    Status::Clean
}
