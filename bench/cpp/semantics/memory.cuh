// When a copy's source is read and its destination written, and when the call returns, for each kind of host memory:
// CUDA Runtime API, "API synchronization behavior".
#pragma once

#include "frame.cuh"

namespace {

constexpr size_t kSmall = (16 << 10) / 4;  // ints; a small copy of pageable memory is one of up to 64 KiB
constexpr size_t kLarge = (1 << 20) / 4;

/** Ordinary memory, of zeros, on pages of its own. */
class Ordinary {
 public:
  explicit Ordinary(size_t count)
      : data_(static_cast<int*>(std::aligned_alloc(4096, (count * 4 + 4095) / 4096 * 4096))), count_(count) {
    fill(0);
  }
  ~Ordinary() { std::free(data_); }
  Ordinary(const Ordinary&) = delete;
  Ordinary& operator=(const Ordinary&) = delete;
  int* get() const { return data_; }
  size_t bytes() const { return count_ * 4; }
  void fill(int value) const { std::fill(data_, data_ + count_, value); }
  long all() const {
    bool same = std::all_of(data_, data_ + count_, [&](int value) { return value == data_[0]; });
    return same ? data_[0] : -1;
  }

 private:
  int* data_;
  size_t count_;
};

/** Says whether a call waited for what a latch holds up, which is opened while it may be waiting. */
void sayReturns(const Latch& latch, const std::function<void()>& call) {
  OpenedLater opened(latch);
  call();
  say("returns", latch.isOpen() ? "afterwards" : "before");
}

TWIN(pinnedToDevice, "pinned-to-device", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Pinned<int> host(kLarge);
  host.fill(7);
  latch.hold(stream);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  });
  host.fill(8);  // the source is read in the order of the stream
  latch.open();
  stream.synchronize();
  say("device-sees", array.all());
}

TWIN(deviceToPinned, "device-to-pinned", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Pinned<int> host(kLarge);
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(array.get(), 7, kLarge);
  latch.hold(stream);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaMemcpyAsync(host.get(), array.get(), host.bytes(), cudaMemcpyDeviceToHost, stream));
  });
  say("host-before", host.all());
  latch.open();
  stream.synchronize();
  say("host", host.all());
}

/** Up to 64 KiB of pageable memory are read before the call returns, though the copy's turn comes later. */
TWIN(pageableSmallToDevice, "pageable-small-to-device", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kSmall);
  Ordinary host(kSmall);
  host.fill(7);
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  });
  host.fill(8);
  latch.open();
  stream.synchronize();
  say("device-sees", array.all());
}

TWIN(pageableLargeToDevice, "pageable-large-to-device", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Ordinary host(kLarge);
  host.fill(7);
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  });
  host.fill(8);
  stream.synchronize();
  say("device-sees", array.all());
}

/** "Memory copies from host to device of a memory block of 64 KB or less" are asynchronous, says the Programming Guide. */
void sayFromPageable(const std::string& key, size_t count) {
  Stream stream;
  Latch latch;
  Array<int> array(count);
  Ordinary host(count);
  host.fill(7);
  latch.hold(stream);
  {
    OpenedLater opened(latch);
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
    say(key, latch.isOpen() ? "afterwards" : "before");
    host.fill(8);
  }
  stream.synchronize();
  say(key + "-value", array.all());
}

TWIN(pageableBorder, "pageable-to-device-about-64-KiB", Kind::kPlain) {
  sayFromPageable("64-KiB", (64 << 10) / 4);
  sayFromPageable("64-KiB-and-4-bytes", (64 << 10) / 4 + 1);
}

void sayToPageable(size_t count) {
  Stream stream;
  Latch latch;
  Array<int> array(count);
  Ordinary host(count);
  addAllKernel<<<static_cast<unsigned>(count / 256), 256, 0, stream>>>(array.get(), 7, static_cast<int>(count));
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(host.get(), array.get(), host.bytes(), cudaMemcpyDeviceToHost, stream));
  });
  say("host-on-return", host.all());
}

TWIN(deviceToPageableSmall, "device-to-pageable-small", Kind::kPlain) { sayToPageable(kSmall); }

TWIN(deviceToPageableLarge, "device-to-pageable-large", Kind::kPlain) { sayToPageable(kLarge); }

/**
 * The documentation has a copy of more than 64 KiB wait for the stream. Driver 580 on an H200 does not up to 1 MiB at least:
 * it has read the source when it returns, and the stream is still held up. The larger the copy, the longer the latch stays
 * shut, so that reading it does not take longer than that.
 */
