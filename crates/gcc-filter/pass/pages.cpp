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
/// Rounds below which each looks for itself at less cost (`loops.rs` of `interpose` says yes to fewer).
static constexpr HOST_WIDE_INT FEW_ROUNDS = 32;

PageChecks::PageChecks() {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun)
        collect(block);
}

void PageChecks::collect(basic_block block) {
    Batch batch;
    auto finish = [&] {
        if (batch.first)
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
    batch.last = access.call;
    if (!batch.first)
        batch.first = access.call;
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
        piece.accesses.push_back(access);
        return;
    }
    batch.pieces.push_back({std::move(sum), low, high, access.address(), align, {access}});
}

void PageChecks::ask_before(const QuietLoops &loops) {
    struct Loaded {
        loop_p loop;
        Table table;
    };
    std::vector<Loaded> loaded;
    std::vector<Question> questions;
    for (Batch &batch : batches) {
        basic_block block = gimple_bb(batch.first);
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
        const size_t number = &batch - batches.data();
        if (preheader(block->loop_father) && !bounded(number, outermost, questions))
            batch.reachable = reachable(batch, block->loop_father);
    }
    for (const Question &question : questions)
        ask(question);
}

/// Finds the outermost loop around a batch in all of whose rounds each of its pieces stays within a page's size, and
/// enters what is to be asked before it. Small blocks of matrices and vectors of a few unknowns are like that.
bool PageChecks::bounded(size_t number, loop_p outermost, std::vector<Question> &questions) const {
    const Batch &batch = batches[number];
    std::vector<Extent> extents;
    for (const Piece &piece : batch.pieces)
        extents.push_back({piece.lowest, 0, piece.high - piece.low});
    loop_p before = nullptr;
    for (loop_p loop = gimple_bb(batch.first)->loop_father;; loop = loop_outer(loop)) {
        std::vector<Extent> wider;
        std::vector<tree> starts;
        for (const Extent &extent : extents)
            if (std::optional<Extent> all = over_rounds(extent, !before, loop, PAGE)) {
                wider.push_back(*all);
                starts.push_back(all->start);
            }
        if (wider.size() != extents.size() || !Before::cheap(starts, BUDGET))
            break;
        extents = std::move(wider);
        before = loop;
        if (loop == outermost)
            break;
    }
    if (!before)
        return false;
    for (const Extent &extent : extents) {
        Sum sum = Sum::of(extent.start);
        const int64_t low = sum.constant + extent.low, high = sum.constant + extent.high;
        auto joins = [&](const Question &each) {
            return each.before == before && each.sum.same_terms(sum) &&
                   std::max(each.high, high) - std::min(each.low, low) <= PAGE;
        };
        auto known = std::find_if(questions.begin(), questions.end(), joins);
        if (known == questions.end()) {
            known = questions.insert(questions.end(), {before, std::move(sum), low, high, extent, {number}});
            continue;
        }
        known->low = std::min(known->low, low);
        known->high = std::max(known->high, high);
        if (known->batches.back() != number)
            known->batches.push_back(number);
    }
    return true;
}

static tree only_watchers(tree byte, gimple_seq *statements) {
    return gimple_build(statements, BIT_AND_EXPR, unsigned_char_type_node, byte,
                        build_int_cst(unsigned_char_type_node, WATCHERS));
}

/// Looks at the pages of the first and of the last byte: there are no others.
void PageChecks::ask(const Question &question) {
    const Batch &asker = batches[question.batches.front()];
    Before before(question.before);
    gimple_seq statements = nullptr;
    const Table table = asker.table ? *asker.table : load(&statements);
    tree start = before.value(question.extent.start);
    tree found = NULL_TREE;
    for (const int64_t byte : {question.low, question.high - 1}) {
        const int64_t beyond = byte - int64_t(question.sum.constant);
        tree address = gimple_build(&statements, PLUS_EXPR, word(), start, build_int_cst(word(), beyond));
        found = look(table, address, found, &statements);
    }
    found = only_watchers(found, &statements);
    annotate_all_with_location(statements, gimple_location(asker.first));
    for (const size_t number : question.batches) {
        tree &reachable = batches[number].reachable;
        reachable = reachable ? gimple_build(&statements, BIT_IOR_EXPR, unsigned_char_type_node, reachable, found)
                              : found;
    }
    before.add_all(statements);
    before.insert();
}

