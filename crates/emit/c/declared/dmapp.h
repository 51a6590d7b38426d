/* The part of Cray's dmapp.h that c/dmapp.c calls, as its manual (S-2446) names it. Not Cray's file: the order of
   members and the values of constants are ours. It serves to compile the emitted code where the package is not;
   programs are built with the real one. */
#ifndef DECLARED_DMAPP_H
#define DECLARED_DMAPP_H
#include <stdint.h>
#include <stddef.h>

typedef enum { DMAPP_RC_SUCCESS, DMAPP_RC_INVALID_PARAM } dmapp_return_t;
typedef enum { DMAPP_BYTE, DMAPP_DW, DMAPP_QW, DMAPP_DQW } dmapp_type_t;
typedef enum { DMAPP_ROUTING_IN_ORDER, DMAPP_ROUTING_DETERMINISTIC, DMAPP_ROUTING_ADAPTIVE } dmapp_routing_type_t;
typedef int dmapp_pe_t;
enum { DMAPP_DEF_OUTSTANDING_NB = 512, DMAPP_OFFLOAD_THRESHOLD = 4096 };

typedef struct {
    void *addr;
    size_t len;
    uint64_t memory_handle[2];
    uint16_t flags;
} dmapp_seg_desc_t;

typedef struct {
    int version;
    int hw_version;
    int npes;
    dmapp_pe_t pe;
    dmapp_seg_desc_t data_seg;
    dmapp_seg_desc_t sheap_seg;
} dmapp_jobinfo_t;

typedef struct {
    uint32_t max_outstanding_nb;
    uint32_t offload_threshold;
    uint8_t put_relaxed_ordering;
    uint8_t get_relaxed_ordering;
    uint8_t max_concurrency;
    uint8_t PI_ordering;
} dmapp_rma_attrs_t;

dmapp_return_t dmapp_init(dmapp_rma_attrs_t *requested, dmapp_rma_attrs_t *actual);
dmapp_return_t dmapp_finalize(void);
dmapp_return_t dmapp_get_jobinfo(dmapp_jobinfo_t *info);
dmapp_return_t dmapp_explain_error(dmapp_return_t error, const char **text);
void *dmapp_sheap_malloc(size_t bytes);
dmapp_return_t dmapp_put(void *target, dmapp_seg_desc_t *segment, dmapp_pe_t pe, void *source, uint64_t elements,
                         dmapp_type_t type);
dmapp_return_t dmapp_put_nbi(void *target, dmapp_seg_desc_t *segment, dmapp_pe_t pe, void *source, uint64_t elements,
                             dmapp_type_t type);
dmapp_return_t dmapp_get_nbi(void *target, void *source, dmapp_seg_desc_t *segment, dmapp_pe_t pe, uint64_t elements,
                             dmapp_type_t type);
dmapp_return_t dmapp_afadd_qw_nbi(void *target, void *source, dmapp_seg_desc_t *segment, dmapp_pe_t pe, int64_t operand);
dmapp_return_t dmapp_acswap_qw_nbi(void *target, void *source, dmapp_seg_desc_t *segment, dmapp_pe_t pe,
                                   int64_t comperand, int64_t swaperand);
dmapp_return_t dmapp_gsync_wait(void);
#endif
