#ifndef TRACER_H
#define TRACER_H

#include <mpi.h>
#include <stdio.h>

#define MAX_NAME 64

typedef struct {
    int cells_x, cells_y;
    int steps;
    double velocity_x, velocity_y, diffusion, time_step;
    int particles;
    int report_every;
    int transport; /* TRANSPORT_... */
    char output[MAX_NAME];
} Settings;

enum { TRANSPORT_PSCW, TRANSPORT_LOCKS };

/* The concentration of three tracers on a strip of the grid, with one ghost row on each side. */
typedef struct {
    int rows, columns, first_row;
    double *salt, *heat, *dye;
    double *next_salt, *next_heat, *next_dye;
} Fields;

typedef struct {
    double x, y;
    int id;
    char kind;
} Particle;

/* One row of the three tracers as it travels. */
typedef struct {
    MPI_Win window;
    double *slots; /* two sides, three tracers, one row each */
    MPI_Group neighbours;
    int down, up; /* ranks */
    int columns;
    MPI_Comm comm;
    int transport;
} Rows;

typedef struct {
    MPI_Win window;
    MPI_Datatype type;
    void *memory;
    int room;
    MPI_Comm comm;
} Mailbox;

/* settings.c */
void settings_default(Settings *s);
int settings_read(Settings *s, const char *name);
int settings_parse(Settings *s, int argc, char **argv);
void settings_print(const Settings *s, FILE *to);

/* fields.c */
int fields_make(Fields *f, const Settings *s, MPI_Comm comm);
void fields_start(Fields *f, const Settings *s);
void fields_step(Fields *f, const Settings *s);
double fields_total(const Fields *f, const double *values);
void fields_free(Fields *f);

/* rows.c */
void rows_make(Rows *r, const Fields *f, int transport, MPI_Comm comm);
void rows_exchange(Rows *r, Fields *f);
void rows_free(Rows *r);

/* particles.c */
void mailbox_make(Mailbox *m, int room, MPI_Comm comm);
int particles_move(Mailbox *m, Particle *p, int count, const Fields *f, const Settings *s);
void mailbox_free(Mailbox *m);

#endif
