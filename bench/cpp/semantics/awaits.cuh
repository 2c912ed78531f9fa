// What the host waits for, and what it is told when it asks: CUDA Runtime API, cudaStreamSynchronize, cudaStreamQuery,
// cudaEventSynchronize, cudaEventQuery and cudaDeviceSynchronize.
#pragma once

#include "frame.cuh"

namespace {

/** Another thread enqueues on a stream, and this one, which has not used it, asks and waits. */
void sayOthersWork(cudaStream_t stream, const std::function<void()>& synchronize) {
  Latch latch;
  Pinned<int> cell(1);
  inThread([&] {
    latch.hold(stream);
    put(cell.get(), 7, stream);
  });
  say("query", query(stream));
  OpenedLater opened(latch);
  synchronize();
  say("value-on-return", cell[0]);
}

TWIN(awaitLegacy, "await-legacy-with-work-of-others", Kind::kPlain) {
  sayOthersWork(cudaStreamLegacy, [] { CHECK(cudaStreamSynchronize(cudaStreamLegacy)); });
}

TWIN(awaitBlocking, "await-blocking-with-work-of-others", Kind::kPlain) {
  Stream stream(cudaStreamDefault);
  sayOthersWork(stream, [&] { stream.synchronize(); });
}

TWIN(awaitNonBlocking, "await-non-blocking-with-work-of-others", Kind::kPlain) {
  Stream stream;
  sayOthersWork(stream, [&] { stream.synchronize(); });
}

/** A stream of Stretto's is awaited; another library has enqueued on it. */
TWIN(awaitCalled, "await-with-work-of-a-library", Kind::kPlain) {
  Stream stream;
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(stream);
  put(cell.get(), 7, stream);
  OpenedLater opened(latch);
  stream.synchronize();
  say("value-on-return", cell[0]);
}

/** Nothing is on the legacy stream; but whoever waits for it waits for the blocking streams too. */
TWIN(awaitLegacyBesideBlocking, "await-legacy-beside-blocking", Kind::kPlain) {
  Stream blocking(cudaStreamDefault);
  sayOthersWork(blocking, [] {
    say("query-legacy", query(cudaStreamLegacy));
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  });
}

/** Nothing is on the blocking stream. Stretto marks its end, and the mark comes after what the legacy stream holds. */
TWIN(awaitBlockingBesideLegacy, "await-blocking-beside-legacy", Kind::kPlain) {
  Stream blocking(cudaStreamDefault);
  Latch latch;
  latch.hold(cudaStreamLegacy);
  say("query-blocking", query(blocking));
  OpenedLater opened(latch);
  blocking.synchronize();
  say("returns", latch.isOpen() ? "afterwards" : "before");
}

TWIN(awaitLegacyBesideNonBlocking, "await-legacy-beside-non-blocking", Kind::kPlain) {
  Stream stream;
  Latch latch;
  latch.hold(stream);
  say("query-legacy", query(cudaStreamLegacy));
  sayReturnsFirst(latch, [] { CHECK(cudaStreamSynchronize(cudaStreamLegacy)); });
}

/** Work that is enqueued while another thread waits does not make it wait for longer. */
TWIN(awaitEarlierWork, "await-event-before-later-work", Kind::kPlain) {
  Stream stream;
  Event event;
  Latch latch;
  event.record(stream);
  latch.hold(stream);
  sayReturnsFirst(latch, [&] { CHECK(cudaEventSynchronize(event)); });
  say("event", query(event));
  say("stream", query(stream));
}

TWIN(awaitEvent, "await-event", Kind::kPlain) {
  Stream stream;
  Event event;
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(stream);
  put(cell.get(), 7, stream);
  event.record(stream);
  say("event", query(event));
  OpenedLater opened(latch);
  CHECK(cudaEventSynchronize(event));
  say("value-on-return", cell[0]);
  say("event-then", query(event));
}

void sayAwaitDevice(const char* key, cudaStream_t stream) {
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(stream);
  put(cell.get(), 7, stream);
  OpenedLater opened(latch);
  CHECK(cudaDeviceSynchronize());
  say(key, cell[0]);
}

TWIN(awaitDevice, "await-device", Kind::kPlain) {
  Stream stream;
  sayAwaitDevice("legacy", cudaStreamLegacy);
  sayAwaitDevice("per-thread", cudaStreamPerThread);
  sayAwaitDevice("non-blocking", stream);
}

TWIN(awaitDeviceBlocking, "await-device-with-blocking", Kind::kPlain) {
  Stream stream(cudaStreamDefault);
  sayAwaitDevice("blocking", stream);
}

/** The device is waited for with all that anybody enqueued, also on a stream that this thread does not know. */
TWIN(awaitDeviceOthers, "await-device-with-work-of-others", Kind::kPlain) {
  Stream stream;
  sayOthersWork(stream, [] { CHECK(cudaDeviceSynchronize()); });
}

TWIN(awaitOneOfTwo, "await-one-stream-beside-another", Kind::kPlain) {
  Stream held, stream;
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(held);
  put(cell.get(), 7, stream);
  sayReturnsFirst(latch, [&] { stream.synchronize(); });
  say("value-on-return", cell[0]);
  say("held", query(held));
}

TWIN(queryIdle, "query-what-was-never-used", Kind::kPlain) {
  Stream stream;
  say("non-blocking", query(stream));
  say("legacy", query(cudaStreamLegacy));
  say("per-thread", query(cudaStreamPerThread));
}

/** Destroying a stream does not wait, and does not drop what it holds. */
TWIN(destroyStream, "destroy-a-stream-in-use", Kind::kPlain) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Latch latch;
  Pinned<int> cell(1);
  latch.hold(stream);
  put(cell.get(), 7, stream);
  sayReturnsFirst(latch, [&] { CHECK(cudaStreamDestroy(stream)); });
  say("value-before", cell[0]);
  latch.open();
  CHECK(cudaDeviceSynchronize());
  say("value", cell[0]);
}

}  // namespace
