//! The configuration (GASPI 17.1 §5.2): how much of what there is.

use crate::abi::{
    ALLREDUCE_BYTES, ALLREDUCE_ELEMENTS, Failure, GROUPS, LIST, NOTIFICATIONS, Number, Outcome,
    PASSIVE_BYTES, QUEUES, SEGMENTS, Size, TRANSFER_BYTES,
};
use std::ffi::{c_int, c_void};

/// `gaspi_config_t`; the fields are described in `include/GASPI.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Config {
    pub network: c_int,
    pub build_infrastructure: c_int,
    pub logger: Number,
    pub queue_num: Number,
    pub queue_size_max: Number,
    pub group_max: Number,
    pub segment_max: Number,
    pub notification_num: Number,
    pub passive_queue_size_max: Number,
    pub allreduce_elem_max: Number,
    pub rw_list_elem_max: Number,
    pub transfer_size_max: Size,
    pub passive_transfer_size_max: Size,
    pub allreduce_buf_size: Size,
    pub user_defined: *mut c_void,
}

// SAFETY: the pointer is the program's, and is not followed.
unsafe impl Send for Config {}
// SAFETY: nothing of it changes, and the pointer is not followed.
unsafe impl Sync for Config {}

impl Config {
    /// What there is unless the program asks for something else.
    pub const DEFAULT: Self = Self {
        network: 0,
        build_infrastructure: 1,
        logger: 0,
        queue_num: 8,
        queue_size_max: 1024,
        group_max: GROUPS as Number,
        segment_max: SEGMENTS as Number,
        notification_num: NOTIFICATIONS as Number,
        passive_queue_size_max: 1024,
        allreduce_elem_max: ALLREDUCE_ELEMENTS as Number,
        rw_list_elem_max: LIST as Number,
        transfer_size_max: TRANSFER_BYTES,
        passive_transfer_size_max: PASSIVE_BYTES,
        allreduce_buf_size: ALLREDUCE_BYTES as Size,
        user_defined: std::ptr::null_mut(),
    };

    /// # Errors
    /// CONFIG: a number is 0, or more than there can be.
    pub(crate) fn checked(self) -> Outcome<Self> {
        let numbers = [
            (self.queue_num, QUEUES),
            (self.queue_size_max, 1 << 20),
            (self.group_max, GROUPS),
            (self.segment_max, SEGMENTS),
            (self.notification_num, NOTIFICATIONS),
            (self.passive_queue_size_max, 1 << 20),
            (self.allreduce_elem_max, ALLREDUCE_ELEMENTS),
            (self.rw_list_elem_max, LIST),
        ];
        let sizes = [
            (self.transfer_size_max, TRANSFER_BYTES),
            (self.passive_transfer_size_max, PASSIVE_BYTES),
            (self.allreduce_buf_size, ALLREDUCE_BYTES as Size),
        ];
        let numbers = numbers.map(|(number, most)| (Size::from(number), most as Size));
        let all = numbers.into_iter().chain(sizes);
        match all.into_iter().all(|(number, most)| (1..=most).contains(&number)) {
            true => Ok(self),
            false => Err(Failure::CONFIG),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_can_be_is_refused() {
        assert_eq!(Config::DEFAULT.checked(), Ok(Config::DEFAULT));
        let most = Config {
            queue_num: 16,
            ..Config::DEFAULT
        };
        assert_eq!(most.checked(), Ok(most));
        for wrong in [0, 17] {
            let config = Config {
                queue_num: wrong,
                ..Config::DEFAULT
            };
            assert_eq!(config.checked(), Err(Failure::CONFIG));
        }
    }
}
