// y = a * x + y, a thread for each element.
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // Two roundings, as in Java: nvcc would make one instruction of it, which rounds once.
    y[i] = __fadd_rn(__fmul_rn(a, x[i]), y[i]);
  }
}
