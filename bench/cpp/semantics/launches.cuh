// What a launch may ask for: CUDA C++ Programming Guide, "Compute Capabilities". A launch that is refused leaves the
// device as it was. CUDA 13 says cudaErrorInvalidValue for every shape that is too large, and for none at all.
#pragma once

#include "memory.cuh"

namespace {

/** Says what came of a launch of a shape, and whether the stream goes on. */
void sayShape(const std::string& key, dim3 blocks, dim3 threads, size_t sharedBytes, cudaError_t documented) {
  Stream stream;
  Array<int> cells(1024);
  addAllKernel<<<blocks, threads, sharedBytes, stream>>>(cells.get(), 1, 1024);
  say(key, outcome(cudaGetLastError(), documented));
  addAllKernel<<<4, 256, 0, stream>>>(cells.get(), 7, 1024);
  CHECK(cudaStreamSynchronize(stream));
  say(key + "-then", cells.all());
}

TWIN(launchThreads, "launch-of-too-many-threads", Kind::kPlain) {
  sayShape("1024", 1, 1024, 0, cudaErrorInvalidValue);
  sayShape("1025", 1, 1025, 0, cudaErrorInvalidValue);
  sayShape("64-by-32", 1, dim3(64, 32), 0, cudaErrorInvalidValue);
}

TWIN(launchDeep, "launch-of-too-deep-a-block", Kind::kPlain) {
  sayShape("64-deep", 1, dim3(1, 1, 64), 0, cudaErrorInvalidValue);
  sayShape("65-deep", 1, dim3(1, 1, 65), 0, cudaErrorInvalidValue);
}

TWIN(launchGrid, "launch-of-too-many-blocks", Kind::kPlain) {
  sayShape("65536-rows", dim3(1, 65536), 32, 0, cudaErrorInvalidValue);
  sayShape("65536-planes", dim3(1, 1, 65536), 32, 0, cudaErrorInvalidValue);
  sayShape("none", dim3(0), 32, 0, cudaErrorInvalidValue);
}

TWIN(launchShared, "launch-of-too-much-shared-memory", Kind::kPlain) {
  sayShape("48-KiB", 4, 256, 48 << 10, cudaErrorInvalidValue);
  sayShape("228-KiB", 4, 256, 228 << 10, cudaErrorInvalidValue);
}

/** Beyond 48 KiB CUDA wants the kernel's attribute set first; Stretto sets it. */
TWIN(launchOptIn, "launch-of-more-shared-memory-than-by-default", Kind::kPlain) {
  sayShape("100-KiB", 4, 256, 100 << 10, cudaErrorInvalidValue);
}

TWIN(launchArguments, "launch-takes-its-arguments-at-the-call", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  int* target = cell.get();
  int value = 7;
  void* arguments[] = {&target, &value};
  latch.hold(stream);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaLaunchKernel(reinterpret_cast<void*>(addKernel), dim3(1), dim3(1), arguments, 0, stream));
  });
  value = 100;
  latch.open();
  stream.synchronize();
  say("value", cell.all());
}

struct Inner {
  signed char small;
  double wide;
};

struct Outer {
  short first;
  Inner inner;
  bool flag;
  float last;
};

__constant__ int squares[5] = {0, 1, 4, 9, 16};

__global__ void structKernel(Outer it, short behind, int* cell, int index) {
  *cell = it.first + 10 * it.inner.small + static_cast<int>(100 * it.inner.wide) + (it.flag ? 10000 : 0) +
          static_cast<int>(1000 * it.last) + 100000 * behind + 1000000 * squares[index];
}

/** A struct by value is copied at the call, as other arguments are. */
TWIN(launchStruct, "launch-takes-a-struct-at-the-call", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  int* target = cell.get();
  Outer value = {-3, {-7, 1.25}, true, 0.5f};
  short behind = 6;
  int index = 3;
  void* arguments[] = {&value, &behind, &target, &index};
  latch.hold(stream);
  CHECK(cudaLaunchKernel(reinterpret_cast<void*>(structKernel), dim3(1), dim3(1), arguments, 0, stream));
  value.inner.wide = 100;
  latch.open();
  stream.synchronize();
  say("value", cell.all());
}

/** CUDA's call waits where a stream's queue is full; Stretto holds operations back, and its call does not wait. */
TWIN(launchMany, "launch-of-more-than-the-queue-takes", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> cell(1);
  latch.hold(stream);
  sayReturns(latch, [&] {
    for (int i = 0; i < 3000; i++) add(cell.get(), 1, stream);
  });
  stream.synchronize();
  say("value", cell.all());
}

}  // namespace
