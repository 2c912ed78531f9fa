/*
 * Prints what CUDA's own header says about the blocks that a multiprocessor holds, as the table of
 * OccupancyRulesTest: cc occupancy.c -I$CUDA/include -o occupancy && ./occupancy >occupancy.csv
 */
#include <stdio.h>
#include <string.h>
#include <cuda_occupancy.h>

struct device {
  int major, minor, threads, sharedBytes, optIn, reserved;
};

/* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static const struct device DEVICES[] = {
    {7, 5, 1024, 64, 64, 0},     {8, 0, 2048, 164, 163, 1024}, {8, 6, 1536, 100, 99, 1024},
    {8, 7, 1536, 164, 163, 1024}, {8, 9, 1536, 100, 99, 1024}, {9, 0, 2048, 228, 227, 1024},
    {10, 0, 2048, 228, 227, 1024}, {10, 3, 2048, 228, 227, 1024}, {11, 0, 1536, 228, 227, 1024},
    {12, 0, 1536, 100, 99, 1024}, {12, 1, 1536, 100, 99, 1024}};

static unsigned state = 1;

static int any(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)below);
}

int main(void) {
  printf("major,minor,mostSharedBytes,registers,sharedBytes,threads,blocks,limits\n");
  for (unsigned d = 0; d < sizeof DEVICES / sizeof *DEVICES; d++) {
    struct device device = DEVICES[d];
    for (int round = 0; round < 60; round++) {
      cudaOccDeviceProp has;
      memset(&has, 0, sizeof has);
      has.computeMajor = device.major;
      has.computeMinor = device.minor;
      has.maxThreadsPerBlock = 1024;
      has.maxThreadsPerMultiprocessor = device.threads;
      has.regsPerBlock = has.regsPerMultiprocessor = 65536;
      has.warpSize = 32;
      has.sharedMemPerBlock = 48 << 10;
      has.sharedMemPerMultiprocessor = (size_t)device.sharedBytes << 10;
      has.sharedMemPerBlockOptin = (size_t)device.optIn << 10;
      has.reservedSharedMemPerBlock = device.reserved;
      has.numSms = 1;
      int threads = round % 2 ? 32 << any(6) : 1 + any(1024);
      int registers = round % 3 ? 16 + any(48) : 1 + any(255);
      int shared = round % 4 == 0 ? 0 : any((round % 4 == 1 ? device.optIn : 12) << 10);
      cudaOccFuncAttributes needs;
      memset(&needs, 0, sizeof needs);
      needs.maxThreadsPerBlock = 1024;
      needs.numRegs = registers;
      needs.sharedSizeBytes = 0;
      needs.partitionedGCConfig = PARTITIONED_GC_OFF;
      needs.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
      needs.maxDynamicSharedSizeBytes = (size_t)device.optIn << 10;
      cudaOccDeviceState state_;
      memset(&state_, 0, sizeof state_);
      state_.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
      cudaOccResult found;
      cudaOccError failed = cudaOccMaxActiveBlocksPerMultiprocessor(
          &found, &has, &needs, &state_, threads, (size_t)shared);
      if (failed) {
        fprintf(stderr, "error %d for %d.%d\n", (int)failed, device.major, device.minor);
        return 1;
      }
      printf("%d,%d,%d,%d,%d,%d,%d,%s%s%s%s\n", device.major, device.minor, device.optIn << 10,
             registers, shared, threads, found.activeBlocksPerMultiprocessor,
             found.limitingFactors & OCC_LIMIT_REGISTERS ? "r" : "",
             found.limitingFactors & OCC_LIMIT_SHARED_MEMORY ? "s" : "",
             found.limitingFactors & OCC_LIMIT_WARPS ? "t" : "",
             found.limitingFactors & OCC_LIMIT_BLOCKS ? "b" : "");
    }
  }
  return 0;
}
