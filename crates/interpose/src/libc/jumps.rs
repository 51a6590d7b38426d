//! `longjmp` and its siblings: the shadow stack learns that functions are left without their exit.

use super::forward::find_first;
use super::jump::{Arguments, observed};
use crate::stacks::shadow;

observed! {
    longjmp => jumps, find_first;
    _longjmp => jumps, find_first;
    siglongjmp => jumps, find_first;
    __longjmp_chk => jumps, find_first;
}

unsafe extern "C" fn jumps(_arguments: &Arguments, _pc: usize) {
    shadow::jumped();
}
