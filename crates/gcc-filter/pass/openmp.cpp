#include "openmp.h"

#include "gcc.h"

#include <gimple-walk.h>
#include <omp-general.h>

#include <algorithm>

namespace farside {

static tree word_type() { return long_integer_type_node; }

/// A function of Farside's libraries that this pass calls.
static tree function(const char *name, tree result, unsigned words) {
    tree arguments = void_list_node;
    for (unsigned word = 0; word < words; word++)
        arguments = tree_cons(NULL_TREE, word_type(), arguments);
    tree declaration = build_fn_decl(name, build_function_type(result, arguments));
    TREE_NOTHROW(declaration) = 1;
    return declaration;
}

static gcall *call(const char *name, const std::vector<tree> &words, location_t place) {
    gcall *built = gimple_build_call(function(name, void_type_node, words.size()), words.size());
    for (unsigned word = 0; word < words.size(); word++)
        gimple_call_set_arg(built, word, words[word]);
    gimple_set_location(built, place);
    return built;
}

/// What stands at the beginning of each iteration of a marked loop until it is expanded. Its argument is whether the
/// program says how large chunks are.
static const char *const ITERATION = "__farside_static_iteration";

static bool calls(gimple *statement, const char *name) {
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    return callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), name);
}

/// Whether the statement is GCC's own question for the number of the thread.
static bool asks_for_thread(gimple *statement) {
    return gimple_call_builtin_p(statement, BUILT_IN_NORMAL) &&
           DECL_FUNCTION_CODE(gimple_call_fndecl(statement)) == BUILT_IN_OMP_GET_THREAD_NUM;
}

/// Whether GCC gives the loop's iterations to threads in place, by a static schedule.
static bool is_static(gomp_for *loop) {
    if (gimple_omp_for_kind(loop) != GF_OMP_FOR_KIND_FOR || gimple_omp_for_combined_p(loop) ||
        gimple_omp_for_combined_into_p(loop))
        return false;
    for (tree clause = gimple_omp_for_clauses(loop); clause; clause = OMP_CLAUSE_CHAIN(clause))
        switch (OMP_CLAUSE_CODE(clause)) {
        case OMP_CLAUSE_ORDERED:
        case OMP_CLAUSE__CONDTEMP_:
        case OMP_CLAUSE__SCANTEMP_:
            return false;
        case OMP_CLAUSE_REDUCTION:
            if (OMP_CLAUSE_REDUCTION_INSCAN(clause) || OMP_CLAUSE_REDUCTION_TASK(clause))
                return false;
            break;
        case OMP_CLAUSE_SCHEDULE:
            if ((OMP_CLAUSE_SCHEDULE_KIND(clause) & OMP_CLAUSE_SCHEDULE_MASK) != OMP_CLAUSE_SCHEDULE_STATIC)
                return false;
            break;
        default:
            break;
        }
    return true;
}

/// A value as a word, in a statement after others.
static tree as_word(tree value, gimple_seq *statements) {
    tree variable = create_tmp_var(word_type());
    gimplify_assign(variable, fold_convert(word_type(), unshare_expr(value)), statements);
    return variable;
}

/// The step of a dimension of a loop, as a word.
static tree step_of(gomp_for *loop, unsigned dimension, gimple_seq *statements) {
    tree increment = gimple_omp_for_incr(loop, dimension);
    tree step = TREE_OPERAND(increment, 1);
    switch (TREE_CODE(increment)) {
    case MINUS_EXPR:
        step = fold_build1(NEGATE_EXPR, TREE_TYPE(step), unshare_expr(step));
        break;
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
        break;
    default:
        return NULL_TREE;
    }
    return as_word(fold_convert(word_type(), fold_convert(signed_type_for(TREE_TYPE(step)), unshare_expr(step))),
                   statements);
}

