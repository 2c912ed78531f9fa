extern "C" __global__ void add(float *x, const float *y, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % 64] = i < n ? y[i] : 0;
  __syncthreads();
  if (i < n) x[i] += tile[(threadIdx.x + 1) % 64];
}
extern "C" __global__ void idle() {}
