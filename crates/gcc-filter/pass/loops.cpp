#include "loops.h"

#include <algorithm>

namespace farside {

/// What the computation of a run may cost: it happens once a loop.
static constexpr unsigned BUDGET = 60;

/// Loops that surely have no more rounds together than this are left to checks of pages: one call costs as much.
static constexpr HOST_WIDE_INT FEW_ROUNDS = 32;

QuietLoops::QuietLoops() : quiet(number_of_loops(cfun), true) {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
        bool all = true;
        for (auto place = gsi_start_bb(block); all && !gsi_end_p(place); gsi_next(&place))
            all = farside::quiet(gsi_stmt(place));
        edge leaves;
        edge_iterator each;
        FOR_EACH_EDGE(leaves, each, block->succs)
            all = all && !(leaves->flags & EDGE_COMPLEX);
        if (!all)
            for (loop_p loop = block->loop_father; loop; loop = loop_outer(loop))
                quiet[loop->num] = false;
    }
}

loop_p QuietLoops::outermost(basic_block block) const {
    loop_p found = nullptr;
    for (loop_p loop = block->loop_father; loop && loop_outer(loop) && quiet[loop->num]; loop = loop_outer(loop))
        found = loop;
    return found;
}

basic_block preheader(loop_p loop) {
    if (!loop->latch || loop->header->flags & BB_IRREDUCIBLE_LOOP)
        return nullptr;
    edge entry = loop_preheader_edge(loop);
    return !(entry->flags & EDGE_COMPLEX) && single_succ_p(entry->src) ? entry->src : nullptr;
}

/// Whether a value is known before the loop and stays the same in it.
static bool known_before(tree expression, loop_p loop) {
    return !chrec_contains_undetermined(expression) && !tree_contains_chrecs(expression, nullptr) &&
           expr_invariant_in_loop_p(loop, expression);
}

/// `start` and `step` in one loop of what may still vary in loops around it.
static std::optional<Line> in_loop(tree evolution, loop_p loop) {
    if (chrec_contains_undetermined(evolution))
        return std::nullopt;
    if (TREE_CODE(evolution) != POLYNOMIAL_CHREC || CHREC_VARIABLE(evolution) != unsigned(loop->num))
        return Line{evolution, size_zero_node};
    tree step = CHREC_RIGHT(evolution);
    if (TREE_CODE(step) == POLYNOMIAL_CHREC || TYPE_PRECISION(TREE_TYPE(step)) != TYPE_PRECISION(word()))
        return std::nullopt;
    return Line{CHREC_LEFT(evolution), step};
}

/// What an expression of names that are computed before an inner loop comes to in the rounds of a loop around it.
/// (`instantiate_scev` gives up at casts between signed and unsigned numbers.)
static tree evolution_in(loop_p loop, tree expression) {
    tree type = TREE_TYPE(expression);
    if (TREE_CODE(expression) == SSA_NAME)
        return instantiate_scev(loop_preheader_edge(loop), loop, analyze_scalar_evolution(loop, expression));
    if (expr_invariant_in_loop_p(loop, expression))
        return expression;
    auto operand = [&](int number) { return evolution_in(loop, TREE_OPERAND(expression, number)); };
    switch (TREE_CODE(expression)) {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
        return chrec_fold_plus(type, operand(0), operand(1));
    case MINUS_EXPR:
        return chrec_fold_minus(type, operand(0), operand(1));
    case MULT_EXPR:
        return chrec_fold_multiply(type, operand(0), operand(1));
    CASE_CONVERT: {
        // To a type whose numbers go round, casts at the same precision on the way change nothing.
        tree cast = operand(0);
        while (CONVERT_EXPR_P(cast) && TYPE_UNSIGNED(type) &&
               TYPE_PRECISION(TREE_TYPE(cast)) == TYPE_PRECISION(type) &&
               TYPE_PRECISION(TREE_TYPE(TREE_OPERAND(cast, 0))) == TYPE_PRECISION(type))
            cast = TREE_OPERAND(cast, 0);
        return chrec_convert(type, cast, nullptr);
    }
    default:
        return chrec_dont_know;
    }
}

