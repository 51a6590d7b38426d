#include "callbacks.h"

namespace farside {

/// Accesses that are larger touch more than two pages.
static constexpr unsigned HOST_WIDE_INT LARGEST = 4096;

/// What is declared once a compilation.
enum { READ_RUN, WRITE_RUN, LINE_WATCHED, CALM_ACCESS, CALM_RANGE, CALM_TABLE,
       COPY, MOVE, FILL, TABLE, MASK, BYTE, DECLARATIONS };
static tree declared[DECLARATIONS];

void keep_declarations(const char *plugin) {
    static const ggc_root_tab roots[] = {
        {declared, DECLARATIONS, sizeof declared[0], &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        LAST_GGC_ROOT_TAB,
    };
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab *>(roots));
}

/// A type of functions with what GCC shall know of their arguments (`attr-fnspec.h`).
static tree specified_type(tree type, const std::string &text) {
    tree specification = build_tree_list(NULL_TREE, build_string(text.size(), text.c_str()));
    tree attributes = tree_cons(get_identifier("fn spec"), specification, TYPE_ATTRIBUTES(type));
    return build_type_attribute_variant(type, attributes);
}

/// The type of a callback: it touches no memory of the program and keeps none of its arguments.
static tree calm_type(tree type, const char *arguments) { return specified_type(type, std::string(".c") + arguments); }

static tree callback(int which, const char *name, tree result, unsigned words) {
    if (!declared[which]) {
        tree type = words == 6
                        ? build_function_type_list(result, word(), word(), word(), word(), word(), word(), NULL_TREE)
                        : build_function_type_list(result, word(), word(), word(), word(), NULL_TREE);
        declared[which] = build_fn_decl(name, calm_type(type, words == 6 ? ". . . . . . " : ". . . . "));
        DECL_ATTRIBUTES(declared[which]) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
    }
    return declared[which];
}

/// A callback that does what a function of the C library does, of which GCC shall know the same.
static tree doing_callback(int which, const char *name, tree second, const char *specification) {
    if (!declared[which]) {
        tree type = build_function_type_list(ptr_type_node, ptr_type_node, second, size_type_node, NULL_TREE);
        declared[which] = build_fn_decl(name, specified_type(type, specification));
        DECL_ATTRIBUTES(declared[which]) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
    }
    return declared[which];
}

tree copy_callback() { return doing_callback(COPY, "__tsan_memcpy", const_ptr_type_node, "1cO313"); }

tree move_callback() { return doing_callback(MOVE, "__tsan_memmove", const_ptr_type_node, "1cO313"); }

tree fill_callback() { return doing_callback(FILL, "__tsan_memset", integer_type_node, "1cO3"); }

static tree variable(int which, const char *name, tree type) {
    if (!declared[which]) {
        // Volatile: the mask must be loaded first, for the library stores the table before the mask that fits it.
        tree variable = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(name),
                                   build_qualified_type(type, TYPE_QUAL_VOLATILE));
        SET_DECL_ASSEMBLER_NAME(variable, get_identifier(name));
        TREE_ADDRESSABLE(variable) = 1;
        DECL_ARTIFICIAL(variable) = 1;
        DECL_IGNORED_P(variable) = 1;
        DECL_EXTERNAL(variable) = 1;
        TREE_STATIC(variable) = 1;
        TREE_PUBLIC(variable) = 1;
        TREE_USED(variable) = 1;
        TREE_THIS_VOLATILE(variable) = 1;
        TREE_SIDE_EFFECTS(variable) = 1;
        declared[which] = variable;
    }
    return declared[which];
}

tree page_byte() {
    if (!declared[BYTE]) {
        declared[BYTE] = build_distinct_type_copy(unsigned_char_type_node);
        TYPE_ALIAS_SET(declared[BYTE]) = new_alias_set();
    }
    return declared[BYTE];
}

tree page_table() { return variable(TABLE, "__farside_page_table", ptr_type_node); }

tree page_mask() { return variable(MASK, "__farside_page_mask", word()); }

