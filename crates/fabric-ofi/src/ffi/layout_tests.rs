//! Compares this module with libfabric's headers, by a C program.

use super::attributes::{DomainAttributes, EndpointAttributes, RxAttributes, TxAttributes};
use super::constants as c;
use super::objects::EpOperations;
use super::*;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

/// What the C program prints for a line, and what we have.
struct Line {
    expression: String,
    ours: u64,
}

macro_rules! layout {
    ($lines:ident, $rust:ty, $c:literal, whole, { $($field:ident: $name:literal),* $(,)? }) => {
        $lines.push(Line { expression: format!("sizeof({})", $c), ours: size_of::<$rust>() as u64 });
        layout!($lines, $rust, $c, prefix, { $($field: $name),* });
    };
    ($lines:ident, $rust:ty, $c:literal, prefix, { $($field:ident: $name:literal),* $(,)? }) => {
        $($lines.push(Line {
            expression: format!("offsetof({}, {})", $c, $name),
            ours: offset_of!($rust, $field) as u64,
        });)*
    };
}

macro_rules! constants {
    ($lines:ident, { $($ours:expr => $name:literal),* $(,)? }) => {
        $($lines.push(Line { expression: $name.into(), ours: $ours as u64 });)*
    };
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    layout!(lines, Info, "struct fi_info", whole, {
        next: "next", caps: "caps", mode: "mode", addr_format: "addr_format", src_addrlen: "src_addrlen",
        dest_addrlen: "dest_addrlen", src_addr: "src_addr", dest_addr: "dest_addr", handle: "handle",
        tx_attr: "tx_attr", rx_attr: "rx_attr", ep_attr: "ep_attr", domain_attr: "domain_attr",
        fabric_attr: "fabric_attr", nic: "nic",
    });
    layout!(lines, TxAttributes, "struct fi_tx_attr", whole, {
        caps: "caps", mode: "mode", op_flags: "op_flags", msg_order: "msg_order", comp_order: "comp_order",
        inject_size: "inject_size", size: "size", iov_limit: "iov_limit", rma_iov_limit: "rma_iov_limit",
        tclass: "tclass",
    });
    layout!(lines, RxAttributes, "struct fi_rx_attr", whole, {
        caps: "caps", mode: "mode", op_flags: "op_flags", msg_order: "msg_order", comp_order: "comp_order",
        total_buffered_recv: "total_buffered_recv", size: "size", iov_limit: "iov_limit",
    });
    layout!(lines, EndpointAttributes, "struct fi_ep_attr", whole, {
        kind: "type", protocol: "protocol", protocol_version: "protocol_version", max_msg_size: "max_msg_size",
        msg_prefix_size: "msg_prefix_size", max_order_raw_size: "max_order_raw_size",
        max_order_war_size: "max_order_war_size", max_order_waw_size: "max_order_waw_size",
        mem_tag_format: "mem_tag_format", tx_ctx_cnt: "tx_ctx_cnt", rx_ctx_cnt: "rx_ctx_cnt",
        auth_key_size: "auth_key_size", auth_key: "auth_key",
    });
    layout!(lines, DomainAttributes, "struct fi_domain_attr", prefix, {
        domain: "domain", name: "name", threading: "threading", control_progress: "control_progress",
        data_progress: "data_progress", resource_mgmt: "resource_mgmt", av_type: "av_type", mr_mode: "mr_mode",
        mr_key_size: "mr_key_size", cq_data_size: "cq_data_size", cq_cnt: "cq_cnt", ep_cnt: "ep_cnt",
        tx_ctx_cnt: "tx_ctx_cnt", rx_ctx_cnt: "rx_ctx_cnt", max_ep_tx_ctx: "max_ep_tx_ctx",
        max_ep_rx_ctx: "max_ep_rx_ctx", max_ep_stx_ctx: "max_ep_stx_ctx", max_ep_srx_ctx: "max_ep_srx_ctx",
        cntr_cnt: "cntr_cnt", mr_iov_limit: "mr_iov_limit", caps: "caps", mode: "mode", auth_key: "auth_key",
        auth_key_size: "auth_key_size", max_err_data: "max_err_data", mr_cnt: "mr_cnt", tclass: "tclass",
    });
    layout!(lines, FabricAttributes, "struct fi_fabric_attr", whole, {
        fabric: "fabric", name: "name", prov_name: "prov_name", prov_version: "prov_version",
        api_version: "api_version",
    });
    objects(&mut lines);
    numbers(&mut lines);
    lines
}

