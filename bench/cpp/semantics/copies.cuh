// Which bytes copies, fills and batches move: CUDA Runtime API, "Memory Management".
#pragma once

#include "memory.cuh"

namespace {

unsigned char pattern(size_t i) { return static_cast<unsigned char>(i * 31 + i / 256 + 1); }

/** Pinned bytes of the pattern. */
void fillPattern(const Pinned<unsigned char>& bytes) {
  for (size_t i = 0; i < bytes.bytes(); i++) bytes.get()[i] = pattern(i);
}

TWIN(copySizes, "copy-of-any-size", Kind::kPlain) {
  constexpr size_t kMost = (1 << 20) + 1;
  Stream stream;
  Array<unsigned char> array(kMost + 8);
  Pinned<unsigned char> in(kMost + 8), out(kMost + 8);
  fillPattern(in);
  long wrong = 0;
  for (size_t size : {size_t{1}, size_t{3}, size_t{4095}, size_t{4097}, size_t{65536}, size_t{65537}, kMost}) {
    for (size_t offset : {0, 1, 5}) {
      out.fill(0);
      CHECK(cudaMemcpyAsync(array.get() + offset, in.get() + 2, size, cudaMemcpyHostToDevice, stream));
      CHECK(cudaMemcpyAsync(out.get() + 1, array.get() + offset, size, cudaMemcpyDeviceToHost, stream));
      stream.synchronize();
      for (size_t i = 0; i < size; i++) wrong += out[i + 1] != pattern(i + 2);
      wrong += out[0] != 0;
      wrong += out[size + 1] != 0;
    }
  }
  say("wrong-bytes", wrong);
}

constexpr size_t kWidth = 60, kRows = 50, kPlanes = 3, kHostPitch = 100, kDevicePitch = 128, kOtherPitch = 61;

TWIN(copyRows, "copy-of-rows", Kind::kPlain) {
  Stream stream;
  Array<unsigned char> a(kDevicePitch * kRows), b(kOtherPitch * kRows);
  Pinned<unsigned char> in(kHostPitch * kRows), out(kHostPitch * kRows);
  fillPattern(in);
  CHECK(cudaMemcpy2DAsync(a.get(), kDevicePitch, in.get(), kHostPitch, kWidth, kRows, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DAsync(b.get(), kOtherPitch, a.get(), kDevicePitch, kWidth, kRows, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaMemcpy2DAsync(out.get(), kHostPitch, b.get(), kOtherPitch, kWidth, kRows, cudaMemcpyDeviceToHost, stream));
  stream.synchronize();
  long wrong = 0, touched = 0;
  for (size_t i = 0; i < out.bytes(); i++) {
    if (i % kHostPitch < kWidth) wrong += out[i] != pattern(i);
    else touched += out[i] != 0;
  }
  std::vector<unsigned char> gaps = a.read();
  for (size_t i = 0; i < gaps.size(); i++) touched += i % kDevicePitch >= kWidth && gaps[i] != 0;
  say("wrong-bytes", wrong);
  say("touched-between-rows", touched);
}

TWIN(copyNarrow, "copy-of-rows-wider-than-their-pitch", Kind::kPlain) {
  Stream stream;
  Array<unsigned char> array(1000);
  Pinned<unsigned char> host(1000);
  fillPattern(host);
  say("copy", outcome(cudaMemcpy2DAsync(array.get(), 10, host.get(), 20, 20, 5, cudaMemcpyHostToDevice, stream),
                      cudaErrorInvalidPitchValue));
  CHECK(cudaMemcpyAsync(array.get(), host.get(), 1000, cudaMemcpyHostToDevice, stream));
  say("then", array.read()[999] == pattern(999) ? "works" : "fails");
}

TWIN(copyPlanes, "copy-of-planes", Kind::kPlain) {
  Stream stream;
  constexpr size_t kHostPlane = kHostPitch * (kRows + 2), kDevicePlane = kDevicePitch * kRows;
  Array<unsigned char> array(kDevicePlane * kPlanes);
  Pinned<unsigned char> in(kHostPlane * kPlanes), out(kHostPlane * kPlanes);
  fillPattern(in);
  cudaMemcpy3DParms parameters = {};
  parameters.extent = make_cudaExtent(kWidth, kRows, kPlanes);
  parameters.srcPtr = make_cudaPitchedPtr(in.get(), kHostPitch, kWidth, kRows + 2);
  parameters.dstPtr = make_cudaPitchedPtr(array.get(), kDevicePitch, kWidth, kRows);
  parameters.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3DAsync(&parameters, stream));
  parameters.srcPtr = parameters.dstPtr;
  parameters.dstPtr = make_cudaPitchedPtr(out.get(), kHostPitch, kWidth, kRows + 2);
  parameters.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3DAsync(&parameters, stream));
  stream.synchronize();
  long wrong = 0, touched = 0;
  for (size_t i = 0; i < out.bytes(); i++) {
    bool inside = i % kHostPitch < kWidth && i % kHostPlane / kHostPitch < kRows;
    if (inside) wrong += out[i] != pattern(i);
    else touched += out[i] != 0;
  }
  say("wrong-bytes", wrong);
  say("touched-between-rows", touched);
}

/** The two blocks of columns lie between each other, and share no byte. */
TWIN(copyColumns, "copy-of-columns-within-a-matrix", Kind::kPlain) {
  constexpr size_t kPitch = 64, kColumns = 32;
  Stream stream;
  Array<unsigned char> matrix(kPitch * kRows);
  Pinned<unsigned char> host(kPitch * kRows);
  fillPattern(host);
  CHECK(cudaMemcpyAsync(matrix.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DAsync(matrix.get() + kColumns, kPitch, matrix.get(), kPitch, kColumns, kRows,
                          cudaMemcpyDeviceToDevice, stream));
  stream.synchronize();
  std::vector<unsigned char> found = matrix.read();
  long wrong = 0;
  for (size_t i = 0; i < found.size(); i++) wrong += found[i] != pattern(i / kPitch * kPitch + i % kColumns);
  say("wrong-bytes", wrong);
}

/** CUDA leaves open what a copy between ranges that overlap does; Stretto refuses it. */
TWIN(copyOverlapping, "copy-that-overlaps", Kind::kPlain) { sayUndefined("copy"); }

/** CUDA takes a copy of nothing; Stretto takes it for a mistake. */
TWIN(copyNothing, "copy-of-nothing", Kind::kPlain) {
  Stream stream;
  Array<int> array(10);
  Pinned<int> host(10);
  say("copy", outcome(cudaMemcpyAsync(array.get(), host.get(), 0, cudaMemcpyHostToDevice, stream),
                      cudaErrorInvalidValue));
}

TWIN(copyWithin, "copy-within-the-device", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> a(kLarge), b(kLarge);
  latch.hold(stream);
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(a.get(), 7, kLarge);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaMemcpyAsync(b.get(), a.get(), a.bytes(), cudaMemcpyDeviceToDevice, stream));
  });
  latch.open();
  stream.synchronize();
  say("value", b.all());
}

