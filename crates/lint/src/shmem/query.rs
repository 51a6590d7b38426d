//! What is asked of the library, and orders nothing (OpenSHMEM 1.5 §9.1, §9.2, §9.4).

use super::Shmem;
use crate::flow::{Flow, NOTHING};
use crate::value::{RANK, Scalar};

/// An answer that is an `int`; -1 stands for none.
fn int(value: Option<u32>) -> Flow {
    Flow::Return(Scalar::known(u64::from(value.unwrap_or(u32::MAX))))
}

impl Shmem<'_, '_> {
    /// What a function answers that is not in the table; `None` if it is not known.
    pub(super) fn answer(&mut self, name: &str, given: &[Scalar]) -> Option<Flow> {
        let word = |place: usize| given.get(place).map_or(0, |argument| argument.bits);
        let rank = self.caller.rank();
        Some(match name {
            "shmem_my_pe" | "_my_pe" | "my_pe" => Flow::Return(Scalar {
                bits: u64::from(rank),
                symbol: RANK,
            }),
            "shmem_n_pes" | "_num_pes" | "num_pes" => {
                self.caller.notes().ask_for_size();
                int(Some(self.caller.size()))
            }
            "shmem_team_my_pe" => {
                let members = self.members_of(word(0));
                let place = members.and_then(|all| all.iter().position(|member| *member == rank));
                match place {
                    Some(place) if word(0) == 1 => Flow::Return(Scalar {
                        bits: place as u64,
                        symbol: RANK,
                    }),
                    place => int(place.map(|place| place as u32)),
                }
            }
            "shmem_team_n_pes" => {
                self.caller.notes().ask_for_size();
                int(self.members_of(word(0)).map(|members| members.len() as u32))
            }
            "shmem_team_translate_pe" => {
                // Of no team, no process is a member (OpenSHMEM 1.5 §9.4.4).
                let from = self.members_of(word(0)).unwrap_or_default();
                let to = self.members_of(word(2)).unwrap_or_default();
                let member = from.get(word(1) as u32 as usize);
                let place = member.and_then(|member| to.iter().position(|other| other == member));
                int(place.map(|place| place as u32))
            }
            "shmem_query_thread" => {
                self.caller.put_int(word(0), 3);
                NOTHING
            }
            "shmem_pe_accessible" => {
                let there = word(0) as u32 <= self.caller.size().saturating_sub(1);
                int(Some(u32::from(there)))
            }
            "shmem_addr_accessible" => int(Some(u32::from(self.pe().object(word(0)).is_some()))),
            "shmem_info_get_version" => {
                self.caller.put_int(word(0), 1);
                self.caller.put_int(word(1), 5);
                NOTHING
            }
            "shmem_info_get_name" => {
                self.caller.memory_mut(word(0)).write(word(0), b"simulated\0");
                NOTHING
            }
            "shmem_pcontrol"
            | "shmem_set_cache_inv"
            | "shmem_set_cache_line_inv"
            | "shmem_clear_cache_inv"
            | "shmem_clear_cache_line_inv"
            | "shmem_udcflush"
            | "shmem_udcflush_line" => NOTHING,
            _ => return None,
        })
    }
}
