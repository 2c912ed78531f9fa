// Two devices: CUDA C++ Programming Guide, "Peer-to-Peer Memory Access" and "Peer-to-Peer Memory Copy".
#pragma once

#include "errors.cuh"
#include "memory.cuh"

namespace {

/** Has a device be the current one for as long as this lives. */
class On {
 public:
  explicit On(int device) { CHECK(cudaSetDevice(device)); }
  ~On() { cudaSetDevice(0); }
  On(const On&) = delete;
  On& operator=(const On&) = delete;
};

template <typename T, typename... Arguments>
T on(int device, Arguments... arguments) {
  On there(device);
  return T(arguments...);
}

/** Access of device 0 to the memory of device 1, for as long as this lives. */
class Access {
 public:
  Access() { CHECK(cudaDeviceEnablePeerAccess(1, 0)); }
  ~Access() { cudaDeviceDisablePeerAccess(1); }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
};

long allOn(int device, const Array<int>& array) {
  On there(device);
  return array.all();
}

TWIN(peerAccess, "peer-access", Kind::kPair) {
  int there = 0, back = 0;
  CHECK(cudaDeviceCanAccessPeer(&there, 0, 1));
  CHECK(cudaDeviceCanAccessPeer(&back, 1, 0));
  say("there", yesNo(there != 0));
  say("back", yesNo(back != 0));
  say("to-itself", outcome(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported));
}

/** CUDA enables access once; Stretto hands out a handle each time, and access lasts as long as one is open. */
TWIN(peerAccessTwice, "peer-access-enabled-twice", Kind::kPair) {
  Access access;
  say("again", outcome(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled));
}

/** Device 0 copies to device 1 on its own stream: the receiver's streams have to be told. */
void saySenders() {
  Stream stream;
  Stream theirs = on<Stream>(1);
  Latch latch;
  Array<int> from(kLarge);
  Array<int> to = on<Array<int>>(1, kLarge);
  Pinned<int> seen(kLarge);
  latch.hold(stream);
  addAllKernel<<<kLarge / 256, 256, 0, stream>>>(from.get(), 7, kLarge);
  sayReturnsFirst(latch, [&] { CHECK(cudaMemcpyPeerAsync(to.get(), 1, from.get(), 0, from.bytes(), stream)); });
  {
    On there(1);
    CHECK(cudaMemcpyAsync(seen.get(), to.get(), to.bytes(), cudaMemcpyDeviceToHost, theirs));
    say("receiver", passes(static_cast<cudaStream_t>(theirs)) ? "independent" : "waits");
  }
  say("receiver-sees", seen.all());
  latch.open();
  stream.synchronize();
  say("value", allOn(1, to));
}

/** Device 1 takes from device 0 on its own stream: the sender's streams have to be told. */
void sayReceivers() {
  Stream mine;
  Stream stream = on<Stream>(1);
  Event ready;
  Latch latch;
  Array<int> from(kLarge);
  Array<int> to = on<Array<int>>(1, kLarge);
  latch.hold(mine);
  addAllKernel<<<kLarge / 256, 256, 0, mine>>>(from.get(), 7, kLarge);
  ready.record(mine);
  {
    On there(1);
    wait(stream, ready);
    sayReturnsFirst(latch, [&] { CHECK(cudaMemcpyPeerAsync(to.get(), 1, from.get(), 0, from.bytes(), stream)); });
    say("receiver", query(stream));
  }
  latch.open();
  {
    On there(1);
    stream.synchronize();
  }
  say("value", allOn(1, to));
}

TWIN(peerSender, "peer-copy-on-the-senders-stream", Kind::kPair) {
  Access access;
  saySenders();
}

TWIN(peerReceiver, "peer-copy-on-the-receivers-stream", Kind::kPair) {
  Access access;
  sayReceivers();
}

TWIN(peerSenderStaged, "peer-copy-on-the-senders-stream-without-access", Kind::kPair) { saySenders(); }

TWIN(peerReceiverStaged, "peer-copy-on-the-receivers-stream-without-access", Kind::kPair) { sayReceivers(); }

/** Rows of planes go to device 1 and back, each time to other pitches; the bytes between them stay. */
void sayRows(int planes) {
  constexpr int kInts = 15, kInPlane = 50, kNear = 20, kFar = 17;
  Stream stream;
  int nearPlane = kNear * kInPlane, farPlane = kFar * (kInPlane + 2);
  Pinned<int> in(nearPlane * planes);
  for (int i = 0; i < nearPlane * planes; i++) in.set(i, i + 1);
  Array<int> from(nearPlane * planes), back(nearPlane * planes);
  Array<int> to = on<Array<int>>(1, farPlane * planes);
  CHECK(cudaMemcpyAsync(from.get(), in.get(), in.bytes(), cudaMemcpyHostToDevice, stream));
  cudaMemcpy3DPeerParms parameters = {};
  parameters.extent = make_cudaExtent(kInts * sizeof(int), kInPlane, planes);
  parameters.srcPtr = make_cudaPitchedPtr(from.get(), kNear * sizeof(int), kInts, kInPlane);
  parameters.srcDevice = 0;
  parameters.dstPtr = make_cudaPitchedPtr(to.get(), kFar * sizeof(int), kInts, kInPlane + 2);
  parameters.dstDevice = 1;
  CHECK(cudaMemcpy3DPeerAsync(&parameters, stream));
  parameters.srcPtr = parameters.dstPtr;
  parameters.srcDevice = 1;
  parameters.dstPtr = make_cudaPitchedPtr(back.get(), kNear * sizeof(int), kInts, kInPlane);
  parameters.dstDevice = 0;
  CHECK(cudaMemcpy3DPeerAsync(&parameters, stream));
  stream.synchronize();
  std::vector<int> there;
  {
    On device(1);
    there = to.read();
  }
  std::vector<int> found = back.read();
  long wrong = 0, touched = 0;
  for (int i = 0; i < farPlane * planes; i++) {
    int row = i % farPlane / kFar;
    bool inside = i % farPlane % kFar < kInts && row < kInPlane;
    if (inside) wrong += there[i] != i / farPlane * nearPlane + row * kNear + i % farPlane % kFar + 1;
    else touched += there[i] != 0;
  }
  for (int i = 0; i < nearPlane * planes; i++) {
    if (i % kNear < kInts) wrong += found[i] != i + 1;
    else touched += found[i] != 0;
  }
  say("wrong", wrong);
  say("touched-between-rows", touched);
}

TWIN(peerRows, "peer-copy-of-rows", Kind::kPair) {
  Access access;
  sayRows(1);
}

TWIN(peerRowsStaged, "peer-copy-of-rows-without-access", Kind::kPair) { sayRows(1); }

TWIN(peerPlanes, "peer-copy-of-planes", Kind::kPair) {
  Access access;
  sayRows(3);
}

TWIN(peerPlanesStaged, "peer-copy-of-planes-without-access", Kind::kPair) { sayRows(3); }

TWIN(peerEvent, "peer-event-between-devices", Kind::kPair) {
  Stream mine;
  Stream theirs = on<Stream>(1);
  Event event;
  Latch latch;
  Pinned<int> cell(1), seen(1);
  latch.hold(mine);
  put(cell.get(), 7, mine);
  event.record(mine);
  On there(1);
  wait(theirs, event);
  take(seen.get(), cell.get(), theirs);
  say("theirs", query(theirs));
  latch.open();
  theirs.synchronize();
  say("value", seen[0]);
}

TWIN(peerKernel, "peer-kernel-with-access", Kind::kPair) {
  Access access;
  Stream stream;
  Stream theirs = on<Stream>(1);
  Array<int> cell(1);
  Array<int> their = on<Array<int>>(1, 1);
  {
    On there(1);
    put(their.get(), 7, theirs);
    theirs.synchronize();
  }
  take(cell.get(), their.get(), stream);
  add(their.get(), 1, stream);
  stream.synchronize();
  say("read", cell.all());
  say("written", allOn(1, their));
}

/** A kernel that touches another device's memory without access would fault; Stretto refuses the launch. */
TWIN(peerKernelWithout, "peer-kernel-without-access", Kind::kPair) { sayUndefined("launch"); }

/** On a default stream such a copy waits for all work of both devices; Stretto refuses it there. */
TWIN(peerLegacy, "peer-copy-on-legacy", Kind::kPair) {
  Array<int> from(1);
  Array<int> to = on<Array<int>>(1, 1);
  say("copy", outcome(cudaMemcpyPeerAsync(to.get(), 1, from.get(), 0, 4, cudaStreamLegacy), cudaErrorInvalidValue));
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
}

/**
 * A kernel on the other device faults while this one is held up. Whether this one goes on is the driver's choice: CUDA
 * promises nothing to a process in which a kernel has faulted. Virtual devices go on, each by itself.
 */
void sayLossOfTheOther() {
  Stream stream;
  Stream theirs = on<Stream>(1);
  Array<int> cell(1);
  Array<int> their = on<Array<int>>(1, 1);
  Latch latch;
  latch.hold(stream);
  add(cell.get(), 7, stream);
  {
    On there(1);
    fault(their.get(), theirs);
    say("theirs", lost(cudaStreamSynchronize(theirs)));
  }
  say("mine", lostQuery(stream));
  latch.open();
  say("await", lost(cudaStreamSynchronize(stream)));
  addKernel<<<1, 1, 0, stream>>>(cell.get(), 1);
  cudaError_t more = cudaGetLastError();
  say("await-more", lost(more == cudaSuccess ? cudaStreamSynchronize(stream) : more));
}

TWIN(peerLoss, "peer-fault-on-another-device", Kind::kPairAlone) { sayLossOfTheOther(); }

TWIN(peerLossWithAccess, "peer-fault-on-another-device-with-access", Kind::kPairAlone) {
  Access access;
  sayLossOfTheOther();
}

/** The two have nothing in common, not even pinned memory, and this one is idle when the other is lost. */
TWIN(peerLossApart, "peer-fault-on-another-device-with-nothing-shared", Kind::kPairAlone) {
  Stream stream;
  Stream theirs = on<Stream>(1);
  Array<int> cell(1);
  Array<int> their = on<Array<int>>(1, 1);
  add(cell.get(), 7, stream);
  say("before", outcome(cudaStreamSynchronize(stream), cudaSuccess));
  {
    On there(1);
    fault(their.get(), theirs);
    say("theirs", lost(cudaStreamSynchronize(theirs)));
  }
  say("await", lost(cudaStreamSynchronize(stream)));
  addKernel<<<1, 1, 0, stream>>>(cell.get(), 1);
  cudaError_t more = cudaGetLastError();
  say("await-more", lost(more == cudaSuccess ? cudaStreamSynchronize(stream) : more));
}

/** What is copied from a device that is lost before its turn comes is not there, and whoever awaits it hears of that. */
void sayLostSender() {
  Stream mine;
  Stream theirs = on<Stream>(1);
  Event ready;
  Array<int> from(1);
  Array<int> to = on<Array<int>>(1, 1);
  Latch latch;
  latch.hold(mine);
  fault(from.get(), mine);
  ready.record(mine);
  {
    On there(1);
    wait(theirs, ready);
    cudaMemcpyPeerAsync(to.get(), 1, from.get(), 0, 4, theirs);
  }
  latch.open();
  say("sender", lost(cudaStreamSynchronize(mine)));
  On there(1);
  say("copy", lost(cudaStreamSynchronize(theirs)));
}

TWIN(peerLostSender, "peer-copy-from-a-lost-device", Kind::kPairAlone) {
  Access access;
  sayLostSender();
}

TWIN(peerLostSenderStaged, "peer-copy-from-a-lost-device-without-access", Kind::kPairAlone) { sayLostSender(); }

}  // namespace
