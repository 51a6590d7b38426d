/* The part of portals4.h that c/portals4.c calls, after the interface of Portals 4.1 (SAND2012-10087 and later). Not
   the file of an implementation: sizes of handles and values of constants are ours. It serves to compile the emitted
   code where no implementation is; programs are built with the real one. */
#ifndef DECLARED_PORTALS4_H
#define DECLARED_PORTALS4_H
#include <stdint.h>
#include <stddef.h>

typedef uint64_t ptl_size_t, ptl_match_bits_t, ptl_hdr_data_t, ptl_time_t;
typedef unsigned int ptl_handle_any_t, ptl_handle_ni_t, ptl_handle_eq_t, ptl_handle_ct_t, ptl_handle_md_t, ptl_handle_le_t;
typedef unsigned int ptl_pt_index_t, ptl_interface_t, ptl_pid_t, ptl_nid_t, ptl_rank_t, ptl_uid_t;
typedef int64_t ptl_sr_value_t;
typedef enum { PTL_PRIORITY_LIST, PTL_OVERFLOW_LIST } ptl_list_t;
typedef enum { PTL_NO_ACK_REQ, PTL_ACK_REQ, PTL_CT_ACK_REQ, PTL_OC_ACK_REQ } ptl_ack_req_t;
typedef enum { PTL_MIN, PTL_MAX, PTL_SUM, PTL_SWAP, PTL_CSWAP } ptl_op_t;
typedef enum { PTL_INT32_T, PTL_INT64_T, PTL_UINT64_T } ptl_datatype_t;
enum { PTL_OK = 0 };
enum { PTL_IFACE_DEFAULT = 0, PTL_NI_MATCHING = 1, PTL_NI_NO_MATCHING = 2, PTL_NI_LOGICAL = 4, PTL_NI_PHYSICAL = 8 };
enum { PTL_LE_OP_PUT = 1, PTL_LE_OP_GET = 2, PTL_LE_EVENT_COMM_DISABLE = 4 };
enum { PTL_MD_EVENT_CT_ACK = 1, PTL_MD_EVENT_CT_REPLY = 2 };
#define PTL_PID_ANY ((ptl_pid_t)-1)
#define PTL_UID_ANY ((ptl_uid_t)-1)
#define PTL_EQ_NONE ((ptl_handle_eq_t)-1)
#define PTL_CT_NONE ((ptl_handle_ct_t)-1)

typedef struct {
    ptl_size_t success, failure;
} ptl_ct_event_t;
typedef union {
    struct {
        ptl_nid_t nid;
        ptl_pid_t pid;
    } phys;
    ptl_rank_t rank;
} ptl_process_t;
typedef struct {
    int max_entries, max_mds, max_cts;
} ptl_ni_limits_t;
typedef struct {
    void *start;
    ptl_size_t length;
    unsigned int options;
    ptl_handle_eq_t eq_handle;
    ptl_handle_ct_t ct_handle;
} ptl_md_t;
typedef struct {
    void *start;
    ptl_size_t length;
    ptl_handle_ct_t ct_handle;
    ptl_uid_t uid;
    unsigned int options;
} ptl_le_t;

int PtlInit(void);
void PtlFini(void);
int PtlNIInit(ptl_interface_t interface, unsigned int options, ptl_pid_t process, const ptl_ni_limits_t *desired,
              ptl_ni_limits_t *actual, ptl_handle_ni_t *handle);
int PtlNIFini(ptl_handle_ni_t interface);
int PtlGetPhysId(ptl_handle_ni_t interface, ptl_process_t *process);
int PtlPTAlloc(ptl_handle_ni_t interface, unsigned int options, ptl_handle_eq_t queue, ptl_pt_index_t wanted,
               ptl_pt_index_t *index);
int PtlPTFree(ptl_handle_ni_t interface, ptl_pt_index_t index);
int PtlLEAppend(ptl_handle_ni_t interface, ptl_pt_index_t index, const ptl_le_t *entry, ptl_list_t list, void *user,
                ptl_handle_le_t *handle);
int PtlLEUnlink(ptl_handle_le_t entry);
int PtlMDBind(ptl_handle_ni_t interface, const ptl_md_t *descriptor, ptl_handle_md_t *handle);
int PtlMDRelease(ptl_handle_md_t descriptor);
int PtlCTAlloc(ptl_handle_ni_t interface, ptl_handle_ct_t *handle);
int PtlCTFree(ptl_handle_ct_t counter);
int PtlCTWait(ptl_handle_ct_t counter, ptl_size_t test, ptl_ct_event_t *event);
int PtlPut(ptl_handle_md_t descriptor, ptl_size_t local, ptl_size_t length, ptl_ack_req_t acknowledgement,
           ptl_process_t target, ptl_pt_index_t index, ptl_match_bits_t bits, ptl_size_t remote, void *user,
           ptl_hdr_data_t header);
int PtlGet(ptl_handle_md_t descriptor, ptl_size_t local, ptl_size_t length, ptl_process_t target, ptl_pt_index_t index,
           ptl_match_bits_t bits, ptl_size_t remote, void *user);
int PtlFetchAtomic(ptl_handle_md_t into, ptl_size_t into_at, ptl_handle_md_t from, ptl_size_t from_at, ptl_size_t length,
                   ptl_process_t target, ptl_pt_index_t index, ptl_match_bits_t bits, ptl_size_t remote, void *user,
                   ptl_hdr_data_t header, ptl_op_t operation, ptl_datatype_t type);
int PtlSwap(ptl_handle_md_t into, ptl_size_t into_at, ptl_handle_md_t from, ptl_size_t from_at, ptl_size_t length,
            ptl_process_t target, ptl_pt_index_t index, ptl_match_bits_t bits, ptl_size_t remote, void *user,
            ptl_hdr_data_t header, const void *operand, ptl_op_t operation, ptl_datatype_t type);
#endif
