"""Spack's recipe for Farside: the command, its libraries, and the C libraries for OpenSHMEM and GASPI."""

import glob
import os

from spack.package import *

try:
    # Since Spack 1.0; before, spack.package has it.
    from spack_repo.builtin.build_systems.generic import Package
except ImportError:
    pass


class Farside(Package):
    """Workbench for one-sided communication (MPI RMA, OpenSHMEM, GASPI): finds races and misuse in a run or in the
    sources, says what memory models allow, and whether a program is robust."""

    # There is no release to fetch yet: `spack dev-build farside@0.1.0` in the sources builds what lies there.
    version("0.1.0")

    license("MIT OR Apache-2.0")

    variant("lint", default=True, description="farside lint, and cheap callbacks with clang 19 and flang 19")
    variant("ofi", default=True, description="the transports over networks, with libfabric")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("rust@1.93:", type="build")
    depends_on("llvm@19", when="+lint", type=("build", "link", "run"))
    # Loaded when a program runs.
    depends_on("libfabric@1.9:", when="+ofi", type="run")

    # What is linked with an MPI is the program that is checked, so none is needed here: `farside check` is preloaded
    # into programs of Open MPI and MPICH.

    #: Packages of the sources, and what each leaves in target/release: (package, file, folder of the installation).
    parts = [
        ("farside-cli", "farside", "bin"),
        ("farside-interpose", "libfarside_interpose.so", "lib/farside"),
        ("farside-callbacks", "libfarside_callbacks.so", "lib/farside"),
        ("farside-gcc-filter", "libfarside_gcc_filter.so", "lib/farside"),
        ("farside-shmem", "libfarside_shmem.so", "lib"),
        ("farside-gaspi", "libfarside_gaspi.so", "lib"),
    ]
    parts_of_lint = [
        ("farside-llvm-front", "farside-llvm-front", "bin"),
        ("farside-llvm-filter", "libfarside_filter.so", "lib/farside"),
    ]

    def wanted(self):
        """The parts that are built."""
        return self.parts + (self.parts_of_lint if self.spec.satisfies("+lint") else [])

    def setup_build_environment(self, env):
        if self.spec.satisfies("+lint"):
            llvm = self.spec["llvm"].prefix
            env.set("LLVM_CONFIG", llvm.bin.join("llvm-config"))
            env.set("LLVM_SYS_191_PREFIX", llvm)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+ofi"):
            env.prepend_path("LD_LIBRARY_PATH", self.spec["libfabric"].prefix.lib)

    def install(self, spec, prefix):
        packages = [argument for package, _, _ in self.wanted() for argument in ("--package", package)]
        which("cargo", required=True)("build", "--release", "--locked", *packages)
        for _, file, folder in self.wanted():
            place = os.path.join(prefix, *folder.split("/"))
            mkdirp(place)
            install(os.path.join("target", "release", file), place)
        headers = os.path.join(prefix, "include", "farside")
        mkdirp(headers)
        for crate in ("shmem", "gaspi"):
            for header in sorted(glob.glob(os.path.join("crates", crate, "include", "*.h"))):
                install(header, headers)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """The command runs, and finds all of its libraries."""
        Executable(os.path.join(self.prefix.bin, "farside"))("--version")