void sayFromPageableOfSize(const std::string& key, size_t bytes) {
  Stream stream;
  Latch latch;
  Array<unsigned char> array(bytes);
  Ordinary host((bytes + 3) / 4);
  std::memset(host.get(), 7, bytes);
  latch.hold(stream);
  {
    OpenedLater opened(latch, std::chrono::milliseconds(100 + (bytes >> 19)));
    CHECK(cudaMemcpyAsync(array.get(), host.get(), bytes, cudaMemcpyHostToDevice, stream));
    say(key, latch.isOpen() ? "afterwards" : "before");
    std::memset(host.get(), 8, bytes);
  }
  stream.synchronize();
  say(key + "-value", array.all());
}

TWIN(pageableSizes, "pageable-to-device-of-each-size", Kind::kPlain) {
  sayFromPageableOfSize("64-KiB", 64 << 10);
  sayFromPageableOfSize("64-KiB-and-1-byte", (64 << 10) + 1);
  sayFromPageableOfSize("1-MiB", 1 << 20);
  sayFromPageableOfSize("4-MiB", 4 << 20);
  sayFromPageableOfSize("64-MiB", 64 << 20);
  sayFromPageableOfSize("256-MiB", 256 << 20);
}

/** The call need not return before the copy's turn; Stretto stages ordinary memory by threads of its own, and its does. */
TWIN(ordinaryToDevice, "ordinary-to-device-unasked", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Ordinary host(kLarge);
  host.fill(7);
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  });
  stream.synchronize();
  say("device-sees", array.all());
}

TWIN(deviceToOrdinary, "device-to-ordinary-unasked", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Ordinary host(kLarge);
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(array.get(), 7, kLarge);
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(host.get(), array.get(), host.bytes(), cudaMemcpyDeviceToHost, stream));
  });
  stream.synchronize();
  say("host", host.all());
}

/** A part of ordinary memory that is registered is copied as pinned memory is. */
TWIN(registeredPart, "registered-part-to-device", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Ordinary host(3 * kLarge);
  host.fill(7);
  int* part = host.get() + kLarge;
  CHECK(cudaHostRegister(part, 4 * kLarge, cudaHostRegisterDefault));
  latch.hold(stream);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaMemcpyAsync(array.get(), part, 4 * kLarge, cudaMemcpyHostToDevice, stream));
  });
  std::fill(part, part + kLarge, 8);
  latch.open();
  stream.synchronize();
  say("device-sees", array.all());
  CHECK(cudaHostUnregister(part));
}

TWIN(toRegistered, "device-to-registered-part", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  Ordinary host(3 * kLarge);
  int* part = host.get() + kLarge;
  CHECK(cudaHostRegister(part, 4 * kLarge, cudaHostRegisterDefault));
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(array.get(), 7, kLarge);
  latch.hold(stream);
  sayReturnsFirst(latch, [&] {
    CHECK(cudaMemcpyAsync(part, array.get(), 4 * kLarge, cudaMemcpyDeviceToHost, stream));
  });
  say("host-before", part[kLarge - 1]);
  latch.open();
  stream.synchronize();
  say("host", part[kLarge - 1]);
  say("beside", host.get()[kLarge - 1] + host.get()[2 * kLarge]);
  CHECK(cudaHostUnregister(part));
}

TWIN(registeredTwice, "registered-twice", Kind::kPlain) {
  Stream stream;
  Array<int> array(kLarge);
  Ordinary host(2 * kLarge);
  host.fill(7);
  CHECK(cudaHostRegister(host.get(), 4 * kLarge, cudaHostRegisterDefault));
  say("again", outcome(cudaHostRegister(host.get(), 4 * kLarge, cudaHostRegisterDefault),
                       cudaErrorHostMemoryAlreadyRegistered));
  say("a-part", outcome(cudaHostRegister(host.get() + kLarge / 2, 4 * kLarge, cudaHostRegisterDefault),
                        cudaErrorHostMemoryAlreadyRegistered));
  CHECK(cudaMemcpyAsync(array.get(), host.get(), array.bytes(), cudaMemcpyHostToDevice, stream));
  stream.synchronize();
  say("value", array.all());
  CHECK(cudaHostUnregister(host.get()));
}

