// When a callback runs: CUDA Runtime API, cudaLaunchHostFunc.
#pragma once

#include "frame.cuh"

namespace {

/** Enqueues a callback; it has to be kept until it has run. */
void then(cudaStream_t stream, std::function<void()>& callback) {
  CHECK(cudaLaunchHostFunc(
      stream, [](void* function) { (*static_cast<std::function<void()>*>(function))(); }, &callback));
}

TWIN(callbackSees, "callback-sees-what-was-copied", Kind::kPlain) {
  Stream stream;
  Array<int> cells(1000);
  Pinned<int> host(1000);
  std::atomic<long> seen{0};
  std::function<void()> callback = [&] { seen = host.all(); };
  addAllKernel<<<8, 128, 0, stream>>>(cells.get(), 7, 1000);
  CHECK(cudaMemcpyAsync(host.get(), cells.get(), host.bytes(), cudaMemcpyDeviceToHost, stream));
  then(stream, callback);
  stream.synchronize();
  say("seen", seen);
}

TWIN(callbackBefore, "callback-before-later-work", Kind::kPlain) {
  Stream stream;
  Pinned<int> cell(1);
  std::atomic<int> seen{-1};
  std::function<void()> callback = [&] { seen = cell[0]; };
  then(stream, callback);
  put(cell.get(), 7, stream);
  stream.synchronize();
  say("seen", seen);
  say("value", cell[0]);
}

/** What a callback writes to pinned memory a later copy reads. */
TWIN(callbackWrites, "callback-writes-what-is-copied", Kind::kPlain) {
  Stream stream;
  Array<int> cells(100);
  Pinned<int> host(100);
  std::function<void()> callback = [&] { host.fill(7); };
  then(stream, callback);
  CHECK(cudaMemcpyAsync(cells.get(), host.get(), host.bytes(), cudaMemcpyHostToDevice, stream));
  stream.synchronize();
  say("value", cells.all());
}

TWIN(callbackOrder, "callbacks-in-their-order", Kind::kPlain) {
  Stream stream;
  std::string order;
  std::function<void()> a = [&] { order += 'a'; }, b = [&] { order += 'b'; }, c = [&] { order += 'c'; };
  then(stream, a);
  then(stream, b);
  then(stream, c);
  stream.synchronize();
  say("order", order);
}

TWIN(callbackHeld, "callback-behind-what-is-held-up", Kind::kPlain) {
  Stream stream;
  Latch latch;
  std::atomic<bool> ran{false};
  std::function<void()> callback = [&] { ran = true; };
  latch.hold(stream);
  then(stream, callback);
  say("ran-before", yesNo(ran));
  latch.open();
  stream.synchronize();
  say("ran", yesNo(ran));
}

/** Another stream that waits for an event behind a callback comes after it. */
TWIN(callbackEvent, "callback-before-an-event", Kind::kPlain) {
  Stream one, two;
  Event event;
  Latch latch;
  Pinned<int> host(1);
  Array<int> cell(1);
  std::function<void()> callback = [&] { host.set(0, 7); };
  latch.hold(one);
  then(one, callback);
  event.record(one);
  wait(two, event);
  CHECK(cudaMemcpyAsync(cell.get(), host.get(), 4, cudaMemcpyHostToDevice, two));
  say("two", query(two));
  latch.open();
  two.synchronize();
  say("value", cell.all());
}

/** On a default stream CUDA runs callbacks; Stretto refuses, for it could not hold such a stream back meanwhile. */
TWIN(callbackLegacy, "callback-on-legacy", Kind::kPlain) {
  bool ran = false;
  std::function<void()> callback = [&] { ran = true; };
  then(cudaStreamLegacy, callback);
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  say("callback", ran ? "accepted" : "lost");
}

/** CUDA forbids calls of its API in a callback; Stretto's callbacks run on threads of its own and may use all of it. */
TWIN(callbackEnqueues, "callback-that-enqueues", Kind::kPlain) { sayUndefined("value"); }

}  // namespace