TWIN(copyDirections, "copy-beside-the-other-direction", Kind::kPlain) {
  Stream up, down;
  Latch latch;
  Array<int> a(kLarge), b(kLarge);
  Pinned<int> in(kLarge), out(kLarge);
  in.fill(7);
  latch.hold(up);
  CHECK(cudaMemcpyAsync(a.get(), in.get(), in.bytes(), cudaMemcpyHostToDevice, up));
  CHECK(cudaMemcpyAsync(out.get(), b.get(), out.bytes(), cudaMemcpyDeviceToHost, down));
  say("down", passes(static_cast<cudaStream_t>(down)) ? "independent" : "waits");
  say("up", query(up));
  latch.open();
  up.synchronize();
  say("value", a.all());
}

// ---- Fills

/** The driver's fills of 16 and 32 bits; rows of 32 bits, 8 bytes apart, make one of 64. */
struct DriverFills {
  CUresult (*d8)(CUdeviceptr, unsigned char, size_t, CUstream) = nullptr;
  CUresult (*d16)(CUdeviceptr, unsigned short, size_t, CUstream) = nullptr;
  CUresult (*d32)(CUdeviceptr, unsigned, size_t, CUstream) = nullptr;
  CUresult (*rows32)(CUdeviceptr, size_t, unsigned, size_t, size_t, CUstream) = nullptr;

  DriverFills() {
    find("cuMemsetD8Async", reinterpret_cast<void**>(&d8));
    find("cuMemsetD16Async", reinterpret_cast<void**>(&d16));
    find("cuMemsetD32Async", reinterpret_cast<void**>(&d32));
    find("cuMemsetD2D32Async", reinterpret_cast<void**>(&rows32));
  }

 private:
  static void find(const char* name, void** function) {
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion(name, function, 12000, cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess) throw std::runtime_error(std::string("no ") + name);
  }
};

void checkDriver(CUresult result) {
  if (result != CUDA_SUCCESS) throw std::runtime_error("driver's result " + std::to_string(result));
}