TWIN(registeredAnew, "registered-anew", Kind::kPlain) {
  Stream stream;
  Array<int> array(kLarge);
  Ordinary host(kLarge);
  std::string again;
  for (int i = 0; i < 5; i++) {
    host.fill(i);
    again = outcome(cudaHostRegister(host.get(), host.bytes(), cudaHostRegisterDefault), cudaSuccess);
    if (again != "accepted") break;
    CHECK(cudaMemcpyAsync(array.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
    stream.synchronize();
    CHECK(cudaHostUnregister(host.get()));
  }
  say("every-time", again);
  say("value", array.all());
}

/**
 * The end of a registration: CUDA says nothing of work in flight, so this is not tried. Stretto unpins after the last copy,
 * and does not wait.
 */
TWIN(unregistered, "unregistered-in-flight", Kind::kPlain) {
  sayUndefined("returns");
  sayUndefined("value");
}

/** Memory is pinned while a stream is held up: the first copy that is staged does so within its call. */
TWIN(pinnedAllocated, "pinned-allocated-in-flight", Kind::kPlain) {
  Stream stream;
  Latch latch;
  latch.hold(stream);
  int* host = nullptr;
  {
    OpenedLater opened(latch);
    CHECK(cudaMallocHost(reinterpret_cast<void**>(&host), 16 * kLarge));
    say("returns", latch.isOpen() ? "afterwards" : "before");
  }
  stream.synchronize();
  CHECK(cudaFreeHost(host));
}

/** cudaFreeHost waits for the device; Stretto's arena is closed at once, and its memory goes after the last copy. */
TWIN(pinnedFreed, "pinned-freed-in-flight", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> array(kLarge);
  int* host = nullptr;
  CHECK(cudaMallocHost(reinterpret_cast<void**>(&host), 4 * kLarge));
  std::fill(host, host + kLarge, 7);
  latch.hold(stream);
  CHECK(cudaMemcpyAsync(array.get(), host, 4 * kLarge, cudaMemcpyHostToDevice, stream));
  sayReturns(latch, [&] { CHECK(cudaFreeHost(host)); });
  stream.synchronize();
  say("value", array.all());
}

/** cudaFree waits for the device; closing an array of Stretto's does not, and frees it after its last use. */
TWIN(arrayFreed, "array-freed-in-flight", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Array<int> copied(kLarge);
  int* array = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&array), 4 * kLarge));
  CHECK(cudaMemset(array, 0, 4 * kLarge));
  CHECK(cudaDeviceSynchronize());
  latch.hold(stream);
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(array, 7, kLarge);
  CHECK(cudaMemcpyAsync(copied.get(), array, 4 * kLarge, cudaMemcpyDeviceToDevice, stream));
  sayReturns(latch, [&] { CHECK(cudaFree(array)); });
  stream.synchronize();
  say("value", copied.all());
}

/** CUDA copies from host to host while the caller waits; Stretto does it in the order of the stream. */
TWIN(hostToHost, "host-to-host", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Pinned<int> from(kLarge), to(kLarge);
  from.fill(7);
  latch.hold(stream);
  sayReturns(latch, [&] {
    CHECK(cudaMemcpyAsync(to.get(), from.get(), from.bytes(), cudaMemcpyHostToHost, stream));
  });
  stream.synchronize();
  say("value", to.all());
}

std::string kindOf(const void* address) {
  cudaPointerAttributes found = {};
  CHECK(cudaPointerGetAttributes(&found, address));
  switch (found.type) {
    case cudaMemoryTypeDevice: return "device";
    case cudaMemoryTypeHost: return "pinned";
    case cudaMemoryTypeUnregistered: return "ordinary";
    default: return "other";
  }
}

TWIN(pointerKinds, "what-lies-at-an-address", Kind::kPlain) {
  Array<int> array(100);
  Pinned<int> pinned(100);
  Ordinary ordinary(3 * 1024);
  say("array", kindOf(array.get()));
  say("inside-an-array", kindOf(array.get() + 50));
  say("pinned", kindOf(pinned.get()));
  say("ordinary", kindOf(ordinary.get()));
  CHECK(cudaHostRegister(ordinary.get() + 1024, 4096, cudaHostRegisterDefault));
  say("registered", kindOf(ordinary.get() + 1024));
  say("before-what-is-registered", kindOf(ordinary.get()));
  say("behind-what-is-registered", kindOf(ordinary.get() + 2048));
  CHECK(cudaHostUnregister(ordinary.get() + 1024));
}

}  // namespace
