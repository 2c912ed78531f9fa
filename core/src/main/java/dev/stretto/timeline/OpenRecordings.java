package dev.stretto.timeline;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** The recordings of the process that have not ended, which hear of the program's ranges. */
final class OpenRecordings {
  private static final List<WeakReference<Recordings>> OPEN = new CopyOnWriteArrayList<>();

  /** Whether there may be any; read by every range. */
  private static volatile boolean any;

  private OpenRecordings() {}

  static boolean any() {
    return any;
  }

  static List<Recordings> all() {
    return OPEN.stream().map(WeakReference::get).filter(Objects::nonNull).toList();
  }

  static synchronized void add(Recordings begun) {
    OPEN.removeIf(each -> each.refersTo(null));
    OPEN.add(new WeakReference<>(begun));
    any = true;
  }

  static synchronized void remove(Recordings ended) {
    OPEN.removeIf(each -> each.refersTo(null) || each.refersTo(ended));
    any = !OPEN.isEmpty();
  }
}