TWIN(fillWidths, "fill-of-each-width", Kind::kPlain) {
  Stream stream;
  DriverFills fills;
  Array<unsigned char> array(64);
  CUdeviceptr at = reinterpret_cast<CUdeviceptr>(array.get());
  checkDriver(fills.d8(at + 3, 0x12, 3, stream));
  checkDriver(fills.d16(at + 8, 0x1234, 2, stream));
  checkDriver(fills.d32(at + 16, 0x12345678, 2, stream));
  checkDriver(fills.rows32(at + 32, 8, 0x9abcdef0, 1, 2, stream));
  checkDriver(fills.rows32(at + 36, 8, 0x12345678, 1, 2, stream));
  stream.synchronize();
  std::string text;
  for (unsigned char byte : array.read()) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  say("bytes", text.substr(0, 32));
  say("more-bytes", text.substr(32, 32));
  say("long-bytes", text.substr(64, 32));
  say("behind", text.substr(96));
}

TWIN(fillRows, "fill-of-rows", Kind::kPlain) {
  Stream stream;
  Array<unsigned char> bytes(1024);
  Array<unsigned short> shorts(1024);
  Array<unsigned> ints(1024);
  auto at = [](const void* of) { return reinterpret_cast<CUdeviceptr>(of); };
  if (cuMemsetD2D8Async(at(bytes.get() + 3), 32, 7, 5, 20, stream) != CUDA_SUCCESS ||
      cuMemsetD2D16Async(at(shorts.get() + 3), 64, 0x1234, 5, 20, stream) != CUDA_SUCCESS ||
      cuMemsetD2D32Async(at(ints.get() + 3), 128, 0x12345678, 5, 20, stream) != CUDA_SUCCESS)
    throw std::runtime_error("a fill of rows");
  stream.synchronize();
  auto sum = [](const auto& values) {
    unsigned total = 1;
    for (auto value : values) total = 31 * total + value;
    return static_cast<long>(static_cast<int>(total));
  };
  say("bytes", sum(bytes.read()));
  say("shorts", sum(shorts.read()));
  say("ints", sum(ints.read()));
}

TWIN(fillReturns, "fill-behind-what-is-held-up", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  latch.hold(stream);
  sayReturnsFirst(latch, [&] { CHECK(cudaMemsetAsync(array.get(), 0x07, array.bytes(), stream)); });
  latch.open();
  stream.synchronize();
  say("value", array.all());
}

// ---- Batches

cudaError_t batch(std::vector<std::pair<void*, const void*>> ends, size_t bytes, cudaMemcpySrcAccessOrder order,
                  cudaStream_t stream) {
  std::vector<const void*> to, from;
  for (auto& [destination, source] : ends) {
    to.push_back(destination);
    from.push_back(source);
  }
  std::vector<size_t> sizes(ends.size(), bytes);
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = order;
  size_t first = 0;
  return cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), ends.size(), &attributes, &first, 1, stream);
}

/** A batch comes after what was enqueued before it and before what is enqueued behind it. */
TWIN(batchOrder, "batch-in-the-order-of-its-stream", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> a(kSmall), b(kSmall), c(kSmall);
  Pinned<int> in(kSmall), out(kSmall);
  in.fill(5);
  latch.hold(stream);
  addAllKernel<<<kSmall / 256, 256, 0, stream>>>(a.get(), 7, kSmall);
  sayReturnsFirst(latch, [&] {
    CHECK(batch({{b.get(), a.get()}, {c.get(), in.get()}}, a.bytes(), cudaMemcpySrcAccessOrderStream, stream));
  });
  addAllKernel<<<kSmall / 256, 256, 0, stream>>>(b.get(), 1, kSmall);
  CHECK(cudaMemcpyAsync(out.get(), b.get(), out.bytes(), cudaMemcpyDeviceToHost, stream));
  latch.open();
  stream.synchronize();
  say("first", out.all());
  say("second", c.all());
}

/** The source is read before the call returns, though the copy's turn comes later. */
TWIN(batchDuring, "batch-that-reads-during-the-call", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kSmall);
  Pinned<int> in(kSmall);
  in.fill(7);
  latch.hold(stream);
  {
    OpenedLater opened(latch);
    CHECK(batch({{array.get(), in.get()}}, in.bytes(), cudaMemcpySrcAccessOrderDuringApiCall, stream));
    in.fill(8);
  }
  stream.synchronize();
  say("device-sees", array.all());
}

/** CUDA takes no batch on the legacy stream; Stretto enqueues the copies one by one there. */
TWIN(batchLegacy, "batch-on-legacy", Kind::kPlain) {
  Array<int> array(kSmall);
  Pinned<int> in(kSmall);
  in.fill(7);
  say("batch", outcome(batch({{array.get(), in.get()}}, in.bytes(), cudaMemcpySrcAccessOrderStream, cudaStreamLegacy),
                       cudaErrorInvalidValue));
}

TWIN(batchEmpty, "batch-of-nothing", Kind::kPlain) {
  Stream stream;
  say("batch", outcome(batch({}, 4, cudaMemcpySrcAccessOrderStream, stream), cudaErrorInvalidValue));
}

}  // namespace