std::optional<Access> access_of(gimple *statement) {
    if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL))
        return std::nullopt;
    auto *call = as_a<gcall *>(statement);
    auto is = [&](bool store, unsigned size) { return std::optional(Access{call, store, size, size != 0}); };
    switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
    case BUILT_IN_TSAN_READ1:
        return is(false, 1);
    case BUILT_IN_TSAN_READ2:
        return is(false, 2);
    case BUILT_IN_TSAN_READ4:
        return is(false, 4);
    case BUILT_IN_TSAN_READ8:
        return is(false, 8);
    case BUILT_IN_TSAN_READ16:
        return is(false, 16);
    case BUILT_IN_TSAN_WRITE1:
        return is(true, 1);
    case BUILT_IN_TSAN_WRITE2:
        return is(true, 2);
    case BUILT_IN_TSAN_WRITE4:
        return is(true, 4);
    case BUILT_IN_TSAN_WRITE8:
    case BUILT_IN_TSAN_VPTR_UPDATE:
        return is(true, 8);
    case BUILT_IN_TSAN_WRITE16:
        return is(true, 16);
    case BUILT_IN_TSAN_READ_RANGE:
    case BUILT_IN_TSAN_WRITE_RANGE: {
        tree size = gimple_call_arg(call, 1);
        if (!tree_fits_uhwi_p(size) || integer_zerop(size) || tree_to_uhwi(size) > LARGEST)
            return std::nullopt;
        const bool store = DECL_FUNCTION_CODE(gimple_call_fndecl(call)) == BUILT_IN_TSAN_WRITE_RANGE;
        return Access{call, store, unsigned(tree_to_uhwi(size)), false};
    }
    default:
        return std::nullopt;
    }
}

/// Whether a call is of a function of which GCC knows that it computes numbers, and may at most set `errno`.
static bool mathematics(const gcall *call) {
    const combined_fn function = gimple_call_combined_fn(call);
    return function != CFN_LAST && mathfn_built_in_type(function) != NULL_TREE;
}

bool quiet(gimple *statement) {
    if (gimple_has_volatile_ops(statement) || stmt_could_throw_p(cfun, statement))
        return false;
    switch (gimple_code(statement)) {
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_DEBUG:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_PHI:
    case GIMPLE_PREDICT:
    case GIMPLE_SWITCH:
        return true;
    case GIMPLE_CALL:
        break;
    default:
        return false;
    }
    auto *call = as_a<gcall *>(statement);
    if (access_of(call))
        return true;
    const int flags = gimple_call_flags(call);
    if (!(flags & ECF_NOTHROW) || flags & (ECF_NORETURN | ECF_RETURNS_TWICE | ECF_LOOPING_CONST_OR_PURE))
        return false;
    return flags & (ECF_CONST | ECF_PURE | ECF_NOVOPS) || mathematics(call);
}

gcall *announce_run(bool store, unsigned size, const RunArguments &run) {
    tree callee = store ? callback(WRITE_RUN, "__farside_write_run", void_type_node, 6)
                        : callback(READ_RUN, "__farside_read_run", void_type_node, 6);
    return gimple_build_call(callee, 6, run.base, build_int_cst(word(), size), run.count, run.stride, run.lines,
                             run.pitch);
}

gcall *ask_line(unsigned size, const RunArguments &run) {
    tree callee = callback(LINE_WATCHED, "__farside_line_watched", integer_type_node, 4);
    gcall *call = gimple_build_call(callee, 4, run.base, build_int_cst(word(), size), run.count, run.stride);
    gimple_call_set_lhs(call, make_ssa_name(integer_type_node));
    return call;
}

gcall *calm_copy(const Access &access) {
    const unsigned arguments = gimple_call_num_args(access.call);
    // The second argument is the size of a range, or the new table of an object's virtual functions.
    const bool range = arguments == 2 && INTEGRAL_TYPE_P(TREE_TYPE(gimple_call_arg(access.call, 1)));
    tree &type = declared[arguments == 1 ? CALM_ACCESS : range ? CALM_RANGE : CALM_TABLE];
    if (!type)
        type = calm_type(gimple_call_fntype(access.call), arguments == 1 ? "X " : range ? "X . " : "X X ");
    tree callee = gimple_call_fndecl(access.call);
    gcall *copy = arguments == 1 ? gimple_build_call(callee, 1, access.address())
                                 : gimple_build_call(callee, 2, access.address(), gimple_call_arg(access.call, 1));
    gimple_call_set_fntype(copy, type);
    gimple_set_location(copy, gimple_location(access.call));
    return copy;
}

void remove(gcall *call) {
    gimple_stmt_iterator place = gsi_for_stmt(call);
    unlink_stmt_vdef(call);
    gsi_remove(&place, true);
    release_defs(call);
}

} // namespace farside
