//! What programs ask and say of the library and of its objects: versions, names, infos, attributes, error handlers
//! (MPI-4.1 §9.1, §7.8, §10, §7.7, §9.3). None of it orders anything or touches window memory.
//!
//! Functions given for copying and deleting attributes and for errors are not called: no call fails here.

use super::SUCCESS;
use crate::abi::HANDLES;
use crate::execute::Flow;
use crate::handles::HandleKind;
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;
use std::collections::BTreeMap;

/// The first key of an attribute that we give out; no predefined key of either library is as large.
const FIRST_KEY: i32 = 0x7a00_0000;

/// The attributes of the objects of one process.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    keys: i32,
    values: BTreeMap<(u64, i32), Scalar>,
}

impl Job<'_> {
    /// A call about an object or the library; `None` if the function is another one, or asks for a predefined attribute.
    pub(super) fn object_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Option<Flow> {
        match name {
            "MPI_Get_version" => {
                let (version, subversion) = if self.abi.open_mpi { (3, 1) } else { (4, 0) };
                self.put_int(site, a[0].bits, version);
                self.put_int(site, a[1].bits, subversion);
            }
            "MPI_Get_library_version" => self.tell(site, a[0].bits, a[1].bits, ""),
            "MPI_Get_processor_name" => self.tell(site, a[0].bits, a[1].bits, "node"),
            "MPI_Comm_get_name" | "MPI_Win_get_name" | "MPI_Type_get_name" => {
                self.tell(site, a[1].bits, a[2].bits, "");
            }
            "MPI_Error_string" => self.tell(site, a[1].bits, a[2].bits, "error"),
            "MPI_Error_class" => self.put_int(site, a[1].bits, a[0].signed32()),
            "MPI_Is_thread_main" => self.put_int(site, a[0].bits, i32::from(site.thread == 0)),
            "MPI_Info_create" => self.give_info(site, BTreeMap::new(), a[0].bits),
            "MPI_Info_dup" => self.give_info(site, self.info(site, a[0].bits), a[1].bits),
            "MPI_Win_get_info" | "MPI_Comm_get_info" => self.give_info(site, BTreeMap::new(), a[1].bits),
            "MPI_Info_set" => self.info_set(site, a),
            "MPI_Info_delete" => {
                let key = self.text_at(site, a[1].bits);
                if let Some(info) = self.info_mut(site, a[0].bits) {
                    info.remove(&key);
                }
            }
            "MPI_Info_get" => self.info_get(site, a),
            "MPI_Info_get_nkeys" => {
                let keys = self.info(site, a[0].bits).len();
                self.put_int(site, a[1].bits, keys as i32);
            }
            "MPI_Comm_create_keyval" | "MPI_Win_create_keyval" | "MPI_Type_create_keyval" => {
                let attributes = &mut self.processes[site.rank as usize].handles.attributes;
                attributes.keys += 1;
                let key = FIRST_KEY + attributes.keys;
                self.put_int(site, a[2].bits, key);
            }
            "MPI_Comm_set_attr" | "MPI_Win_set_attr" | "MPI_Type_set_attr" => {
                let attributes = &mut self.processes[site.rank as usize].handles.attributes;
                attributes.values.insert((a[0].bits, a[1].signed32()), a[2]);
            }
            "MPI_Comm_delete_attr" | "MPI_Win_delete_attr" | "MPI_Type_delete_attr" => {
                let attributes = &mut self.processes[site.rank as usize].handles.attributes;
                attributes.values.remove(&(a[0].bits, a[1].signed32()));
            }
            "MPI_Comm_get_attr" | "MPI_Win_get_attr" | "MPI_Type_get_attr" => {
                return self.own_attribute(site, a);
            }
            "MPI_Comm_create_errhandler"
            | "MPI_Win_create_errhandler"
            | "MPI_Comm_get_errhandler"
            | "MPI_Win_get_errhandler" => self.put_handle(site, a[1].bits, HANDLES - 2),
            "MPI_Free_mem"
            | "MPI_Info_free"
            | "MPI_Group_free"
            | "MPI_Op_free"
            | "MPI_Errhandler_free"
            | "MPI_Errhandler_set"
            | "MPI_Comm_set_errhandler"
            | "MPI_Win_set_errhandler"
            | "MPI_Comm_set_name"
            | "MPI_Comm_set_info"
            | "MPI_Comm_free_keyval"
            | "MPI_Win_free_keyval"
            | "MPI_Type_free_keyval"
            | "MPI_Buffer_attach"
            | "MPI_Buffer_detach"
            | "MPI_Pcontrol" => {}
            _ => return None,
        }
        Some(SUCCESS)
    }

    /// An attribute that the program has set, or has no value for; `None` for predefined ones.
    fn own_attribute(&mut self, site: &Site, a: &[Scalar]) -> Option<Flow> {
        let key = a[1].signed32();
        let attributes = &self.processes[site.rank as usize].handles.attributes;
        if key <= FIRST_KEY {
            return None;
        }
        let value = attributes.values.get(&(a[0].bits, key)).copied();
        if let Some(value) = value {
            self.memory_mut(site.rank, a[2].bits).store(a[2].bits, 8, value);
        }
        self.put_int(site, a[3].bits, i32::from(value.is_some()));
        Some(SUCCESS)
    }

    /// The keys and values of an info object; none of `MPI_INFO_NULL`.
    pub(super) fn info(&self, site: &Site, handle: u64) -> BTreeMap<String, String> {
        let infos = &self.processes[site.rank as usize].handles.infos;
        let index = HandleKind::Info.index(handle);
        index
            .and_then(|index| infos.get(index))
            .cloned()
            .unwrap_or_default()
    }

    fn info_mut(&mut self, site: &Site, handle: u64) -> Option<&mut BTreeMap<String, String>> {
        let infos = &mut self.processes[site.rank as usize].handles.infos;
        infos.get_mut(HandleKind::Info.index(handle)?)
    }

    fn give_info(&mut self, site: &Site, info: BTreeMap<String, String>, result: u64) {
        let infos = &mut self.processes[site.rank as usize].handles.infos;
        infos.push(info);
        let handle = HandleKind::Info.handle(infos.len() - 1);
        self.put_handle(site, result, handle);
    }

    fn info_set(&mut self, site: &Site, a: &[Scalar]) {
        let (key, value) = (self.text_at(site, a[1].bits), self.text_at(site, a[2].bits));
        if let Some(info) = self.info_mut(site, a[0].bits) {
            info.insert(key, value);
        }
    }

    /// `MPI_Info_get(info, key, valuelen, value, flag)`.
    fn info_get(&mut self, site: &Site, a: &[Scalar]) {
        let key = self.text_at(site, a[1].bits);
        let value = self.info(site, a[0].bits).remove(&key);
        if let Some(value) = &value {
            let length = value.len().min(a[2].signed32().max(0) as usize);
            let text = [&value.as_bytes()[..length], b"\0"].concat();
            self.memory_mut(site.rank, a[3].bits).write(a[3].bits, &text);
        }
        self.put_int(site, a[4].bits, i32::from(value.is_some()));
    }

    fn text_at(&self, site: &Site, at: u64) -> String {
        String::from_utf8_lossy(&self.memory(site.rank, at).string(at)).into_owned()
    }

    fn tell(&mut self, site: &Site, at: u64, length_at: u64, text: &str) {
        let bytes = [text.as_bytes(), b"\0"].concat();
        self.memory_mut(site.rank, at).write(at, &bytes);
        self.put_int(site, length_at, text.len() as i32);
    }
}
