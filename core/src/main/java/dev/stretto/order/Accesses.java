package dev.stretto.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The accesses to some memory with which a later one may race. */
public final class Accesses {
  /** The most that are kept; of more, the oldest are forgotten, and races with them are missed. */
  private static final int MOST = 1 << 14;

  /** With so many, it is worthwhile to ask streams which are over. */
  private static final int CROWD = 64;

  /** Of so many spans the oldest is forgotten, and races with it are missed. */
  private static final int MOST_SPANS = 256;

  private final Supplier<String> memory;
  private final AccessIndex kept = new AccessIndex();
  private final SourceList sums = new SourceList();

  /** What threads themselves have accessed, and others may not know; the newest last. */
  private final ArrayDeque<HostSpan> spans = new ArrayDeque<>(0);

  private volatile @Nullable HostSpan lastSpan;

  /** How many have been kept so far. */
  private long added;

  private int crowd = CROWD;

  /**
   * Of each stream the last read and the last write that are forgotten because the program knows
   * that they are over, or may know.
   */
  private final Map<Actor, Access> unsureReads = new HashMap<>(0);

  private final Map<Actor, Access> unsureWrites = new HashMap<>(0);

  /** How many are kept, for those who ask without a lock. */
  private volatile int count;

  /** The last number that a stream has written at an address; null if none has anywhere. */
  private @Nullable Map<Long, Written> written;

  /**
   * A number that a stream writes.
   *
   * @param known what those know who have seen it
   */
  record Written(long value, Knowledge known) {}

  void isWritten(long address, Written number) {
    Map<Long, Written> all = written;
    if (all == null) {
      all = new LinkedHashMap<>();
      written = all;
    }
    all.remove(address);
    if (all.size() == MOST_SPANS) {
      all.remove(all.keySet().iterator().next());
    }
    all.put(address, number);
  }

  /** {@return the last number that a stream has written at an address; null if none has} */
  @Nullable Written written(long address) {
    Map<Long, Written> all = written;
    return all == null ? null : all.get(address);
  }

  /**
   * Creates accesses to memory that nobody has accessed.
   *
   * @param memory describes it
   */
  public Accesses(Supplier<String> memory) {
    this.memory = memory;
  }

  /** {@return the accesses that a new one races with, the oldest first} */
  List<Access> racesWith(Access access, Knowledge known) {
    List<Access> found = kept.size() == 0 ? List.of() : kept.racing(access, known);
    if (found.size() > 1) {
      found.sort(Comparator.comparingLong(Access::order));
    }
    return spans.isEmpty() || access.actor() instanceof HostClock
        ? found
        : withSpans(found, access, known);
  }

  private List<Access> withSpans(List<Access> found, Access access, Knowledge known) {
    List<Access> all = new ArrayList<>(found);
    for (HostSpan span : spans) {
      if (!span.isKnownTo(known)) {
        Access before = span.access();
        if (before.conflictsWith(access)) {
          all.add(before);
        }
      }
    }
    return all;
  }

  /** {@return whether the access is one of those that the calling thread is about to make} */
  public boolean isMore(long address, long bytes, Way way) {
    HostSpan last = lastSpan;
    return last != null && count == 0 && last.takes(address, bytes, way);
  }

  /** Keeps what the calling thread accesses. */
  void accessed(HostClock clock, Footprint bytes, Way way, Work work, Knowledge knownToAll) {
    for (HostSpan span : spans) {
      if (span.takes(bytes.address(), bytes.width(), way)) {
        lastSpan = span;
        return;
      }
    }
    spans.removeIf(span -> span.isKnownTo(knownToAll));
    if (spans.size() == MOST_SPANS) {
      spans.removeFirst();
    }
    HostSpan span = new HostSpan(this, clock, bytes, way, work.now());
    spans.addLast(span);
    lastSpan = span;
  }

  /** Keeps an access, whose operation may still be refused. */
  void add(Access access) {
    if (kept.size() >= MOST) {
      makeRoom(access);
    }
    access.order(++added);
    kept.add(access);
    count = kept.size();
    if (access.way().writes()) {
      isWritten(access.bytes());
    }
  }

