// What is left of the callbacks is called only if a page is watched, which is asked in place.
#pragma once

#include "addresses.h"
#include "loops.h"

namespace farside {

/// Puts a look at the table of pages around callbacks, several of one block together.
///
/// `__farside_page_table[(address >> 12) & __farside_page_mask] & 0x7f` is 0 exactly if the callback would return at
/// once.
class PageChecks {
  public:
    /// Finds out what is to be asked, and where.
    PageChecks();
    /// Loads the table before quiet loops, and asks there whether any address that a callback in the innermost loop can
    /// have is watched; if none is, its rounds will not look. The control flow stays as it is.
    void ask_before(const QuietLoops &loops);
    /// Puts the looks in place. The control flow changes.
    void insert() const;

  private:
    /// The table and its mask, loaded.
    struct Table {
        tree bytes, mask;
    };

    /// Bytes `[low, high)` beyond what the terms of `sum` come to, of a page's size at most.
    struct Piece {
        Sum sum;
        int64_t low, high;
        tree lowest;    // The address of the byte `low`.
        unsigned align; // Of that byte.
        std::vector<Access> accesses;

        /// Whether it surely lies in one page.
        bool one_page() const { return high - low <= int64_t(align); }
    };

    /// Callbacks of one block whose pages are asked for together.
    struct Batch {
        std::vector<Piece> pieces;
        gcall *first = nullptr, *last = nullptr;
        /// Not 0 if one of the pieces can lie in a watched page in any round of the loop; null where that is not known
        /// before it.
        tree reachable = NULL_TREE;
        std::optional<Table> table;
    };

    /// A look before a loop that answers for several batches in it, and in loops in it.
    struct Question {
        loop_p before;
        Sum sum; // Without its constant, which is in `low` and `high`.
        int64_t low, high;
        Extent extent;
        std::vector<size_t> batches;
    };

    void collect(basic_block block);
    static void add(Batch &batch, const Access &access);
    static tree reachable(const Batch &batch, loop_p loop);
    bool bounded(size_t number, loop_p outermost, std::vector<Question> &questions) const;
    void ask(const Question &question);
    static Table load(gimple_seq *statements);
    static tree look(const Table &table, tree address, tree found, gimple_seq *statements);
    static std::vector<tree> watchers(const Batch &batch, gimple_seq *statements);
    static void check(const Batch &batch);

    std::vector<Batch> batches;
};

} // namespace farside