/// The product of the iterations of a loop's dimensions, or 0 if it is not known.
static tree iterations(gomp_for *loop, gimple_seq *statements) {
    tree product = build_one_cst(word_type());
    for (unsigned dimension = 0; dimension < gimple_omp_for_collapse(loop); dimension++) {
        tree first = gimple_omp_for_initial(loop, dimension), last = gimple_omp_for_final(loop, dimension);
        tree step = gimple_omp_for_incr(loop, dimension) ? step_of(loop, dimension, statements) : NULL_TREE;
        // Not rectangular: the bounds depend on another dimension.
        if (!step || TREE_CODE(first) == TREE_VEC || TREE_CODE(last) == TREE_VEC)
            return build_zero_cst(word_type());
        first = as_word(first, statements);
        last = as_word(last, statements);
        const tree_code condition = gimple_omp_for_cond(loop, dimension);
        // From one before the first to the last, in steps that may not come out even.
        tree beyond = condition == LE_EXPR || condition == GE_EXPR ? step : build_zero_cst(word_type());
        tree length = create_tmp_var(word_type()), count = create_tmp_var(word_type());
        gimplify_assign(length, fold_build2(MINUS_EXPR, word_type(), last, first), statements);
        gimplify_assign(length, fold_build2(PLUS_EXPR, word_type(), length, beyond), statements);
        if (condition == LT_EXPR || condition == GT_EXPR) {
            tree sign = build_int_cst(word_type(), condition == LT_EXPR ? -1 : 1);
            gimplify_assign(length, fold_build2(PLUS_EXPR, word_type(), length, step), statements);
            gimplify_assign(length, fold_build2(PLUS_EXPR, word_type(), length, sign), statements);
        }
        gimplify_assign(count, build2(TRUNC_DIV_EXPR, word_type(), length, step), statements);
        tree next = create_tmp_var(word_type());
        gimplify_assign(next, fold_build2(MULT_EXPR, word_type(), product, count), statements);
        product = next;
    }
    return product;
}

static void mark_loop(gomp_for *loop, gimple_stmt_iterator *place) {
    const location_t location = gimple_location(loop);
    push_gimplify_context();
    tree schedule = omp_find_clause(gimple_omp_for_clauses(loop), OMP_CLAUSE_SCHEDULE);
    tree size = schedule ? OMP_CLAUSE_SCHEDULE_CHUNK_EXPR(schedule) : NULL_TREE;
    gimple_seq before = nullptr;
    tree chunk = size ? as_word(size, &before) : build_zero_cst(word_type());
    tree count = iterations(loop, &before);
    gimple_seq_add_stmt(&before, call("__farside_static_loop", {chunk, count}, location));
    // What is declared in a block of the region's is private.
    gbind *block = gimple_build_bind(NULL_TREE, before, NULL_TREE);
    pop_gimplify_context(block);
    gimple_seq_add_stmt(gimple_omp_for_pre_body_ptr(loop), block);
    gimple_seq iteration = nullptr;
    gimple_seq_add_stmt(&iteration, call(ITERATION, {build_int_cst(word_type(), size != NULL_TREE)}, location));
    gimple_seq_add_seq(&iteration, gimple_omp_body(loop));
    gimple_omp_set_body(loop, iteration);
    gsi_insert_after(place, call("__farside_work_ends", {}, location), GSI_CONTINUE_LINKING);
}

/// Makes a question for the number of the thread a call of a function of which GCC knows nothing: it stays where it is.
static void make_unknown(gimple *statement) {
    tree known = gimple_call_fndecl(statement);
    // By the name that it has in the program, GCC would know it again where it expands regions.
    tree own = build_fn_decl("farside.omp_get_thread_num", TREE_TYPE(known));
    SET_DECL_ASSEMBLER_NAME(own, DECL_ASSEMBLER_NAME(known));
    TREE_NOTHROW(own) = 1;
    gimple_call_set_fndecl(statement, own);
}

static tree mark(gimple_stmt_iterator *place, bool *, walk_stmt_info *) {
    gimple *statement = gsi_stmt(*place);
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    // What GCC itself calls later is the function that it knows.
    if (callee && TREE_PUBLIC(callee) && id_equal(DECL_ASSEMBLER_NAME(callee), "omp_get_thread_num"))
        make_unknown(statement);
    return NULL_TREE;
}

