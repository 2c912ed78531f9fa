// One step of heat conduction along a rod, a thread for each place; the ends keep their heat.
extern "C" __global__ void heat(const float* now, float* next, float rate, int n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float here = now[i];
    if (i > 0 && i < n - 1) {
      // Each operation is rounded by itself, as in Java.
      float bend = __fsub_rn(__fadd_rn(now[i - 1], now[i + 1]), __fmul_rn(2.0f, here));
      here = __fadd_rn(here, __fmul_rn(rate, bend));
    }
    next[i] = here;
  }
}
