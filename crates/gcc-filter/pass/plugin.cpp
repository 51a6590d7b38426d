// The pass `farside`: what GCC's thread sanitizer has put in, made cheap.
//
// It runs right after the sanitizer, which stands before the loop optimisers and the vectoriser: loops that are left
// without callbacks can still be vectorised. Without optimisation nothing is moved out of loops, but pages are still
// asked for in place.

#include "loops.h"
#include "memory.h"
#include "openmp.h"
#include "pages.h"

namespace {

const pass_data DESCRIPTION = {
    GIMPLE_PASS, "farside", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa,
};

class Callbacks : public gimple_opt_pass {
  public:
    Callbacks(gcc::context *context, bool optimised)
        : gimple_opt_pass(DESCRIPTION, context), optimised(optimised) {}

    opt_pass *clone() override { return new Callbacks(m_ctxt, optimised); }

    /// Where the sanitizer has just been at work, on machines of 64 bits.
    bool gate(function *function) override {
        return optimised == bool(optimize) && sanitize_flags_p(SANITIZE_THREAD, function->decl) &&
               TYPE_PRECISION(farside::word()) == 64 &&
               TYPE_PRECISION(ptr_type_node) == 64;
    }

    unsigned execute(function *) override {
        farside::announce_copies();
        if (optimised)
            farside::leave_out_private_memory();
        if (optimised && current_loops)
            with_loops();
        else
            farside::PageChecks().insert();
        return 0;
    }

  private:
    static void with_loops() {
        loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
        scev_initialize();
        calculate_dominance_info(CDI_DOMINATORS);
        const farside::QuietLoops loops;
        farside::announce_whole_loops(loops);
        farside::PageChecks pages;
        pages.ask_before(loops);
        scev_finalize();
        loop_optimizer_finalize();
        pages.insert();
    }

    const bool optimised;
};

const pass_data MARKS_DESCRIPTION = {
    GIMPLE_PASS, "farside-openmp-marks", OPTGROUP_OMP, TV_NONE, PROP_gimple_any, 0, 0, 0, 0,
};

/// Marks OpenMP's constructs before GCC lowers them.
class Marks : public gimple_opt_pass {
  public:
    explicit Marks(gcc::context *context) : gimple_opt_pass(MARKS_DESCRIPTION, context) {}

    bool gate(function *function) override { return marks_openmp(function); }

    unsigned execute(function *) override {
        farside::mark_work();
        return 0;
    }

    static bool marks_openmp(function *function) {
        return flag_openmp && sanitize_flags_p(SANITIZE_THREAD, function->decl) && TYPE_PRECISION(ptr_type_node) == 64;
    }
};

const pass_data STRANDS_DESCRIPTION = {
    GIMPLE_PASS, "farside-openmp", OPTGROUP_OMP, TV_NONE, PROP_cfg, 0, 0, 0, TODO_cleanup_cfg,
};

/// Announces what was marked, once it is expanded.
class Strands : public gimple_opt_pass {
  public:
    explicit Strands(gcc::context *context) : gimple_opt_pass(STRANDS_DESCRIPTION, context) {}

    bool gate(function *function) override { return Marks::marks_openmp(function); }

    unsigned execute(function *) override {
        farside::announce_work();
        return 0;
    }
};

} // namespace

/// Called by GCC when it has loaded the plugin: see `src/lib.rs`. Not 0: the compiler gives up.
extern "C" int farside_gcc_filter_register(plugin_name_args *plugin, plugin_gcc_version *version) {
    // Of another version, or of another build, nothing is known.
    if (!plugin_default_version_check(version, &gcc_version))
        return 1;
    farside::keep_declarations(plugin->base_name);
    register_callback(
        plugin->base_name, PLUGIN_ALL_IPA_PASSES_START,
        [](void *, void *) { farside::note_private_variables(); }, nullptr);
    // The sanitizer stands in two places, of which the second is for functions that are not optimised.
    for (const bool optimised : {true, false}) {
        register_pass_info pass = {new Callbacks(g, optimised), optimised ? "tsan" : "tsan0", 0, PASS_POS_INSERT_AFTER};
        register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
    }
    register_pass_info marks = {new Marks(g), "omplower", 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &marks);
    register_pass_info strands = {new Strands(g), "ssa", 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &strands);
    // A loop that the sanitizer had callbacks in is no copy and no filling of memory; it stays a loop when it has none,
    // else the library's function would announce the same once more.
    if (flag_sanitize & SANITIZE_THREAD)
        flag_tree_loop_distribute_patterns = 0;
    return 0;
}