/// Whether only the primary thread executes the statement's block.
static bool is_primary(gimple *statement) {
    if (gimple_code(statement) == GIMPLE_OMP_MASKED) {
        tree filter = omp_find_clause(gimple_omp_masked_clauses(statement), OMP_CLAUSE_FILTER);
        return !filter || integer_zerop(OMP_CLAUSE_FILTER_EXPR(filter));
    }
    return gimple_code(statement) == GIMPLE_OMP_MASTER;
}

/// What a construct's block does is a part of its own.
static void mark_block(gimple *construct, const char *begins) {
    const location_t location = gimple_location(construct);
    gimple_seq body = nullptr;
    gimple_seq_add_stmt(&body, call(begins, {}, location));
    gimple_seq_add_seq(&body, gimple_omp_body(construct));
    gimple_seq_add_stmt(&body, call("__farside_work_ends", {}, location));
    gimple_omp_set_body(construct, body);
}

/// Marks what a sequence and those in it contain, from within: what is put in is not met again.
static void mark_constructs(gimple_seq *sequence) {
    for (gimple_stmt_iterator place = gsi_start(*sequence); !gsi_end_p(place); gsi_next(&place)) {
        gimple *statement = gsi_stmt(place);
        switch (gimple_code(statement)) {
        case GIMPLE_BIND:
            mark_constructs(gimple_bind_body_ptr(as_a<gbind *>(statement)));
            break;
        case GIMPLE_TRY:
            mark_constructs(gimple_try_eval_ptr(statement));
            mark_constructs(gimple_try_cleanup_ptr(statement));
            break;
        case GIMPLE_CATCH:
            mark_constructs(gimple_catch_handler_ptr(as_a<gcatch *>(statement)));
            break;
        case GIMPLE_EH_FILTER:
            mark_constructs(gimple_eh_filter_failure_ptr(statement));
            break;
        case GIMPLE_OMP_FOR:
        case GIMPLE_OMP_SINGLE:
        case GIMPLE_OMP_CRITICAL:
        case GIMPLE_OMP_MASTER:
        case GIMPLE_OMP_MASKED:
        case GIMPLE_OMP_ORDERED:
        case GIMPLE_OMP_PARALLEL:
        case GIMPLE_OMP_SCOPE:
        case GIMPLE_OMP_SECTION:
        case GIMPLE_OMP_SECTIONS:
        case GIMPLE_OMP_TARGET:
        case GIMPLE_OMP_TASK:
        case GIMPLE_OMP_TASKGROUP:
        case GIMPLE_OMP_TEAMS:
            mark_constructs(gimple_omp_body_ptr(statement));
            if (auto *loop = dyn_cast<gomp_for *>(statement); loop && is_static(loop)) {
                mark_loop(loop, &place);
            } else if (gimple_code(statement) == GIMPLE_OMP_SINGLE) {
                mark_block(statement, "__farside_section");
            } else if (is_primary(statement)) {
                mark_block(statement, "__farside_primary");
            }
            break;
        default:
            break;
        }
    }
}

void mark_work() {
    gimple_seq body = gimple_body(current_function_decl);
    walk_stmt_info info = {};
    walk_gimple_seq(body, mark, nullptr, &info);
    mark_constructs(&body);
    gimple_set_body(current_function_decl, body);
}

/// The end of a loop that GCC has expanded: `variable += step; if (variable < end) goto again;`.
struct Latch {
    gcond *condition;
    edge again, out;
    tree variable, step, end;
};

/// The statement that a variable was last assigned by, before another in its block.
static gassign *assigned(tree variable, gimple_stmt_iterator place) {
    for (gsi_prev(&place); !gsi_end_p(place); gsi_prev(&place)) {
        auto *assign = dyn_cast<gassign *>(gsi_stmt(place));
        if (assign && operand_equal_p(gimple_assign_lhs(assign), variable))
            return assign;
    }
    return nullptr;
}