std::optional<Line> line_of(tree address, loop_p loop) {
    tree evolution = analyze_scalar_evolution(loop, address);
    std::optional<Line> line = in_loop(instantiate_scev(loop_preheader_edge(loop), loop, evolution), loop);
    if (!line || !known_before(line->start, loop) || !known_before(line->step, loop))
        return std::nullopt;
    return line;
}

tree most_rounds(loop_p loop) {
    tree least = NULL_TREE;
    auto_vec<edge> exits = get_loop_exit_edges(loop);
    for (edge exit : exits) {
        tree_niter_desc rounds;
        if (!dominated_by_p(CDI_DOMINATORS, loop->latch, exit->src) ||
            !number_of_iterations_exit(loop, exit, &rounds, false) || !known_before(rounds.niter, loop) ||
            TYPE_PRECISION(TREE_TYPE(rounds.niter)) > TYPE_PRECISION(word()) ||
            !Before::cheap({rounds.niter}, BUDGET))
            continue;
        // Where the loop is left at once, `niter` is some number, which then is no less than the rounds: 0.
        tree wide = fold_convert(word(), rounds.niter);
        least = least ? fold_build2(MIN_EXPR, word(), least, wide) : wide;
    }
    return least;
}

std::optional<Extent> over_rounds(const Extent &bytes, bool innermost, loop_p loop, int64_t widest) {
    const HOST_WIDE_INT most = max_loop_iterations_int(loop);
    if (most < 0 || most > widest || !preheader(loop))
        return std::nullopt;
    std::optional<Line> line =
        innermost ? line_of(bytes.start, loop) : in_loop(evolution_in(loop, bytes.start), loop);
    if (!line || !known_before(line->start, loop) || !tree_fits_shwi_p(line->step))
        return std::nullopt;
    // The type of steps has no sign.
    const int64_t step = int64_t(TREE_INT_CST_LOW(line->step));
    if (step > widest || step < -widest)
        return std::nullopt;
    const int64_t reach = step * most;
    const Extent all{line->start, bytes.low + std::min<int64_t>(reach, 0), bytes.high + std::max<int64_t>(reach, 0)};
    return all.high - all.low <= widest ? std::optional(all) : std::nullopt;
}

static tree count_costs(tree *place, int *walk_operands, void *data) {
    auto *left = static_cast<int *>(data);
    tree node = *place;
    switch (TREE_CODE(node)) {
    case ADDR_EXPR:
        *walk_operands = 0;
        *left -= 1;
        break;
    case CALL_EXPR:
    case POLYNOMIAL_CHREC:
        *left = -1;
        break;
    case TRUNC_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case CEIL_DIV_EXPR:
    case ROUND_DIV_EXPR:
    case EXACT_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case FLOOR_MOD_EXPR: {
        // By zero it would trap, where the loop might not have been reached.
        tree divisor = TREE_OPERAND(node, 1);
        *left = TREE_CODE(divisor) == INTEGER_CST && !integer_zerop(divisor) ? *left - 4 : -1;
        break;
    }
    default:
        *left = REFERENCE_CLASS_P(node) ? -1 : *left - EXPR_P(node);
    }
    return *left < 0 ? node : NULL_TREE;
}

bool Before::cheap(const std::vector<tree> &expressions, unsigned budget) {
    int left = budget;
    for (tree expression : expressions)
        if (walk_tree_without_duplicates(&expression, count_costs, &left) || left < 0)
            return false;
    return true;
}

