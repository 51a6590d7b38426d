# All of a project is compiled and linked by `farside cc`, `farside cxx` and `farside fc`, so that `farside check` sees
# its loads and stores:
#
#   cmake -S . -B checked -DCMAKE_TOOLCHAIN_FILE=.../share/farside/toolchain.cmake
#
# Compilers stay those that CMake finds, or is told. `FARSIDE_EXECUTABLE` names the command where it is not on the PATH.
include("${CMAKE_CURRENT_LIST_DIR}/FarsideCommand.cmake")
foreach(language wrapper IN ZIP_LISTS FARSIDE_LANGUAGES FARSIDE_WRAPPERS)
    set(CMAKE_${language}_COMPILER_LAUNCHER "${FARSIDE_EXECUTABLE};${wrapper}" CACHE STRING "By Farside" FORCE)
    set(CMAKE_${language}_LINKER_LAUNCHER "${FARSIDE_EXECUTABLE};${wrapper}" CACHE STRING "By Farside" FORCE)
endforeach()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FARSIDE_EXECUTABLE)