/// The variable that a statement after this one in its block gives the value to.
static tree given_to(gassign *sum) {
    gimple_stmt_iterator place = gsi_for_stmt(sum);
    for (gsi_next(&place); !gsi_end_p(place); gsi_next(&place)) {
        auto *assign = dyn_cast<gassign *>(gsi_stmt(place));
        if (assign && gimple_assign_single_p(assign) && gimple_assign_rhs1(assign) == gimple_assign_lhs(sum))
            return gimple_assign_lhs(assign);
    }
    return NULL_TREE;
}

/// What a block ends with, if that may be the end of such a loop.
static std::optional<Latch> latch_in(basic_block block) {
    gimple_stmt_iterator place = gsi_last_nondebug_bb(block);
    auto *condition = gsi_end_p(place) ? nullptr : dyn_cast<gcond *>(gsi_stmt(place));
    if (!condition || (gimple_cond_code(condition) != LT_EXPR && gimple_cond_code(condition) != GT_EXPR))
        return std::nullopt;
    tree value = gimple_cond_lhs(condition);
    gassign *sum = assigned(value, place);
    if (sum && gimple_assign_single_p(sum))
        sum = assigned(gimple_assign_rhs1(sum), gsi_for_stmt(sum));
    if (!sum || (gimple_assign_rhs_code(sum) != PLUS_EXPR && gimple_assign_rhs_code(sum) != POINTER_PLUS_EXPR))
        return std::nullopt;
    // Where the address of the variable is taken, the sum is another one.
    tree variable = given_to(sum);
    if (!variable)
        variable = value;
    edge again, out;
    extract_true_false_edges_from_block(block, &again, &out);
    return Latch{condition, again, out, variable, gimple_assign_rhs2(sum), gimple_cond_rhs(condition)};
}

/// The end of the loop of which a block is the first: what leaves it, after everything else that might.
static std::optional<Latch> latch_of(basic_block header) {
    std::vector<basic_block> loop{header}, open;
    auto in_loop = [&](basic_block block) { return std::find(loop.begin(), loop.end(), block) != loop.end(); };
    edge each;
    edge_iterator edges;
    FOR_EACH_EDGE(each, edges, header->preds)
        if (dominated_by_p(CDI_DOMINATORS, each->src, header))
            open.push_back(each->src);
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        if (in_loop(block))
            continue;
        loop.push_back(block);
        FOR_EACH_EDGE(each, edges, block->preds)
            open.push_back(each->src);
    }
    std::optional<Latch> last;
    for (basic_block block : loop) {
        std::optional<Latch> latch = latch_in(block);
        if (!latch || in_loop(latch->out->dest) || !in_loop(latch->again->dest))
            continue;
        if (!last || dominated_by_p(CDI_DOMINATORS, block, last->again->src))
            last = latch;
    }
    return last;
}

/// The call that begins a strand at the loop's variable, and what it returns as the end of its iterations.
static void begin_strand(gimple_stmt_iterator place, const Latch &latch, tree end, location_t location) {
    auto assign = [&](tree type, tree_code code, tree operand) {
        tree result = create_tmp_var(type);
        gsi_insert_after(&place, gimple_build_assign(result, code, operand), GSI_NEW_STMT);
        return result;
    };
    auto value = [&](tree operand) {
        tree type = TREE_TYPE(operand);
        operand = unshare_expr(operand);
        return assign(word_type(), NOP_EXPR, assign(type, TREE_CODE(operand), operand));
    };
    // What goes down by an unsigned sum does so by a negative one.
    tree step = assign(TREE_TYPE(latch.step), TREE_CODE(latch.step), unshare_expr(latch.step));
    step = assign(signed_type_for(TREE_TYPE(step)), NOP_EXPR, step);
    tree at = value(latch.variable), last = value(latch.end);
    gcall *begins = gimple_build_call(function("__farside_static_strand", word_type(), 3), 3, at, last,
                                      assign(word_type(), NOP_EXPR, step));
    tree result = create_tmp_var(word_type());
    gimple_call_set_lhs(begins, result);
    gimple_set_location(begins, location);
    gsi_insert_after(&place, begins, GSI_NEW_STMT);
    gsi_insert_after(&place, gimple_build_assign(end, NOP_EXPR, result), GSI_NEW_STMT);
}