/// A value in place. Arithmetic that overflows must stay harmless: nobody may use the value.
static tree gimple_value(tree expression, gimple_seq *statements) {
    gimple_seq computed = nullptr;
    tree value = force_gimple_operand(unshare_expr(expression), &computed, true, NULL_TREE);
    for (auto place = gsi_start(computed); !gsi_end_p(place);) {
        gimple *statement = gsi_stmt(place);
        gsi_remove(&place, false);
        tree type = is_gimple_assign(statement) ? TREE_TYPE(gimple_assign_lhs(statement)) : NULL_TREE;
        if (type && ANY_INTEGRAL_TYPE_P(type) && TYPE_OVERFLOW_UNDEFINED(type) &&
            arith_code_with_undefined_signed_overflow(gimple_assign_rhs_code(statement)))
            gimple_seq_add_seq(statements, rewrite_to_defined_overflow(statement));
        else
            gimple_seq_add_stmt(statements, statement);
    }
    return value;
}

tree Before::value(tree expression) {
    tree type = TREE_TYPE(expression);
    if (!POINTER_TYPE_P(type) && TYPE_PRECISION(type) < TYPE_PRECISION(word()))
        expression = fold_convert(TYPE_UNSIGNED(type) ? word() : long_integer_type_node, expression);
    return gimple_value(fold_convert(word(), expression), &statements);
}

void Before::insert() {
    if (statements)
        gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), statements);
    statements = nullptr;
}

