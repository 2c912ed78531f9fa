// What an event stands for, and from when on: CUDA Driver API, cuEventRecord and cuStreamWaitEvent.
#pragma once

#include "frame.cuh"

namespace {

TWIN(eventNever, "event-never-recorded", Kind::kPlain) {
  Event event;
  Stream stream;
  say("event", query(event));
  CHECK(cudaEventSynchronize(event));
  wait(stream, event);
  stream.synchronize();
  say("stream", query(stream));
}

/** A wait for an event that is recorded only later is no wait. */
TWIN(eventBefore, "event-waited-for-before-recorded", Kind::kPlain) {
  Event event;
  Stream held, stream;
  Latch latch;
  Pinned<int> cell(1);
  wait(stream, event);
  latch.hold(held);
  event.record(held);
  put(cell.get(), 7, stream);
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  say("value", cell[0]);
}

TWIN(eventAfter, "event-waited-for-after-recorded", Kind::kPlain) {
  Event event;
  Stream held, stream;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(held);
  put(cell.get(), 7, held);
  event.record(held);
  wait(stream, event);
  take(seen.get(), cell.get(), stream);
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  latch.open();
  stream.synchronize();
  say("value", seen[0]);
}

/** Who waits waits for what the event stood for then, though it is recorded anew meanwhile. */
TWIN(eventAnewAfter, "event-recorded-anew-after-the-wait", Kind::kPlain) {
  Event event;
  Stream held, stream, free;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(held);
  put(cell.get(), 7, held);
  event.record(held);
  wait(stream, event);
  event.record(free);
  take(seen.get(), cell.get(), stream);
  CHECK(cudaEventSynchronize(event));
  say("event", query(event));
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  latch.open();
  stream.synchronize();
  say("value", seen[0]);
}

TWIN(eventAnewBefore, "event-recorded-anew-before-the-wait", Kind::kPlain) {
  Event event;
  Stream held, stream, free;
  Latch latch;
  latch.hold(held);
  event.record(held);
  event.record(free);
  wait(stream, event);
  sayReturnsFirst(latch, [&] { CHECK(cudaEventSynchronize(event)); });
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
}

/** What its stream is given behind the recording is not waited for. */
TWIN(eventEarlier, "event-stands-for-earlier-work-alone", Kind::kPlain) {
  Event event;
  Stream held, stream;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  put(cell.get(), 7, held);
  event.record(held);
  latch.hold(held);
  put(cell.get(), 8, held);
  wait(stream, event);
  take(seen.get(), cell.get(), stream);
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  say("value", seen[0]);
}

TWIN(eventChain, "event-chain-of-three-streams", Kind::kPlain) {
  Event first, second;
  Stream a, b, c;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(a);
  add(cell.get(), 3, a);
  first.record(a);
  wait(b, first);
  add(cell.get(), 4, b);
  second.record(b);
  wait(c, second);
  take(seen.get(), cell.get(), c);
  say("last", query(c));
  latch.open();
  c.synchronize();
  say("value", seen[0]);
}

/** Who waits goes on waiting for what was recorded, though the event is destroyed. */
TWIN(eventDestroyed, "event-destroyed-while-waited-for", Kind::kPlain) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  Stream held, stream;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(held);
  put(cell.get(), 7, held);
  CHECK(cudaEventRecord(event, held));
  wait(stream, event);
  sayReturnsFirst(latch, [&] { CHECK(cudaEventDestroy(event)); });
  take(seen.get(), cell.get(), stream);
  say("stream", passes(static_cast<cudaStream_t>(stream)) ? "independent" : "waits");
  latch.open();
  stream.synchronize();
  say("value", seen[0]);
}

TWIN(eventTime, "event-times", Kind::kPlain) {
  Event begin(cudaEventDefault), end(cudaEventDefault);
  Stream stream;
  Latch latch;
  float milliseconds = -1;
  begin.record(stream);
  latch.hold(stream);
  end.record(stream);
  say("before-the-end", outcome(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorNotReady));
  latch.open();
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  say("forwards", milliseconds > 0 ? "positive" : "not positive");
  CHECK(cudaEventElapsedTime(&milliseconds, end, begin));
  say("backwards", milliseconds < 0 ? "negative" : "not negative");
}

/** An event of the legacy stream comes after all work of blocking streams. */
TWIN(eventLegacyBlocking, "event-of-legacy-beside-blocking", Kind::kPlain) {
  Stream blocking(cudaStreamDefault);
  Event event;
  Latch latch;
  latch.hold(blocking);
  event.record(cudaStreamLegacy);
  say("event", passes(static_cast<cudaEvent_t>(event)) ? "independent" : "waits");
  latch.open();
  CHECK(cudaEventSynchronize(event));
}

TWIN(eventLegacyNonBlocking, "event-of-legacy-beside-non-blocking", Kind::kPlain) {
  Stream stream;
  Event event;
  Latch latch;
  latch.hold(stream);
  event.record(cudaStreamLegacy);
  say("event", passes(static_cast<cudaEvent_t>(event)) ? "independent" : "waits");
}

/** The legacy stream waits for a non-blocking one where an event says so, and blocking streams with it. */
TWIN(eventLegacyWaits, "event-that-legacy-waits-for", Kind::kPlain) {
  Stream held;
  Event event;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(1);
  latch.hold(held);
  put(cell.get(), 7, held);
  event.record(held);
  wait(cudaStreamLegacy, event);
  take(seen.get(), cell.get(), cudaStreamPerThread);
  say("per-thread", passes(cudaStreamPerThread) ? "independent" : "waits");
  latch.open();
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  say("value", seen[0]);
}

TWIN(eventOwn, "event-of-the-same-stream", Kind::kPlain) {
  Stream stream;
  Event event;
  Pinned<int> cell(1);
  put(cell.get(), 7, stream);
  event.record(stream);
  wait(stream, event);
  stream.synchronize();
  say("value", cell[0]);
}

TWIN(eventTwoWaiters, "event-that-two-wait-for", Kind::kPlain) {
  Stream held, one, two;
  Event event;
  Latch latch;
  Array<int> cell(1);
  Pinned<int> seen(2);
  latch.hold(held);
  put(cell.get(), 7, held);
  event.record(held);
  wait(one, event);
  wait(two, event);
  take(seen.get(), cell.get(), one);
  take(seen.get() + 1, cell.get(), two);
  latch.open();
  one.synchronize();
  two.synchronize();
  say("values", seen.all());
}

}  // namespace