/// That holds throughout the loop, in which nothing changes what is watched; another thread cannot, for all accesses
/// count as watched while there is one. Rounds that skip the accesses, and those after the loop was left early, make
/// the bounds wider than need be, which costs the look at the table and nothing else.
tree PageChecks::reachable(const Batch &batch, loop_p loop) {
    if (batch.pieces.size() > BOUNDED)
        return NULL_TREE;
    const HOST_WIDE_INT rounds = max_loop_iterations_int(loop);
    if (rounds >= 0 && rounds < FEW_ROUNDS)
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
        gimple_set_location(question, gimple_location(batch.first));
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

/// `found`, if there is one, or the byte of the page of an address.
tree PageChecks::look(const Table &table, tree address, tree found, gimple_seq *statements) {
    tree page = gimple_build(statements, RSHIFT_EXPR, word(), address, build_int_cst(word(), PAGE_SHIFT));
    tree number = gimple_build(statements, BIT_AND_EXPR, word(), page, table.mask);
    tree place = gimple_build(statements, POINTER_PLUS_EXPR, ptr_type_node, table.bytes,
                              gimple_convert(statements, sizetype, number));
    tree byte = assign(statements, page_byte(),
                       build2(MEM_REF, page_byte(), place, build_int_cst(build_pointer_type(page_byte()), 0)));
    byte = gimple_convert(statements, unsigned_char_type_node, byte);
    return found ? gimple_build(statements, BIT_IOR_EXPR, unsigned_char_type_node, found, byte) : byte;
}

/// For each piece of a batch, a number whose low seven bits are not all 0 if a page of it is watched.
std::vector<tree> PageChecks::watchers(const Batch &batch, gimple_seq *statements) {
    const Table table = batch.table ? *batch.table : load(statements);
    std::vector<tree> found;
    for (const Piece &piece : batch.pieces) {
        tree lowest = gimple_convert(statements, word(), piece.lowest);
        tree byte = look(table, lowest, NULL_TREE, statements);
        if (!piece.one_page()) {
            tree last = build_int_cst(word(), piece.high - piece.low - 1);
            byte = look(table, gimple_build(statements, PLUS_EXPR, word(), lowest, last), byte, statements);
        }
        found.push_back(byte);
    }
    return found;
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
    const location_t location = gimple_location(batch.last);
    gimple_seq statements = nullptr;
    const std::vector<tree> pieces = watchers(batch, &statements);
    tree any = pieces.front();
    for (size_t number = 1; number < pieces.size(); number++)
        any = gimple_build(&statements, BIT_IOR_EXPR, unsigned_char_type_node, any, pieces[number]);
    tree watched = only_watchers(any, &statements);
    annotate_all_with_location(statements, location);
    basic_block calls;
    if (batch.reachable) {
        basic_block rounds = only_if(gsi_for_stmt(batch.last), true, batch.reachable, location);
        gimple_stmt_iterator place = gsi_start_bb(rounds);
        gsi_insert_seq_after(&place, statements, GSI_CONTINUE_LINKING);
        calls = only_if(gsi_last_bb(rounds), false, watched, location);
    } else {
        gimple_stmt_iterator place = gsi_for_stmt(batch.last);
        gsi_insert_seq_before(&place, statements, GSI_SAME_STMT);
        calls = only_if(gsi_for_stmt(batch.last), true, watched, location);
    }
    // What lies elsewhere is not called for: a window is often read beside what is the process' own.
    for (size_t number = 0; number < pieces.size(); number++) {
        basic_block own = calls;
        if (pieces.size() > 1) {
            gimple_seq mine = nullptr;
            tree watchers = only_watchers(pieces[number], &mine);
            annotate_all_with_location(mine, location);
            gimple_stmt_iterator place = gsi_last_bb(calls);
            gsi_insert_seq_after(&place, mine, GSI_CONTINUE_LINKING);
            own = only_if(gsi_last_bb(calls), false, watchers, location);
            calls = single_succ(own);
        }
        gimple_stmt_iterator end = gsi_last_bb(own);
        for (const Access &access : batch.pieces[number].accesses)
            gsi_insert_after(&end, calm_copy(access), GSI_NEW_STMT);
    }
    for (const Piece &piece : batch.pieces)
        for (const Access &access : piece.accesses)
            remove(access.call);
}

void PageChecks::insert() const {
    for (const Batch &batch : batches)
        check(batch);
}

} // namespace farside