namespace {

/// Conditions that do not change in a loop.
struct Guard {
    gcond *condition;
    bool wanted;
};

/// How often a block is gone through: `rounds` times, or never if one of the guards says so. Known before the loop.
struct Rounds {
    tree count;
    std::vector<Guard> guards;
};

struct Run {
    tree base, count, stride, lines, pitch;
    loop_p before;
    std::vector<Guard> guards;
};

/// Whether a block of the loop itself (not of a loop in it) is gone through exactly once in each round: those that are
/// begun, or those that are completed.
bool each_round(basic_block block, loop_p loop, edge exit, bool &completed) {
    if (block->loop_father != loop || !dominated_by_p(CDI_DOMINATORS, loop->latch, block))
        return false;
    completed = !dominated_by_p(CDI_DOMINATORS, exit->src, block);
    // After the exit, or not: no third place.
    return !completed || (block != exit->src && dominated_by_p(CDI_DOMINATORS, block, exit->src));
}

bool same_throughout(tree operand, loop_p loop) {
    return (INTEGRAL_TYPE_P(TREE_TYPE(operand)) || POINTER_TYPE_P(TREE_TYPE(operand))) &&
           expr_invariant_in_loop_p(loop, operand);
}

/// The number of rounds, of which each is one time through the block; `around` is the loop in which all must be known.
std::optional<Rounds> rounds_of(basic_block block, loop_p loop, loop_p around) {
    edge exit = single_exit(loop);
    if (!exit || !preheader(loop))
        return std::nullopt;
    Rounds rounds;
    bool completed = false;
    while (!each_round(block, loop, exit, completed)) {
        if (block->loop_father != loop || !single_pred_p(block))
            return std::nullopt;
        edge entry = single_pred_edge(block);
        auto *condition = safe_dyn_cast<gcond *>(last_stmt(entry->src));
        if (!condition || !same_throughout(gimple_cond_lhs(condition), around) ||
            !same_throughout(gimple_cond_rhs(condition), around))
            return std::nullopt;
        rounds.guards.push_back({condition, bool(entry->flags & EDGE_TRUE_VALUE)});
        block = entry->src;
    }
    tree_niter_desc latch;
    if (!number_of_iterations_exit(loop, exit, &latch, false) ||
        TYPE_PRECISION(TREE_TYPE(latch.niter)) > TYPE_PRECISION(word()))
        return std::nullopt;
    tree count = evolution_in(around, latch.niter);
    if (!known_before(count, around))
        return std::nullopt;
    count = fold_convert(word(), count);
    if (tree none = latch.may_be_zero; none && !integer_zerop(none)) {
        if (!COMPARISON_CLASS_P(none))
            return std::nullopt;
        tree left = evolution_in(around, TREE_OPERAND(none, 0)), right = evolution_in(around, TREE_OPERAND(none, 1));
        if (!known_before(left, around) || !known_before(right, around))
            return std::nullopt;
        count = fold_build3(COND_EXPR, word(), fold_build2(TREE_CODE(none), boolean_type_node, left, right),
                            build_zero_cst(word()), count);
    }
    rounds.count = completed ? count : fold_build2(PLUS_EXPR, word(), count, build_one_cst(word()));
    return rounds;
}

bool few_rounds(loop_p loop, HOST_WIDE_INT few) {
    const HOST_WIDE_INT most = max_loop_iterations_int(loop);
    return most >= 0 && most < few;
}

bool worth(const Run &run) { return Before::cheap({run.base, run.count, run.stride, run.lines, run.pitch}, BUDGET); }

/// A run over two loops, announced before the outer one.
std::optional<Run> rectangle(const Access &access, loop_p inner, loop_p outer) {
    if (!preheader(outer))
        return std::nullopt;
    std::optional<Line> line = line_of(access.address(), inner);
    if (!line || !preheader(inner))
        return std::nullopt;
    tree step = evolution_in(outer, line->step), start = evolution_in(outer, line->start);
    if (!known_before(step, outer))
        return std::nullopt;
    std::optional<Line> lines = in_loop(start, outer);
    if (!lines || !known_before(lines->start, outer) || !known_before(lines->step, outer))
        return std::nullopt;
    std::optional<Rounds> rounds = rounds_of(gimple_bb(access.call), inner, outer);
    if (!rounds)
        return std::nullopt;
    std::optional<Rounds> entered = rounds_of(preheader(inner), outer, outer);
    if (!entered)
        return std::nullopt;
    Run run{lines->start, rounds->count, step, entered->count, lines->step, outer, rounds->guards};
    run.guards.insert(run.guards.end(), entered->guards.begin(), entered->guards.end());
    return worth(run) ? std::optional(run) : std::nullopt;
}

std::optional<Run> run_of(const Access &access, loop_p outermost) {
    loop_p inner = gimple_bb(access.call)->loop_father;
    const bool few = few_rounds(inner, FEW_ROUNDS);
    if (inner != outermost) {
        loop_p outer = loop_outer(inner);
        const bool few_together = few && few_rounds(outer, FEW_ROUNDS / (max_loop_iterations_int(inner) + 1));
        if (!few_together)
            if (std::optional<Run> run = rectangle(access, inner, outer))
                return run;
    }
    if (few)
        return std::nullopt;
    std::optional<Rounds> rounds = rounds_of(gimple_bb(access.call), inner, inner);
    if (!rounds)
        return std::nullopt;
    std::optional<Line> line = line_of(access.address(), inner);
    if (!line)
        return std::nullopt;
    Run run{line->start, rounds->count, line->step, build_one_cst(word()), build_zero_cst(word()), inner,
            rounds->guards};
    return worth(run) ? std::optional(run) : std::nullopt;
}

void announce(const Access &access, const Run &run) {
    Before before(run.before);
    tree lines = run.lines;
    for (const Guard &guard : run.guards) {
        tree holds = fold_build2(gimple_cond_code(guard.condition), boolean_type_node,
                                 gimple_cond_lhs(guard.condition), gimple_cond_rhs(guard.condition));
        tree none = build_zero_cst(word());
        lines = fold_build3(COND_EXPR, word(), holds, guard.wanted ? lines : none, guard.wanted ? none : lines);
    }
    RunArguments arguments{before.value(run.base), before.value(run.count), before.value(run.stride),
                           before.value(lines), before.value(run.pitch)};
    gcall *call = announce_run(access.store, access.size, arguments);
    // The place of the access: the report names the line that the return address of the callback belongs to.
    gimple_set_location(call, gimple_location(access.call));
    before.add(call);
    before.insert();
    remove(access.call);
}

} // namespace

void announce_whole_loops(const QuietLoops &loops) {
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
        loop_p whole = loops.outermost(block);
        if (!whole)
            continue;
        for (auto place = gsi_start_bb(block); !gsi_end_p(place);) {
            std::optional<Access> access = access_of(gsi_stmt(place));
            gsi_next(&place);
            if (access)
                if (std::optional<Run> run = run_of(*access, whole))
                    announce(*access, *run);
        }
    }
}

} // namespace farside
