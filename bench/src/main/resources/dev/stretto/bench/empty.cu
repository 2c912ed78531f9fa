// A kernel that does nothing, to measure what a launch costs. empty.ptx: nvcc -ptx -arch=sm_80 -O3 empty.cu, CUDA 13.0,
// .version lowered to 7.0.
extern "C" __global__ void empty(int number, const void *pointer, float value) {}
