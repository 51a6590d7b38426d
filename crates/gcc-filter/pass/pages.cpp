#include "pages.h"

#include <algorithm>
#include <utility>

namespace farside {

static constexpr unsigned PAGE_SHIFT = 12;
static constexpr int64_t PAGE = 1 << PAGE_SHIFT;
/// The bits of a page's byte that count its watchers.
static constexpr unsigned WATCHERS = 0x7f;
/// Pieces of memory that are asked for together: their addresses must all be kept until then.
static constexpr size_t TOGETHER = 8;
/// What the bounds of a piece in a loop may cost before it.
static constexpr unsigned BUDGET = 50;
/// Pieces whose bounds are asked for before a loop: each takes a call.
static constexpr size_t BOUNDED = 4;

PageChecks::PageChecks() {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun)
        collect(block);
}

void PageChecks::collect(basic_block block) {
    Batch batch;
    auto finish = [&] {
        if (!batch.accesses.empty())
            batches.push_back(std::exchange(batch, Batch()));
    };
    for (auto place = gsi_start_bb(block); !gsi_end_p(place); gsi_next(&place)) {
        gimple *statement = gsi_stmt(place);
        if (std::optional<Access> access = access_of(statement)) {
            add(batch, *access);
            if (batch.pieces.size() == TOGETHER)
                finish();
        } else if (!quiet(statement)) {
            finish();
        }
    }
    finish();
}

void PageChecks::add(Batch &batch, const Access &access) {
    batch.accesses.push_back(access);
    Sum sum = Sum::of(access.address());
    const int64_t low = sum.constant, high = low + access.size;
    const unsigned align = access.aligned ? std::min(access.size, 8u) : 1;
    for (Piece &piece : batch.pieces) {
        const int64_t lowest = std::min(piece.low, low), highest = std::max(piece.high, high);
        if (!piece.sum.same_terms(sum) || highest - lowest > PAGE)
            continue;
        if (low < piece.low) {
            piece.lowest = access.address();
            piece.align = align;
        } else if (low == piece.low) {
            piece.align = std::max(piece.align, align);
        }
        piece.low = lowest;
        piece.high = highest;
        return;
    }
    batch.pieces.push_back({std::move(sum), low, high, access.address(), align});
}

void PageChecks::ask_before(const QuietLoops &loops) {
    struct Loaded {
        loop_p loop;
        Table table;
    };
    std::vector<Loaded> loaded;
    for (Batch &batch : batches) {
        basic_block block = gimple_bb(batch.accesses.front().call);
        loop_p outermost = loops.outermost(block);
        if (!outermost)
            continue;
        if (preheader(outermost)) {
            auto known = std::find_if(loaded.begin(), loaded.end(),
                                      [&](const Loaded &each) { return each.loop == outermost; });
            if (known == loaded.end()) {
                gimple_seq statements = nullptr;
                Table table = load(&statements);
                gsi_insert_seq_on_edge_immediate(loop_preheader_edge(outermost), statements);
                known = loaded.insert(loaded.end(), {outermost, table});
            }
            batch.table = known->table;
        }
        if (preheader(block->loop_father))
            batch.reachable = reachable(batch, block->loop_father);
    }
}

/// That holds throughout the loop, in which nothing changes what is watched; another thread cannot, for all accesses
/// count as watched while there is one. Rounds that skip the accesses, and those after the loop was left early, make
/// the bounds wider than need be, which costs the look at the table and nothing else.
tree PageChecks::reachable(const Batch &batch, loop_p loop) {
    if (batch.pieces.size() > BOUNDED)
        return NULL_TREE;
    tree most = most_rounds(loop);
    if (!most)
        return NULL_TREE;
    std::vector<Line> lines;
    std::vector<tree> all{most};
    for (const Piece &piece : batch.pieces) {
        std::optional<Line> line = line_of(piece.lowest, loop);
        if (!line)
            return NULL_TREE;
        lines.push_back(*line);
        all.insert(all.end(), {line->start, line->step});
    }
    if (!Before::cheap(all, BUDGET))
        return NULL_TREE;
    Before before(loop);
    tree count = before.value(fold_build2(PLUS_EXPR, word(), most, build_one_cst(word())));
    tree found = NULL_TREE;
    for (size_t number = 0; number < lines.size(); number++) {
        const Piece &piece = batch.pieces[number];
        tree base = before.value(lines[number].start), step = before.value(lines[number].step);
        gcall *question = ask_line(piece.high - piece.low, {base, count, step, NULL_TREE, NULL_TREE});
        gimple_set_location(question, gimple_location(batch.accesses.front().call));
        before.add(question);
        tree each = gimple_call_lhs(question);
        if (found) {
            gassign *either = gimple_build_assign(make_ssa_name(integer_type_node), BIT_IOR_EXPR, found, each);
            before.add(either);
            found = gimple_assign_lhs(either);
        } else {
            found = each;
        }
    }
    before.insert();
    return found;
}

