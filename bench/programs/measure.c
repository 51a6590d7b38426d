/* For programs in Fortran: measure.h by a call. */
#include "measure.h"

int measure_report_from_fortran(const char *program, double seconds, int iterations, double window_bytes, int verified)
{
    return measure_report(program, seconds, iterations, window_bytes, verified);
}
