package dev.stretto.order;

import java.util.List;

/** Makes a stream wait for what its next operation must come after. */
final class Waits {
  private Waits() {}

  static void enqueue(StreamClock stream, List<Access> before) {
    OrderedStream waiting = stream.stream();
    if (waiting == null) {
      return; // closed: the operation will be refused
    }
    for (int i = 0; i < before.size(); i++) {
      Access access = before.get(i);
      OrderedStream other = ((StreamClock) access.actor()).stream();
      if (other != null && access.sequence() > 0 && isLast(before, i)) {
        waiting.waitFor(other, access.sequence());
      }
    }
  }

  /** Whether none of the others implies this one: a later one of the same stream. */
  private static boolean isLast(List<Access> before, int at) {
    Access access = before.get(at);
    for (int i = 0; i < before.size(); i++) {
      Access other = before.get(i);
      if (other.actor() == access.actor()
          && (other.sequence() > access.sequence()
              || (other.sequence() == access.sequence() && i < at))) {
        return false;
      }
    }
    return true;
  }
}