static tree assign(gimple_seq *statements, tree type, tree value) {
    gassign *statement = gimple_build_assign(make_ssa_name(type), value);
    gimple_seq_add_stmt(statements, statement);
    return gimple_assign_lhs(statement);
}

PageChecks::Table PageChecks::load(gimple_seq *statements) {
    // The mask first: see `page_mask`.
    tree mask = assign(statements, word(), page_mask());
    tree bytes = assign(statements, ptr_type_node, page_table());
    return {bytes, mask};
}

/// A number whose low seven bits are not all 0 if a page of the batch is watched.
tree PageChecks::watchers(const Batch &batch, gimple_seq *statements) {
    Table table = batch.table ? *batch.table : load(statements);
    tree found = NULL_TREE;
    auto look = [&](tree address) {
        tree page = gimple_build(statements, RSHIFT_EXPR, word(), address, build_int_cst(word(), PAGE_SHIFT));
        tree number = gimple_build(statements, BIT_AND_EXPR, word(), page, table.mask);
        tree place = gimple_build(statements, POINTER_PLUS_EXPR, ptr_type_node, table.bytes,
                                  gimple_convert(statements, sizetype, number));
        tree byte = assign(statements, page_byte(),
                           build2(MEM_REF, page_byte(), place, build_int_cst(build_pointer_type(page_byte()), 0)));
        byte = gimple_convert(statements, unsigned_char_type_node, byte);
        found = found ? gimple_build(statements, BIT_IOR_EXPR, unsigned_char_type_node, found, byte) : byte;
    };
    for (const Piece &piece : batch.pieces) {
        tree lowest = gimple_convert(statements, word(), piece.lowest);
        look(lowest);
        if (!piece.one_page())
            look(gimple_build(statements, PLUS_EXPR, word(), lowest,
                              build_int_cst(word(), piece.high - piece.low - 1)));
    }
    return gimple_build(statements, BIT_AND_EXPR, unsigned_char_type_node, found,
                        build_int_cst(unsigned_char_type_node, WATCHERS));
}

/// Opens a block before `place` that is gone through only if `value` is not 0, which is unlikely. Gives that block.
static basic_block only_if(gimple_stmt_iterator place, bool before, tree value, location_t location) {
    basic_block then, after;
    place = create_cond_insert_point(&place, before, false, true, &then, &after);
    gcond *condition = gimple_build_cond(NE_EXPR, value, build_zero_cst(TREE_TYPE(value)), NULL_TREE, NULL_TREE);
    gimple_set_location(condition, location);
    gsi_insert_after(&place, condition, GSI_NEW_STMT);
    return then;
}

void PageChecks::check(const Batch &batch) {
    gcall *last = batch.accesses.back().call;
    const location_t location = gimple_location(last);
    gimple_seq statements = nullptr;
    tree watched = watchers(batch, &statements);
    annotate_all_with_location(statements, location);
    basic_block calls;
    if (batch.reachable) {
        basic_block rounds = only_if(gsi_for_stmt(last), true, batch.reachable, location);
        gimple_stmt_iterator place = gsi_start_bb(rounds);
        gsi_insert_seq_after(&place, statements, GSI_CONTINUE_LINKING);
        calls = only_if(gsi_last_bb(rounds), false, watched, location);
    } else {
        gimple_stmt_iterator place = gsi_for_stmt(last);
        gsi_insert_seq_before(&place, statements, GSI_SAME_STMT);
        calls = only_if(gsi_for_stmt(last), true, watched, location);
    }
    gimple_stmt_iterator end = gsi_start_bb(calls);
    for (const Access &access : batch.accesses) {
        gsi_insert_after(&end, calm_copy(access), GSI_NEW_STMT);
        remove(access.call);
    }
}

void PageChecks::insert() const {
    for (const Batch &batch : batches)
        check(batch);
}

} // namespace farside
