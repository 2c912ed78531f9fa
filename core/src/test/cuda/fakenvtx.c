// A profiler's part of NVTX 3: it puts functions into the slots that the program gives it, and
// writes what they hear to standard error. Where NVIDIA's header is, the numbers and forms are
// those of that header; the others are copied from it (nvtxDetail/nvtxTypes.h).
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else
typedef void (*NvtxFunctionPointer)(void);
typedef NvtxFunctionPointer **NvtxFunctionTable;
typedef struct {
  size_t struct_size;
  int (*GetModuleFunctionTable)(int module, NvtxFunctionTable *table, unsigned *size);
} NvtxExportTableCallbacks;
typedef const void *(*NvtxGetExportTableFunc_t)(uint32_t number);
enum { NVTX_ETID_CALLBACKS = 1, NVTX_CB_MODULE_CORE = 1, NVTX_CB_MODULE_CORE2 = 5 };
enum {
  NVTX_CBID_CORE_RangeStartA = 5,
  NVTX_CBID_CORE_RangeEnd = 7,
  NVTX_CBID_CORE_RangePushA = 9,
  NVTX_CBID_CORE_RangePop = 11,
  NVTX_CBID_CORE_SIZE = 16
};
#endif

static int depth;

static int push(const char *name) {
  fprintf(stderr, "push %s\n", name);
  return depth++;
}

static int pop(void) {
  fprintf(stderr, "pop\n");
  return --depth;
}

static uint64_t start(const char *name) {
  fprintf(stderr, "start %s\n", name);
  return 0x123456789abcdefull;
}

static void end(uint64_t id) { fprintf(stderr, "end %llx\n", (unsigned long long)id); }

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t exports) {
  const NvtxExportTableCallbacks *callbacks = exports(NVTX_ETID_CALLBACKS);
  if (!callbacks || callbacks->struct_size < sizeof(*callbacks) || exports(77)) {
    return 0;
  }
  NvtxFunctionTable table = NULL;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) {
    return 0;
  }
  if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) {
    return 0;
  }
  if (size < NVTX_CBID_CORE_SIZE || table[0]) {
    return 0;
  }
  *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
  *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
  *table[NVTX_CBID_CORE_RangeStartA] = (NvtxFunctionPointer)start;
  *table[NVTX_CBID_CORE_RangeEnd] = (NvtxFunctionPointer)end;
  return 1;
}
