// Memory that is allocated and freed in the order of streams: CUDA C++ Programming Guide, "Stream-Ordered Memory
// Allocator".
#pragma once

#include "frame.cuh"

namespace {

constexpr size_t kPoolInts = (1 << 20) / 4;

int* allocate(cudaStream_t stream, size_t count = kPoolInts) {
  int* memory = nullptr;
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&memory), count * 4, stream));
  return memory;
}

void addAll(int* cells, int value, size_t count, cudaStream_t stream) {
  addAllKernel<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(cells, value, static_cast<int>(count));
  launched("a launch of addAll");
}

/** All of it behind a latch: nothing waits. Whether the second allocation is the first one's memory, CUDA leaves open. */
TWIN(poolReuse, "pool-memory-again-on-its-stream", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Pinned<int> seen(2);
  CHECK(cudaFreeAsync(allocate(stream), stream));
  stream.synchronize();
  latch.hold(stream);
  int* first = allocate(stream);
  put(first, 7, stream);
  take(seen.get(), first, stream);
  CHECK(cudaFreeAsync(first, stream));
  int* second = allocate(stream);
  put(second, 8, stream);
  take(seen.get() + 1, second, stream);
  CHECK(cudaFreeAsync(second, stream));
  say("returns-first", yesNo(!latch.isOpen()));
  latch.open();
  stream.synchronize();
  say("first", seen[0]);
  say("second", seen[1]);
}

/** Memory whose free has still to happen on one stream is not given to another that does not wait for it. */
TWIN(poolOther, "pool-memory-not-for-another-stream", Kind::kPlain) {
  Stream held, stream;
  Latch latch;
  Pinned<int> seen(2);
  int* first = allocate(held);
  held.synchronize();
  latch.hold(held);
  put(first, 7, held);
  take(seen.get(), first, held);
  CHECK(cudaFreeAsync(first, held));
  int* second = allocate(stream);
  put(second, 8, stream);
  say("same-address", yesNo(first == second));
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  take(seen.get() + 1, second, stream);
  latch.open();
  held.synchronize();
  CHECK(cudaFreeAsync(second, stream));
  stream.synchronize();
  say("first", seen[0]);
  say("second", seen[1]);
}

TWIN(poolShared, "pool-memory-used-on-another-stream", Kind::kPlain) {
  Stream one, two;
  Event allocated, used;
  Latch latch;
  Pinned<int> seen(1);
  latch.hold(one);
  int* memory = allocate(one);
  put(memory, 7, one);
  allocated.record(one);
  wait(two, allocated);
  add(memory, 1, two);
  take(seen.get(), memory, two);
  used.record(two);
  wait(one, used);
  CHECK(cudaFreeAsync(memory, one));
  say("two", query(two));
  latch.open();
  one.synchronize();
  say("value", seen[0]);
}

TWIN(poolFreedElsewhere, "pool-memory-freed-on-another-stream", Kind::kPlain) {
  Stream one, two;
  Event used;
  Pinned<int> seen(1);
  int* memory = allocate(one);
  put(memory, 7, one);
  take(seen.get(), memory, one);
  used.record(one);
  wait(two, used);
  CHECK(cudaFreeAsync(memory, two));
  two.synchronize();
  say("value", seen[0]);
  say("one", query(one));
}

TWIN(poolFreedInUse, "pool-memory-freed-in-flight", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> copied(kPoolInts);
  int* memory = allocate(stream);
  CHECK(cudaMemsetAsync(memory, 0, 4 * kPoolInts, stream));
  stream.synchronize();
  latch.hold(stream);
  addAll(memory, 7, kPoolInts, stream);
  CHECK(cudaMemcpyAsync(copied.get(), memory, copied.bytes(), cudaMemcpyDeviceToDevice, stream));
  sayReturnsFirst(latch, [&] { CHECK(cudaFreeAsync(memory, stream)); });
  latch.open();
  stream.synchronize();
  say("value", copied.all());
}

TWIN(poolTooMuch, "pool-memory-too-much", Kind::kPlain) {
  Stream stream;
  Pinned<int> seen(1);
  void* memory = nullptr;
  say("allocation", outcome(cudaMallocAsync(&memory, size_t{1} << 50, stream), cudaErrorMemoryAllocation));
  int* small = allocate(stream, 1);
  put(small, 7, stream);
  take(seen.get(), small, stream);
  CHECK(cudaFreeAsync(small, stream));
  stream.synchronize();
  say("value-then", seen[0]);
}

/** A pool of its own, of at most 128 MiB: it is never larger, and counts what its stream has freed as free. */
TWIN(poolLimited, "pool-with-a-largest-size", Kind::kPlain) {
  constexpr size_t kPiece = size_t{64} << 20;
  Stream stream;
  Pinned<int> seen(1);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  properties.maxSize = 2 * kPiece;
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  void *first = nullptr, *second = nullptr, *third = nullptr;
  say("first", outcome(cudaMallocFromPoolAsync(&first, kPiece, pool, stream), cudaErrorMemoryAllocation));
  say("second", outcome(cudaMallocFromPoolAsync(&second, kPiece, pool, stream), cudaErrorMemoryAllocation));
  say("third", outcome(cudaMallocFromPoolAsync(&third, kPiece, pool, stream), cudaErrorMemoryAllocation));
  CHECK(cudaFreeAsync(first, stream));
  say("third-again", outcome(cudaMallocFromPoolAsync(&third, kPiece, pool, stream), cudaErrorMemoryAllocation));
  int* cell = static_cast<int*>(third);
  put(cell, 7, stream);
  CHECK(cudaMemPoolDestroy(pool));
  take(seen.get(), cell, stream);
  CHECK(cudaFreeAsync(third, stream));
  CHECK(cudaFreeAsync(second, stream));
  stream.synchronize();
  say("value", seen[0]);
}

TWIN(allocateTooMuch, "allocation-of-too-much", Kind::kPlain) {
  void* memory = nullptr;
  say("allocation", outcome(cudaMalloc(&memory, size_t{1} << 50), cudaErrorMemoryAllocation));
  Array<int> small(1);
  say("value-then", small.all());
}

/** CUDA allocates nothing, and is content; Stretto takes it for a mistake. */
TWIN(allocateNothing, "allocation-of-nothing", Kind::kPlain) {
  void* memory = nullptr;
  say("allocation", outcome(cudaMalloc(&memory, 0), cudaErrorInvalidValue));
}

TWIN(poolTwice, "pool-memory-freed-twice", Kind::kPlain) {
  Stream stream;
  int* memory = allocate(stream);
  CHECK(cudaFreeAsync(memory, stream));
  say("again", outcome(cudaFreeAsync(memory, stream), cudaErrorInvalidValue));
  stream.synchronize();
  say("stream", query(stream));
}

/** What is freed in a stream's order counts as free for the next one once somebody has waited for it. */
TWIN(poolAfterSync, "pool-memory-after-its-stream-was-awaited", Kind::kPlain) {
  Stream one, two;
  Pinned<int> seen(1);
  int* first = allocate(one);
  put(first, 7, one);
  CHECK(cudaFreeAsync(first, one));
  one.synchronize();
  int* second = allocate(two);
  put(second, 8, two);
  take(seen.get(), second, two);
  CHECK(cudaFreeAsync(second, two));
  two.synchronize();
  say("value", seen[0]);
}

}  // namespace
