# For some targets of a project, and for its tests:
#
#   find_package(Farside REQUIRED)
#   farside_instrument(halo main)
#   farside_add_test(NAME main COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:main>)
include("${CMAKE_CURRENT_LIST_DIR}/FarsideCommand.cmake")

# The loads and stores of these targets are seen by `farside check`. A program must be among them if a library is.
function(farside_instrument)
    foreach(target IN LISTS ARGN)
        foreach(language wrapper IN ZIP_LISTS FARSIDE_LANGUAGES FARSIDE_WRAPPERS)
            set_target_properties("${target}" PROPERTIES
                ${language}_COMPILER_LAUNCHER "${FARSIDE_EXECUTABLE};${wrapper}"
                ${language}_LINKER_LAUNCHER "${FARSIDE_EXECUTABLE};${wrapper}")
        endforeach()
    endforeach()
endfunction()

# A test of CTest: a command that starts a job, under `farside check`. It fails if there are findings.
function(farside_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 of "" "NAME" "COMMAND;OPTIONS")
    if(NOT of_NAME OR NOT of_COMMAND)
        message(FATAL_ERROR "farside_add_test(NAME name [OPTIONS options of farside check] COMMAND command)")
    endif()
    add_test(NAME "${of_NAME}" COMMAND "${FARSIDE_EXECUTABLE}" check ${of_OPTIONS} -- ${of_COMMAND})
endfunction()
