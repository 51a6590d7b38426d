// Where a thread's next iterations of an OpenMP loop with a static schedule begin.
#pragma once

namespace llvm {
class Module;
}

namespace farside {

/// Makes strands of the iterations that a thread has of a loop with a static schedule, as clang 19 writes such loops.
/// Call this before anything else has changed the program.
void announce_static_loops(llvm::Module &module);

} // namespace farside
