//! What is asked of the library, and orders nothing (GASPI 17.1 §5.3, §6.3, §7.4, §12).

use super::state::{NOTIFICATIONS, QUEUE_SIZE, QUEUES};
use super::{Gaspi, code};
use crate::flow::Flow;
use crate::value::{RANK, Scalar, source};

impl Gaspi<'_, '_> {
    /// What a function answers that is not followed; `None` if it is not known.
    pub(super) fn answer(&mut self, name: &str, given: &[Scalar]) -> Option<Flow> {
        let word = |place: usize| given.get(place).map_or(0, |argument| argument.bits);
        let rank = self.caller.rank();
        let number = match name {
            "gaspi_proc_rank" => {
                let bits = u64::from(rank);
                self.caller.put(word(0), 2, Scalar { bits, symbol: RANK });
                return Some(code::SUCCESS);
            }
            "gaspi_proc_num" => {
                self.caller.notes().ask_for_size();
                (word(0), 2, u64::from(self.caller.size()))
            }
            "gaspi_proc_local_num" => (word(0), 2, u64::from(self.caller.size())),
            "gaspi_proc_local_rank" => (word(0), 2, u64::from(rank)),
            "gaspi_segment_ptr" => {
                let Some(segment) = self.state().segment(word(0) as u8) else {
                    return Some(code::NO_SEGMENT);
                };
                (word(1), 8, segment.base())
            }
            "gaspi_segment_size" => {
                let target = self.library.ranks.get(word(1) as u16 as usize);
                let Some(segment) = target.and_then(|state| state.segment(word(0) as u8)) else {
                    return Some(code::NO_SEGMENT);
                };
                (word(2), 8, segment.size())
            }
            "gaspi_segment_num" => (word(0), 4, self.state().segment_numbers().len() as u64),
            "gaspi_segment_list" => {
                let numbers = self.state().segment_numbers();
                for (place, number) in (0..word(0) as u32).zip(numbers) {
                    let at = word(1) + u64::from(place);
                    self.caller.put(at, 1, Scalar::known(number.into()));
                }
                return Some(code::SUCCESS);
            }
            "gaspi_group_num" => (word(0), 4, self.state().group_count() as u64 + 1),
            "gaspi_group_size" => {
                let group = self.members_of(word(0) as u8)?;
                (word(1), 4, group.len() as u64)
            }
            "gaspi_group_ranks" => {
                let group = self.members_of(word(0) as u8)?;
                for (place, member) in (0..).zip(group) {
                    self.caller
                        .put(word(1) + 2 * place, 2, Scalar::known(member.into()));
                }
                return Some(code::SUCCESS);
            }
            // What was posted may be done, with nobody having waited for it.
            "gaspi_queue_size" => {
                let posted = self.state().posted(word(0) as u8);
                let symbol = match posted {
                    0 => 0,
                    _ => self.caller.outside_value(name).symbol,
                };
                self.caller.put(word(1), 4, Scalar { bits: posted, symbol });
                return Some(code::SUCCESS);
            }
            // How much a queue takes is the library's choice.
            "gaspi_queue_size_max" => {
                let most = Scalar {
                    bits: QUEUE_SIZE,
                    symbol: source(name),
                };
                self.caller.put(word(0), 4, most);
                return Some(code::SUCCESS);
            }
            "gaspi_queue_num" => (word(0), 4, u64::from(QUEUES)),
            "gaspi_queue_max" => (word(0), 4, 16),
            "gaspi_segment_max" | "gaspi_group_max" => (word(0), 4, 32),
            "gaspi_notification_num" => (word(0), 4, NOTIFICATIONS.into()),
            "gaspi_rw_list_elem_max" | "gaspi_allreduce_elem_max" => (word(0), 4, 255),
            "gaspi_allreduce_buf_size" => (word(0), 8, 255 * 8),
            "gaspi_transfer_size_max" => (word(0), 8, 1 << 30),
            "gaspi_transfer_size_min" | "gaspi_passive_transfer_size_min" => (word(0), 8, 1),
            "gaspi_passive_transfer_size_max" => (word(0), 8, 65535),
            "gaspi_atomic_max" => (word(0), 8, u64::MAX),
            "gaspi_initialized" => (word(0), 4, u64::from(self.state().has_begun())),
            "gaspi_version" => (word(0), 4, u64::from(17.1_f32.to_bits())),
            "gaspi_state_vec_get" => {
                for other in 0..self.caller.size() {
                    self.caller.put_int(word(0) + 4 * u64::from(other), 0);
                }
                return Some(code::SUCCESS);
            }
            "gaspi_time_get" => {
                let time = self.caller.budget().steps() as f32 * 1e-6;
                (word(0), 4, u64::from(time.to_bits()))
            }
            "gaspi_time_ticks" => (word(0), 8, self.caller.budget().steps()),
            // What the library is configured with is not known.
            "gaspi_config_get" => {
                self.caller.come_from_outside(word(0), 64, 4);
                return Some(code::SUCCESS);
            }
            "gaspi_connect"
            | "gaspi_disconnect"
            | "gaspi_proc_ping"
            | "gaspi_printf"
            | "gaspi_printf_to"
            | "gaspi_print_error"
            | "gaspi_pcontrol"
            | "gaspi_statistic_verbosity_level"
            | "gaspi_statistic_counter_reset"
            | "gaspi_set_socket_affinity"
            | "gaspi_threads_register"
            | "gaspi_config_set" => return Some(code::SUCCESS),
            "gaspi_error_str" => {
                let text = self.caller.allocate(8, "gaspi_error_str");
                self.caller.memory_mut(text).write(text, b"error\0");
                return Some(Flow::Return(Scalar::known(text)));
            }
            _ => return None,
        };
        let (at, size, value) = number;
        self.caller.put(at, size, Scalar::known(value));
        Some(code::SUCCESS)
    }

    /// The ranks of a group, committed or not.
    fn members_of(&self, number: u8) -> Option<Vec<u32>> {
        match self.committed(number) {
            Some((members, _)) => Some(members),
            None => Some(self.state().group(number)?.0.to_vec()),
        }
    }
}
