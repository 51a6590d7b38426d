// Where parts of OpenMP's constructs begin and end, which libgomp is not told.
#pragma once

namespace farside {

/// Marks, in a function as it was written, loops with a static schedule, the blocks of `single`, and which questions
/// for the number of the thread are the program's own.
void mark_work();

/// Makes strands of the iterations of marked loops, once they are expanded, and tells GCC's questions from the
/// program's.
void announce_work();

} // namespace farside