  /** {@return all of them, if there are so many that it is worthwhile to ask which are over} */
  List<Access> ifMany() {
    return kept.size() < crowd ? List.of() : all();
  }

  /** {@return all that are kept} */
  List<Access> all() {
    List<Access> all = new ArrayList<>(kept.size());
    kept.forEach(all::add);
    return all;
  }

  /** Forgets accesses that are over, though the program need not know that. */
  void forget(Set<Access> over) {
    kept.removeIf(over::contains);
    count = kept.size();
    crowd = Math.max(CROWD, 2 * kept.size());
  }

  /** Where a wait must not be missing, the accesses of a stream become one of more bytes. */
  private void makeRoom(Access next) {
    if (!(next.actor() instanceof StreamClock stream && stream.isAutomatic())) {
      long last = added - MOST / 2;
      kept.removeIf(access -> access.order() <= last);
      return;
    }
    Map<Actor, Access> joined = new LinkedHashMap<>();
    List<Access> all = all();
    all.sort(Comparator.comparingLong(Access::order));
    kept.removeIf(access -> access.sequence() > 0 || access.isVoid());
    for (Access access : all) {
      if (access.sequence() > 0 && !access.isVoid()) {
        joined.merge(access.actor(), access, (older, newer) -> newer.with(older));
      }
    }
    joined.values().forEach(kept::add);
  }

  /**
   * Notes that bytes are written: what they hold later says nothing about the sources of copies.
   */
  void isWritten(Footprint bytes) {
    sums.written(bytes);
  }

  /**
   * Forgets what no later access can race with: what the program knows to be over, since it tells
   * that to all that it enqueues, and what an access that does happen says all about.
   *
   * @param known what the access comes after
   * @param host what the program knows
   */
  void happens(Access access, Knowledge known, Knowledge host) {
    if (kept.size() >= crowd) {
      kept.removeIf(before -> isOver(before, host));
      crowd = Math.max(CROWD, 2 * kept.size());
    }
    kept.removeNear(
        access.bytes(),
        before ->
            isOver(before, host)
                || (!before.isOfSameOperation(access)
                    && before.isSubsumedBy(access)
                    && before.isBefore(access.actor(), known)));
    count = kept.size();
  }

  private boolean isOver(Access before, Knowledge host) {
    boolean isOver = before.isVoid() || before.isKnownTo(host);
    if (isOver && !before.isVoid() && !before.isCertainlyOver()) {
      (before.way().writes() ? unsureWrites : unsureReads).put(before.actor(), before);
    }
    return isOver;
  }

  /** Forgets what the program knows to be over. */
  void forget(Knowledge host) {
    kept.removeIf(before -> isOver(before, host));
    count = kept.size();
  }

  /** Forgets what the program knows to be over of some bytes. */
  void forgetNear(Footprint bytes, Knowledge host) {
    kept.removeNear(bytes, before -> isOver(before, host));
    count = kept.size();
  }

  /** Whether none that is kept, but those of the same operation, is of the same bytes. */
  boolean isFreeFor(Access access) {
    unsureReads.values().removeIf(Access::isCertainlyOver);
    unsureWrites.values().removeIf(Access::isCertainlyOver);
    return unsureWrites.isEmpty()
        && (unsureReads.isEmpty() || !access.way().writes())
        && !kept.anyNear(
            access.bytes(),
            before ->
                !before.isVoid()
                    && !before.isOfSameOperation(access)
                    && before.conflictsWith(access));
  }

  /** Whether no access of the program can race with any that is kept. */
  boolean isOver() {
    return count == 0;
  }

  /** Notes that a copy reads the memory, which nothing should write before it is done. */
  void isSourceOf(SourceSum sum) {
    sums.add(sum);
  }

  /** Notes that the program has learned that the copy is done. */
  void isNoSourceOf(SourceSum sum) {
    sums.remove(sum);
  }

  int count() {
    return count;
  }

  @Override
  public String toString() {
    return memory.get();
  }
}
