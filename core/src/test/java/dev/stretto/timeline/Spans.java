package dev.stretto.timeline;

import dev.stretto.Observer.Kind;

/** Makes spans by hand, in microseconds. */
final class Spans {
  private Spans() {}

  static Span in(int stream, long start, long end) {
    return span(Kind.HOST_TO_DEVICE, stream, start, end);
  }

  static Span kernel(int stream, long start, long end) {
    return span(Kind.KERNEL, stream, start, end);
  }

  static Span out(int stream, long start, long end) {
    return span(Kind.DEVICE_TO_HOST, stream, start, end);
  }

  static Span span(Kind kind, int stream, long start, long end) {
    long bytes = kind == Kind.KERNEL ? 0 : 1000 * (end - start);
    String name = kind.toString().toLowerCase(java.util.Locale.ROOT);
    long number = 1000L * stream + start;
    return new Span(
        kind, name, stream, number, bytes, true, start * 1000, start * 1000, end * 1000);
  }

  static Span atNanos(long start, long end) {
    return new Span(Kind.KERNEL, "kernel", 1, 1, 0, true, start, start, end);
  }
}
