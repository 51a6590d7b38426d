/* Loads the module that is its argument, as an interpreter does, and calls it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *module = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
    int (*report)(void) = module ? (int (*)(void))dlsym(module, "report") : 0;
    if (!report) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    return report();
}
