package dev.stretto;

import org.jspecify.annotations.Nullable;

/** The end of a callback: awaiting it reports what the callback threw. */
final class CallbackEvent extends Event {
  CallbackEvent(Stream stream, long sequence) {
    super(stream, sequence);
  }

  @Override
  @Nullable RuntimeException failure() {
    return stream().queue().failureUpTo(sequence());
  }
}
