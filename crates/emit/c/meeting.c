/* Ranks that find one another by files: the launcher sets FARSIDE_RANK and FARSIDE_SIZE; each rank writes what the
   others need to know of it, its card, into the folder FARSIDE_MEETING, as a whole or not at all. */
#include <sched.h>

enum { MOST_RANKS = 64 };

static int own_rank, all_ranks;

static int64_t now(void);

static void target_abort(void)
{
    exit(2);
}

static const char *meeting(int *rank, int *ranks)
{
    const char *named[] = {getenv("FARSIDE_RANK"), getenv("FARSIDE_SIZE"), getenv("FARSIDE_MEETING")};
    if (named[0] == NULL || named[1] == NULL || named[2] == NULL || atoi(named[1]) > MOST_RANKS) {
        fprintf(stderr, "set FARSIDE_RANK, FARSIDE_SIZE (at most %d) and FARSIDE_MEETING\n", MOST_RANKS);
        target_abort();
    }
    own_rank = *rank = atoi(named[0]);
    all_ranks = *ranks = atoi(named[1]);
    return named[2];
}

static void show_card(const char *folder, const void *card, size_t size)
{
    char path[4096], new[4096];
    snprintf(new, sizeof new, "%s/new-%d", folder, own_rank);
    snprintf(path, sizeof path, "%s/%d", folder, own_rank);
    FILE *file = fopen(new, "wb");
    if (file == NULL || fwrite(card, size, 1, file) != 1 || fclose(file) != 0 || rename(new, path) != 0) {
        perror(path);
        target_abort();
    }
}

static void see_card(const char *folder, int rank, void *card, size_t size)
{
    char path[4096];
    int64_t end = now() + INT64_C(60000000000);
    FILE *file;
    snprintf(path, sizeof path, "%s/%d", folder, rank);
    while ((file = fopen(path, "rb")) == NULL) {
        if (now() > end) {
            fprintf(stderr, "rank %d does not come: %s\n", rank, path);
            target_abort();
        }
        sched_yield();
    }
    if (fread(card, size, 1, file) != 1) {
        perror(path);
        target_abort();
    }
    fclose(file);
}
