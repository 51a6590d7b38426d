// Loops as a whole: what an access in a loop touches in all rounds, as a run.
#pragma once

#include "callbacks.h"

namespace farside {

/// Which loops of the current function are quiet: in them, nothing changes what is watched.
class QuietLoops {
  public:
    QuietLoops();
    /// The outermost quiet loop around a block, or null.
    loop_p outermost(basic_block block) const;

  private:
    std::vector<bool> quiet; // By the number of the loop.
};

/// The block before a loop that leads nowhere else, or null.
basic_block preheader(loop_p loop);

/// What an expression is worth in one loop: `start + i * step` in round i. Both are known before the loop.
struct Line {
    tree start, step;
};

/// The values that an address takes in the innermost loop around it.
std::optional<Line> line_of(tree address, loop_p loop);

/// How often the loop's latch is gone through at most, known before the loop; or null. Nothing to do with constants.
tree most_rounds(loop_p loop);

/// Bytes `[low, high)` beyond an address, which is known before a loop.
struct Extent {
    tree start;
    int64_t low, high;
};

/// What bytes `[low, high)` beyond an address come to in all rounds of the loop, if its rounds are bounded by a number
/// and the address moves by one; at most `widest` bytes. The address is one of the innermost loop, or the start of what
/// they come to in a loop within this one.
std::optional<Extent> over_rounds(const Extent &bytes, bool innermost, loop_p loop, int64_t widest);

/// Computes expressions that are known before a loop, there.
class Before {
  public:
    explicit Before(loop_p loop) : loop(loop) {}
    /// Whether that costs at most about so many cheap instructions, and cannot trap.
    static bool cheap(const std::vector<tree> &expressions, unsigned budget);
    /// The value as a [`word`]. Addresses and sizes as they are, steps with their sign.
    tree value(tree expression);
    void add(gimple *statement) { gimple_seq_add_stmt(&statements, statement); }
    void add_all(gimple_seq more) { gimple_seq_add_seq(&statements, more); }
    /// Puts everything in place.
    void insert();

  private:
    loop_p loop;
    gimple_seq statements = nullptr;
};

/// Replaces callbacks in quiet loops by one announcement of a whole run before the loop, or before the loop around it.
///
/// Only where that is exact: the address is affine, the number of rounds is known before the first, and the access
/// happens in every round, or in none by conditions that stay the same. Two levels of loops at most become one run.
void announce_whole_loops(const QuietLoops &loops);

} // namespace farside
