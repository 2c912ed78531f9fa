// Pinned memory that kernels address, and numbers that streams write and wait for: CUDA Programming Guide, "Mapped
// Memory"; CUDA Driver API, "Stream Memory Operations".
#pragma once

#include <cuda/atomic>

#include "kernels.cuh"

namespace {

std::string accepted(CUresult result) { return result == CUDA_SUCCESS ? "accepted" : "refused"; }

void checkDriver(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(result));
}

CUdeviceptr address(const void* of) { return reinterpret_cast<CUdeviceptr>(of); }

__global__ void mappedTwice(const int* in, int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = 2 * in[i] + 1;
}

TWIN(mappedMemory, "pinned-memory-that-a-kernel-reads-and-writes", Kind::kPlain) {
  Stream stream;
  Pinned<int> in(1024), out(1024);
  for (int i = 0; i < 1024; i++) in.set(i, 3 * i);
  for (int round = 0; round < 3; round++) {
    mappedTwice<<<4, 256, 0, stream>>>(in.get(), out.get());
    launched("a launch");
    stream.synchronize();
    for (int i = 0; i < 1024; i++) in.set(i, out[i]);
  }
  std::vector<int> values(1024);
  for (int i = 0; i < 1024; i++) values[i] = out[i];
  say("stored", hash(values));
}

TWIN(mappedAndCopied, "pinned-memory-between-a-kernel-and-copies", Kind::kPlain) {
  Stream stream;
  Pinned<int> in(1024), out(1024);
  Array<int> source(1024), sink(1024);
  CHECK(cudaMemset(source.get(), 1, source.bytes()));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyAsync(in.get(), source.get(), in.bytes(), cudaMemcpyDefault, stream));
  mappedTwice<<<4, 256, 0, stream>>>(in.get(), out.get());
  launched("a launch");
  CHECK(cudaMemcpyAsync(sink.get(), out.get(), out.bytes(), cudaMemcpyDefault, stream));
  stream.synchronize();
  say("copied", sink.all());
}

__global__ void answering(int* words, int last) {
  cuda::atomic_ref<int, cuda::thread_scope_system> bell(words[0]), answer(words[64]);
  for (int number = 1; number <= last; number++) {
    while (bell.load(cuda::memory_order_acquire) < number) {
    }
    words[2] = words[1] * words[1] + number;
    answer.store(number, cuda::memory_order_release);
  }
}

TWIN(doorbell, "doorbell-of-a-running-kernel", Kind::kPlain) {
  Stream stream;
  Pinned<int> words(128);
  answering<<<1, 1, 0, stream>>>(words.get(), 20);
  launched("a launch");
  long sum = 0;
  for (int number = 1; number <= 20; number++) {
    words.set(1, 3 * number);
    std::atomic_thread_fence(std::memory_order_release);
    words.set(0, number);
    while (words[64] < number) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    sum += words[2];
  }
  stream.synchronize();
  say("sum", sum);
}

void sayWait(const std::string& key, unsigned flag, unsigned other, unsigned first, unsigned then) {
  Stream waiter, writer;
  Array<unsigned> number(1);
  checkDriver(cuStreamWriteValue32(writer, address(number.get()), first, 0), "a write");
  writer.synchronize();
  checkDriver(cuStreamWaitValue32(waiter, address(number.get()), other, flag), "a wait");
  say(key + "-at-first", yesNo(passes(static_cast<cudaStream_t>(waiter))));
  checkDriver(cuStreamWriteValue32(writer, address(number.get()), then, 0), "a write");
  waiter.synchronize();
  say(key + "-then", static_cast<long>(static_cast<int>(number.read()[0])));
}

TWIN(valueConditions, "numbers-that-streams-wait-for", Kind::kPlain) {
  sayWait("at-least", CU_STREAM_WAIT_VALUE_GEQ, 3, 2, 4);
  sayWait("around-the-circle", CU_STREAM_WAIT_VALUE_GEQ, 0x7fffffff, 5, 0x80000000u);
  sayWait("equal", CU_STREAM_WAIT_VALUE_EQ, 9, 10, 9);
  sayWait("common-bit", CU_STREAM_WAIT_VALUE_AND, 2, 9, 6);
  sayWait("common-zero", CU_STREAM_WAIT_VALUE_NOR, 1, ~1u, ~3u);
  sayWait("there-before", CU_STREAM_WAIT_VALUE_EQ, 9, 9, 9);
}

TWIN(valueWide, "number-of-eight-bytes-that-a-stream-waits-for", Kind::kPlain) {
  Stream waiter, writer;
  Array<unsigned long long> number(2);
  unsigned long long* at = number.get() + 1;
  checkDriver(cuStreamWriteValue64(writer, address(at), (1ull << 40) - 1, 0), "a write");
  writer.synchronize();
  checkDriver(cuStreamWaitValue64(waiter, address(at), 1ull << 40, CU_STREAM_WAIT_VALUE_GEQ), "a wait");
  say("at-first", yesNo(passes(static_cast<cudaStream_t>(waiter))));
  checkDriver(cuStreamWriteValue64(writer, address(at), 1ull << 40, 0), "a write");
  waiter.synchronize();
  say("then", static_cast<long>(number.read()[1]));
}

TWIN(valueOrders, "number-behind-the-work-of-its-stream", Kind::kPlain) {
  Stream waiter, writer;
  Latch latch;
  Array<int> number(1), data(1024), copied(1024);
  checkDriver(cuStreamWaitValue32(waiter, address(number.get()), 1, CU_STREAM_WAIT_VALUE_EQ), "a wait");
  CHECK(cudaMemcpyAsync(copied.get(), data.get(), data.bytes(), cudaMemcpyDefault, waiter));
  latch.hold(writer);
  CHECK(cudaMemsetAsync(data.get(), 1, data.bytes(), writer));
  checkDriver(cuStreamWriteValue32(writer, address(number.get()), 1, 0), "a write");
  say("before", yesNo(passes(static_cast<cudaStream_t>(waiter))));
  latch.open();
  waiter.synchronize();
  say("copied", copied.all());
}

TWIN(valueLatch, "number-that-the-host-writes-for-a-stream", Kind::kPlain) {
  Stream stream;
  Pinned<int> words(2);
  Array<int> data(1);
  checkDriver(cuStreamWaitValue32(stream, address(words.get()), 1, CU_STREAM_WAIT_VALUE_EQ), "a wait");
  add(data.get(), 7, stream);
  checkDriver(cuStreamWriteValue32(stream, address(words.get() + 1), 5, 0), "a write");
  say("before", words[1]);
  words.set(0, 1);
  stream.synchronize();
  say("behind", words[1]);
  say("data", data.all());
}

TWIN(valuePooled, "number-in-memory-of-a-pool", Kind::kPlain) {
  Stream stream;
  int* number;
  CHECK(cudaMallocAsync(&number, sizeof(int), stream));
  stream.synchronize();
  say("write", accepted(cuStreamWriteValue32(stream, address(number), 1, 0)));
  say("wait", accepted(cuStreamWaitValue32(stream, address(number), 1, CU_STREAM_WAIT_VALUE_EQ)));
  CHECK(cudaFreeAsync(number, stream));
  stream.synchronize();
}

}  // namespace
