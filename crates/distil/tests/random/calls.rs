//! OpenSHMEM and GASPI.
