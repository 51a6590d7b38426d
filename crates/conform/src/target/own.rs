//! Transports of the crate farside, networks by their own interfaces in C, and the virtual machine that has an RDMA
//! device.

use super::native::{self, Native};
use super::{Means, Target, ourselves, runs};
use farside_emit::Target as Interface;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A transport of the crate farside, under `farside run`.
pub(crate) fn transport(name: &str, ordered: bool) -> Target {
    let launcher = [
        ourselves().into_os_string(),
        "run".into(),
        "--transport".into(),
        name.into(),
        "-n".into(),
    ];
    Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: Vec::new(),
        means: Means::Ranks { ordered },
        patience: Duration::ZERO,
    }
}

/// An interface by its own calls, not by the crate farside: its ranks find one another by files in a folder.
fn direct(interface: Interface, native: &Native) -> Result<Target, String> {
    if !runs(Path::new(native::COMPILER)) {
        return Err(format!("a C compiler is needed: {}", native.packages));
    }
    let options = native.options()?;
    let launcher = [ourselves().into_os_string(), "run".into(), "-n".into()];
    Ok(Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: Vec::new(),
        means: Means::Emitted {
            interface,
            compiler: native::COMPILER.into(),
            options,
            header: None,
        },
        patience: Duration::ZERO,
    })
}

pub(crate) fn libfabric() -> Result<Target, String> {
    let native = Native {
        header: "rdma/fabric.h",
        package: Some("libfabric"),
        libraries: &["fabric"],
        packages: "Debian has it in gcc libfabric-dev",
    };
    direct(Interface::Libfabric, &native)
}

pub(crate) fn ibverbs() -> Result<Target, String> {
    let native = Native {
        header: "infiniband/verbs.h",
        package: Some("libibverbs"),
        libraries: &["ibverbs"],
        packages: "Debian has it in gcc libibverbs-dev",
    };
    let target = direct(Interface::Ibverbs, &native)?;
    match machine()? {
        Some(machine) => Ok(Target {
            means: target.means,
            ..machine
        }),
        None => Ok(target),
    }
}

pub(crate) fn portals4() -> Result<Target, String> {
    let native = Native {
        header: "portals4.h",
        package: None,
        libraries: &["portals"],
        packages: "no package of Debian: build an implementation of Portals 4",
    };
    direct(Interface::Portals4, &native)
}

/// Under Slurm, whose job a program of DMAPP must be.
pub(crate) fn dmapp() -> Result<Target, String> {
    let native = Native {
        header: "dmapp.h",
        package: Some("cray-dmapp"),
        libraries: &["dmapp", "pmi"],
        packages: "no package of Debian: a Cray has it as modules dmapp and pmi",
    };
    let target = direct(Interface::Dmapp, &native)?;
    Ok(Target {
        launcher: vec!["srun".into(), "-n".into()],
        between: Vec::new(),
        ..target
    })
}

/// libfabric over an RDMA device, in the virtual machine if this machine has none.
pub(crate) fn verbs() -> Result<Target, String> {
    const PROVIDER: &str = "ofi:verbs;ofi_rxm";
    let Some(mut machine) = machine()? else {
        return Ok(transport(PROVIDER, false));
    };
    machine.environment.push(("FARSIDE_TRANSPORT", PROVIDER.into()));
    // libfabric makes completion queues for this number of ranks; rxe has none for the usual 256.
    machine.environment.push(("FI_UNIVERSE_SIZE", "8".into()));
    Ok(machine)
}

/// The virtual machine that has an RDMA device; none if this machine has one.
fn machine() -> Result<Option<Target>, String> {
    let devices =
        std::fs::read_dir("/sys/class/infiniband").is_ok_and(|mut devices| devices.next().is_some());
    if devices {
        return Ok(None);
    }
    let script = std::env::var_os("FARSIDE_VM").map_or_else(|| PathBuf::from("scripts/vm"), PathBuf::from);
    if !script.is_file() {
        return Err(format!(
            "no RDMA device here, and no {}: run it in farside's sources, or set FARSIDE_VM to scripts/vm there",
            script.display()
        ));
    }
    let launcher = [
        script.into_os_string(),
        "run".into(),
        "--timeout".into(),
        "3000".into(),
        "--ranks".into(),
    ];
    Ok(Some(Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: vec![("FARSIDE", ourselves().into_os_string())],
        means: Means::Ranks { ordered: false },
        patience: Duration::from_secs(400),
    }))
}