/// A new block, of the same loop as another one until loops are looked for again.
static basic_block new_block(basic_block after, basic_block like) {
    basic_block block = create_empty_bb(after);
    block->count = like->count;
    if (current_loops) {
        add_bb_to_loop(block, like->loop_father);
        loops_state_set(LOOPS_NEED_FIXUP);
    }
    return block;
}

/// A block before a loop, entered by all edges that come from outside of it.
static basic_block before_loop(basic_block header) {
    basic_block before = new_block(header->prev_bb, header);
    std::vector<edge> entries;
    edge each;
    edge_iterator edges;
    FOR_EACH_EDGE(each, edges, header->preds)
        if (!dominated_by_p(CDI_DOMINATORS, each->src, header))
            entries.push_back(each);
    for (edge entry : entries)
        redirect_edge_and_branch_force(entry, before);
    make_single_succ_edge(before, header, EDGE_FALLTHRU);
    return before;
}

static void make_strands(basic_block header, bool chunked, location_t location) {
    calculate_dominance_info(CDI_DOMINATORS);
    std::optional<Latch> latch;
    if (!chunked)
        latch = latch_of(header);
    const bool found = chunked || latch;
    basic_block before = found ? before_loop(header) : nullptr;
    free_dominance_info(CDI_DOMINATORS);
    if (!found)
        return;
    gimple_stmt_iterator place = gsi_last_bb(before);
    if (chunked) {
        gsi_insert_after(&place, call("__farside_static_chunk", {}, location), GSI_NEW_STMT);
        return;
    }
    // for (; variable < end; variable += step) ... becomes
    // do for (until = strand (); variable < until; variable += step) ... while (variable < end);
    tree until = create_tmp_var(TREE_TYPE(latch->end));
    begin_strand(place, *latch, until, location);
    const tree_code code = gimple_cond_code(latch->condition);
    tree value = gimple_cond_lhs(latch->condition);
    gimple_cond_set_rhs(latch->condition, until);
    basic_block through = split_edge(latch->out);
    place = gsi_last_bb(through);
    gsi_insert_after(&place, gimple_build_cond(code, value, latch->end, NULL_TREE, NULL_TREE), GSI_NEW_STMT);
    edge out = single_succ_edge(through);
    out->flags = (out->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    out->probability = profile_probability::unlikely();
    if (latch->again->dest == header) {
        edge again = make_edge(through, before, EDGE_TRUE_VALUE);
        again->probability = profile_probability::likely();
        return;
    }
    // Other variables of a collapsed loop are counted on the way back.
    basic_block on = new_block(through, header);
    edge again = make_edge(through, on, EDGE_TRUE_VALUE);
    again->probability = profile_probability::likely();
    make_single_succ_edge(on, latch->again->dest, EDGE_FALLTHRU);
    place = gsi_last_bb(on);
    begin_strand(place, *latch, until, location);
}

void announce_work() {
    struct Iteration {
        basic_block header;
        bool chunked;
        location_t location;
    };
    std::vector<Iteration> found;
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
        for (gimple_stmt_iterator place = gsi_start_bb(block); !gsi_end_p(place);) {
            gimple *statement = gsi_stmt(place);
            if (calls(statement, ITERATION)) {
                const bool chunked = !integer_zerop(gimple_call_arg(statement, 0));
                found.push_back({block, chunked, gimple_location(statement)});
                gsi_remove(&place, true);
                continue;
            }
            if (asks_for_thread(statement)) {
                gsi_insert_before(&place, call("__farside_compiler_asks", {}, gimple_location(statement)),
                                  GSI_SAME_STMT);
                make_unknown(statement);
            }
            gsi_next(&place);
        }
    }
    for (const Iteration &iteration : found)
        make_strands(iteration.header, iteration.chunked, iteration.location);
}

} // namespace farside