fn objects(lines: &mut Vec<Line>) {
    layout!(lines, Fid, "struct fid", whole, { class: "fclass", context: "context", ops: "ops" });
    layout!(lines, FidOperations, "struct fi_ops", prefix, {
        size: "size", close: "close", bind: "bind", control: "control",
    });
    layout!(lines, Fabric, "struct fid_fabric", whole, { fid: "fid", ops: "ops", api_version: "api_version" });
    layout!(lines, FabricOperations, "struct fi_ops_fabric", prefix, {
        size: "size", domain: "domain", passive_ep: "passive_ep", eq_open: "eq_open", wait_open: "wait_open",
        trywait: "trywait",
    });
    layout!(lines, Domain, "struct fid_domain", whole, { fid: "fid", ops: "ops", mr: "mr" });
    layout!(lines, DomainOperations, "struct fi_ops_domain", prefix, {
        size: "size", av_open: "av_open", cq_open: "cq_open", endpoint: "endpoint",
    });
    layout!(lines, MrOperations, "struct fi_ops_mr", prefix, { size: "size", reg: "reg" });
    layout!(lines, Mr, "struct fid_mr", whole, { fid: "fid", mem_desc: "mem_desc", key: "key" });
    layout!(lines, AvAttributes, "struct fi_av_attr", whole, {
        kind: "type", rx_ctx_bits: "rx_ctx_bits", count: "count", ep_per_node: "ep_per_node", name: "name",
        map_addr: "map_addr", flags: "flags",
    });
    layout!(lines, Av, "struct fid_av", whole, { fid: "fid", ops: "ops" });
    layout!(lines, AvOperations, "struct fi_ops_av", prefix, { size: "size", insert: "insert" });
    layout!(lines, CqAttributes, "struct fi_cq_attr", whole, {
        size: "size", flags: "flags", format: "format", wait_obj: "wait_obj", signaling_vector: "signaling_vector",
        wait_cond: "wait_cond", wait_set: "wait_set",
    });
    layout!(lines, Cq, "struct fid_cq", whole, { fid: "fid", ops: "ops" });
    layout!(lines, CqOperations, "struct fi_ops_cq", prefix, {
        size: "size", read: "read", readfrom: "readfrom", readerr: "readerr", sread: "sread",
        sreadfrom: "sreadfrom", signal: "signal", strerror: "strerror",
    });
    layout!(lines, CqEntry, "struct fi_cq_data_entry", whole, {
        op_context: "op_context", flags: "flags", len: "len", buf: "buf", data: "data",
    });
    layout!(lines, CqError, "struct fi_cq_err_entry", prefix, {
        op_context: "op_context", flags: "flags", len: "len", buf: "buf", data: "data", tag: "tag", olen: "olen",
        err: "err", prov_errno: "prov_errno", err_data: "err_data", err_data_size: "err_data_size",
    });
    layout!(lines, Ep, "struct fid_ep", prefix, { fid: "fid", ops: "ops", cm: "cm", msg: "msg", rma: "rma" });
    layout!(lines, EpOperations, "struct fi_ops_ep", prefix, { size: "size" });
    layout!(lines, CmOperations, "struct fi_ops_cm", prefix, {
        size: "size", setname: "setname", getname: "getname",
    });
    layout!(lines, IoVector, "struct iovec", whole, { base: "iov_base", len: "iov_len" });
    layout!(lines, Message, "struct fi_msg", whole, {
        msg_iov: "msg_iov", desc: "desc", iov_count: "iov_count", addr: "addr", context: "context", data: "data",
    });
    layout!(lines, RmaVector, "struct fi_rma_iov", whole, { addr: "addr", len: "len", key: "key" });
    layout!(lines, RmaMessage, "struct fi_msg_rma", whole, {
        msg_iov: "msg_iov", desc: "desc", iov_count: "iov_count", addr: "addr", rma_iov: "rma_iov",
        rma_iov_count: "rma_iov_count", context: "context", data: "data",
    });
    layout!(lines, MessageOperations, "struct fi_ops_msg", prefix, {
        size: "size", recv: "recv", recvv: "recvv", recvmsg: "recvmsg", send: "send", sendv: "sendv",
        sendmsg: "sendmsg",
    });
    layout!(lines, RmaOperations, "struct fi_ops_rma", prefix, {
        size: "size", read: "read", readv: "readv", readmsg: "readmsg", write: "write", writev: "writev",
        writemsg: "writemsg", inject: "inject", writedata: "writedata",
    });
}

