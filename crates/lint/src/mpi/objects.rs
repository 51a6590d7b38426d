//! What programs ask and say of the library and of its objects: versions, names, infos, attributes, error handlers
//! (MPI-4.1 §9.1, §7.8, §10, §7.7, §9.3). None of it orders anything or touches window memory.
//!
//! Functions given for copying and deleting attributes and for errors are not called: no call fails here.

use super::SUCCESS;
use crate::abi::HANDLES;
use crate::flow::Flow;
use crate::handles::{Attributes, Info};
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use farside_calls::mpi::Procedure as P;

/// Error codes that programs add are greater than the standard's own (§9.5).
const FIRST_OWN_ERROR: i32 = 1 << 12;

impl Mpi<'_, '_> {
    /// A call about an object or the library; `None` if the function is another one, or asks for a predefined attribute.
    pub(super) fn object_call(&mut self, a: &Invocation) -> Option<Flow> {
        match a.procedure() {
            P::Get_version => {
                let (version, subversion) = if self.library.abi.is_open_mpi() {
                    (3, 1)
                } else {
                    (4, 0)
                };
                self.caller.put_int(a[0].bits, version);
                self.caller.put_int(a[1].bits, subversion);
            }
            P::Get_library_version => self.tell(a[0].bits, a[1].bits, ""),
            P::Get_processor_name => self.tell(a[0].bits, a[1].bits, "node"),
            P::Comm_get_name | P::Win_get_name | P::Type_get_name => {
                self.tell(a[1].bits, a[2].bits, "");
            }
            P::Error_string => self.tell(a[1].bits, a[2].bits, "error"),
            P::Error_class => self.caller.put_int(a[1].bits, a[0].signed32()),
            P::Is_thread_main => self
                .caller
                .put_int(a[0].bits, i32::from(self.caller.thread() == 0)),
            P::Info_create => self.give_info(Info::new(), a[0].bits),
            P::Info_dup => {
                let info = self.caller.handles().info(a[0].bits).cloned();
                self.give_info(info.unwrap_or_default(), a[1].bits);
            }
            P::Win_get_info | P::Comm_get_info => self.give_info(Info::new(), a[1].bits),
            P::Info_set => self.info_set(a),
            P::Info_delete => {
                let key = self.text_at(a[1].bits);
                if let Some(info) = self.caller.handles_mut().info_mut(a[0].bits) {
                    info.remove(&key);
                }
            }
            P::Info_get => self.info_get(a),
            P::Info_get_nkeys => {
                let keys = self.caller.handles().info(a[0].bits).map_or(0, Info::len);
                self.caller.put_int(a[1].bits, keys as i32);
            }
            P::Info_get_valuelen => {
                let key = self.text_at(a[1].bits);
                let info = self.caller.handles().info(a[0].bits);
                let length = info.and_then(|info| info.get(&key)).map(String::len);
                if let Some(length) = length {
                    self.caller.put_int(a[2].bits, length as i32);
                }
                self.caller.put_int(a[3].bits, i32::from(length.is_some()));
            }
            P::Info_get_nthkey => {
                let info = self.caller.handles().info(a[0].bits);
                let key = info.and_then(|info| info.keys().nth(a[1].bits as u32 as usize));
                let text = [key.map_or("", String::as_str).as_bytes(), b"\0"].concat();
                self.caller.memory_mut(a[2].bits).write(a[2].bits, &text);
            }
            P::Add_error_class => self.caller.put_int(a[0].bits, FIRST_OWN_ERROR),
            P::Add_error_code => self.caller.put_int(a[1].bits, FIRST_OWN_ERROR + 1),
            P::Test_cancelled => self.caller.put_int(a[1].bits, 0),
            P::Comm_create_keyval | P::Win_create_keyval | P::Type_create_keyval => {
                let key = self.caller.handles_mut().attributes().new_key();
                self.caller.put_int(a[2].bits, key);
            }
            P::Comm_set_attr | P::Win_set_attr | P::Type_set_attr => {
                let attributes = self.caller.handles_mut().attributes();
                attributes.set(a[0].bits, a[1].signed32(), a[2]);
            }
            P::Comm_delete_attr | P::Win_delete_attr | P::Type_delete_attr => {
                let attributes = self.caller.handles_mut().attributes();
                attributes.delete(a[0].bits, a[1].signed32());
            }
            P::Comm_get_attr | P::Win_get_attr | P::Type_get_attr => {
                return self.own_attribute(a);
            }
            P::Comm_create_errhandler
            | P::Win_create_errhandler
            | P::Comm_get_errhandler
            | P::Win_get_errhandler => self.put_handle(a[1].bits, HANDLES - 2),
            // What it makes of data is not followed: see where results arrive.
            P::Op_create => self.put_handle(a[2].bits, HANDLES - 3),
            P::Op_commutative => self.caller.put_int(a[1].bits, 1),
            P::Add_error_string
            | P::Info_free
            | P::Group_free
            | P::Op_free
            | P::Errhandler_free
            | P::Errhandler_set
            | P::Comm_set_errhandler
            | P::Win_set_errhandler
            | P::Comm_set_name
            | P::Comm_set_info
            | P::Comm_free_keyval
            | P::Win_free_keyval
            | P::Type_free_keyval
            | P::Buffer_attach
            | P::Buffer_detach
            | P::Pcontrol => {}
            _ => return None,
        }
        Some(SUCCESS)
    }

    /// An attribute that the program has set, or has no value for; `None` for predefined ones.
    fn own_attribute(&mut self, a: &Invocation) -> Option<Flow> {
        let key = a[1].signed32();
        if Attributes::is_predefined(key) {
            return None;
        }
        let value = self.caller.handles_mut().attributes().get(a[0].bits, key);
        if let Some(value) = value {
            self.caller.put(a[2].bits, 8, value);
        }
        self.caller.put_int(a[3].bits, i32::from(value.is_some()));
        Some(SUCCESS)
    }

    fn give_info(&mut self, info: Info, result: u64) {
        let handle = self.caller.handles_mut().add_info(info);
        self.put_handle(result, handle);
    }

    fn info_set(&mut self, a: &Invocation) {
        let (key, value) = (self.text_at(a[1].bits), self.text_at(a[2].bits));
        if let Some(info) = self.caller.handles_mut().info_mut(a[0].bits) {
            info.insert(key, value);
        }
    }

    /// `MPI_Info_get(info, key, valuelen, value, flag)`.
    fn info_get(&mut self, a: &Invocation) {
        let key = self.text_at(a[1].bits);
        let info = self.caller.handles().info(a[0].bits);
        let value = info.and_then(|info| info.get(&key)).cloned();
        if let Some(value) = &value {
            let length = value.len().min(a[2].signed32().max(0) as usize);
            let text = [&value.as_bytes()[..length], b"\0"].concat();
            self.caller.memory_mut(a[3].bits).write(a[3].bits, &text);
        }
        self.caller.put_int(a[4].bits, i32::from(value.is_some()));
    }

    fn text_at(&self, at: u64) -> String {
        String::from_utf8_lossy(&self.caller.memory(at).string(at)).into_owned()
    }

    fn tell(&mut self, at: u64, length_at: u64, text: &str) {
        let bytes = [text.as_bytes(), b"\0"].concat();
        self.caller.memory_mut(at).write(at, &bytes);
        self.caller.put_int(length_at, text.len() as i32);
    }
}
