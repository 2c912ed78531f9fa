package dev.stretto.order;

import org.jspecify.annotations.Nullable;

/** The sources in some memory. They are linked, since any of many may be removed. */
final class SourceList {
  private @Nullable SourceSum last;

  void add(SourceSum sum) {
    SourceSum old = last;
    sum.before = old;
    if (old != null) {
      old.next = sum;
    }
    last = sum;
  }

  /** Removes one that is in the list. */
  void remove(SourceSum sum) {
    SourceSum before = sum.before;
    SourceSum next = sum.next;
    if (before != null) {
      before.next = next;
    }
    if (next != null) {
      next.before = before;
    } else {
      last = before;
    }
    sum.before = null;
    sum.next = null;
  }

  /** Notes that bytes are written. */
  void written(Footprint bytes) {
    for (SourceSum sum = last; sum != null; sum = sum.before) {
      sum.written(bytes);
    }
  }
}