fn numbers(lines: &mut Vec<Line>) {
    constants!(lines, {
        c::VERSION => "FI_VERSION(1, 17)",
        c::MSG => "FI_MSG", c::RMA => "FI_RMA", c::READ => "FI_READ", c::WRITE => "FI_WRITE", c::RECV => "FI_RECV",
        c::SEND => "FI_SEND", c::REMOTE_READ => "FI_REMOTE_READ", c::REMOTE_WRITE => "FI_REMOTE_WRITE",
        c::REMOTE_CQ_DATA => "FI_REMOTE_CQ_DATA", c::COMPLETION => "FI_COMPLETION",
        c::DELIVERY_COMPLETE => "FI_DELIVERY_COMPLETE", c::CONTEXT => "FI_CONTEXT", c::CONTEXT2 => "FI_CONTEXT2",
        c::RX_CQ_DATA => "FI_RX_CQ_DATA", c::MR_VIRT_ADDR => "FI_MR_VIRT_ADDR",
        c::MR_ALLOCATED => "FI_MR_ALLOCATED", c::MR_PROV_KEY => "FI_MR_PROV_KEY",
        c::MR_ENDPOINT => "FI_MR_ENDPOINT", c::ORDER_RAW => "FI_ORDER_RAW", c::ORDER_WAW => "FI_ORDER_WAW",
        c::ORDER_SAW => "FI_ORDER_SAW", c::ORDER_SAS => "FI_ORDER_SAS", c::AV_UNSPEC => "FI_AV_UNSPEC",
        c::AV_TABLE => "FI_AV_TABLE", c::EP_RDM => "FI_EP_RDM", c::THREAD_DOMAIN => "FI_THREAD_DOMAIN",
        c::RM_ENABLED => "FI_RM_ENABLED", c::WAIT_NONE => "FI_WAIT_NONE", c::WAIT_FD => "FI_WAIT_FD",
        c::CQ_FORMAT_DATA => "FI_CQ_FORMAT_DATA", c::GETWAIT => "FI_GETWAIT", c::ENABLE => "FI_ENABLE",
        c::ADDRESS_UNSPEC => "FI_ADDR_UNSPEC", c::EAGAIN => "FI_EAGAIN", c::ENODATA => "FI_ENODATA",
    });
}

#[test]
fn structures_and_numbers_are_those_of_the_headers() {
    if !Path::new("/usr/include/rdma/fi_domain.h").exists() {
        eprintln!("skipped: the headers of libfabric are not installed (Debian: libfabric-dev)");
        return;
    }
    let lines = lines();
    let mut program = String::from(
        "#include <stdio.h>\n#include <stddef.h>\n#include <sys/uio.h>\n#include <rdma/fabric.h>\n\
         #include <rdma/fi_domain.h>\n#include <rdma/fi_endpoint.h>\n#include <rdma/fi_cm.h>\n\
         #include <rdma/fi_rma.h>\n#include <rdma/fi_eq.h>\nint main(void) {\n",
    );
    for line in &lines {
        writeln!(
            program,
            "  printf(\"%llu\\n\", (unsigned long long)({}));",
            line.expression
        )
        .unwrap();
    }
    program.push_str("  return 0;\n}\n");
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("layout.c"), folder.path().join("layout"));
    std::fs::write(&source, program).unwrap();
    let compiled = Command::new("gcc")
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let printed = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
    let theirs: Vec<u64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(theirs.len(), lines.len());
    for (line, theirs) in lines.iter().zip(theirs) {
        assert_eq!(line.ours, theirs, "{}", line.expression);
    }
}
