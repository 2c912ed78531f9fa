// What a kernel that faults leaves behind: CUDA Runtime API, cudaErrorIllegalAddress: "This leaves the process in an
// inconsistent state and any further CUDA work will return the same error."
#pragma once

#include "callbacks.cuh"

namespace {

/** `lost` for the error that a fault leaves. */
std::string lost(cudaError_t result) {
  return result == cudaErrorIllegalAddress ? "lost" : outcome(result, cudaSuccess);
}

/** `lost` if asking says so, or what it says. */
std::string lostQuery(cudaStream_t stream) {
  cudaError_t found = cudaStreamQuery(stream);
  return found == cudaErrorIllegalAddress ? "lost" : readiness(found);
}

TWIN(faultSticky, "fault-is-told-by-every-call", Kind::kAlone) {
  Stream stream, other;
  Event event;
  Array<int> cell(1);
  Pinned<int> host(1);
  void* memory = nullptr;
  cudaStream_t made = nullptr;
  fault(cell.get(), stream);
  say("await", lost(cudaStreamSynchronize(stream)));
  say("await-again", lost(cudaStreamSynchronize(stream)));
  say("await-other-stream", lost(cudaStreamSynchronize(other)));
  say("await-device", lost(cudaDeviceSynchronize()));
  say("copy", lost(cudaMemcpyAsync(host.get(), cell.get(), 4, cudaMemcpyDeviceToHost, other)));
  say("fill", lost(cudaMemsetAsync(cell.get(), 0, 4, other)));
  say("record", lost(cudaEventRecord(event, other)));
  say("allocate", lost(cudaMalloc(&memory, 4)));
  say("stream", lost(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)));
  addKernel<<<1, 1, 0, other>>>(cell.get(), 1);
  say("launch", lost(cudaGetLastError()));
}

/** What was copied before is there, and what comes behind the fault never happens. */
TWIN(faultBefore, "fault-between-two-copies", Kind::kAlone) {
  Stream stream;
  Array<int> cell(1);
  Pinned<int> before(1), behind(1);
  Latch latch;
  latch.hold(stream);
  add(cell.get(), 7, stream);
  CHECK(cudaMemcpyAsync(before.get(), cell.get(), 4, cudaMemcpyDeviceToHost, stream));
  fault(cell.get(), stream);
  CHECK(cudaMemcpyAsync(behind.get(), cell.get(), 4, cudaMemcpyDeviceToHost, stream));
  latch.open();
  say("await", lost(cudaStreamSynchronize(stream)));
  say("before", before[0]);
  say("behind", behind[0]);
}

/** A callback does not run if there was an error before it. */
TWIN(faultCallback, "fault-before-a-callback", Kind::kAlone) {
  Stream stream;
  Array<int> cell(1);
  std::atomic<bool> ran{false};
  std::function<void()> callback = [&] { ran = true; };
  Latch latch;
  latch.hold(stream);
  fault(cell.get(), stream);
  then(stream, callback);
  latch.open();
  say("await", lost(cudaStreamSynchronize(stream)));
  say("ran", yesNo(ran));
}

/** Who waits for another stream hears of it, too. */
TWIN(faultElsewhere, "fault-on-a-stream-that-another-waits-for", Kind::kAlone) {
  Stream faulty, stream;
  Event event;
  Array<int> cell(1);
  Pinned<int> seen(1);
  Latch latch;
  latch.hold(faulty);
  fault(cell.get(), faulty);
  event.record(faulty);
  wait(stream, event);
  put(seen.get(), 7, stream);
  latch.open();
  say("await", lost(cudaStreamSynchronize(stream)));
  say("await-event", lost(cudaEventSynchronize(event)));
  say("value", seen[0]);
}

/** A fault is one process's: others go on. */
TWIN(faultProcess, "fault-in-another-process", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(stream);
  put(cell.get(), 7, stream);
  say("other", inProcess("--fault") == 0 ? "lost" : "well");
  say("mine", query(stream));
  latch.open();
  stream.synchronize();
  say("value", cell[0]);
}

}  // namespace
