package dev.stretto.enqueue;

import dev.stretto.driver.GraphWork;
import dev.stretto.fault.RaceException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.order.Accesses;
import dev.stretto.order.Footprint;
import dev.stretto.order.HostMemories;
import dev.stretto.order.Issue;
import dev.stretto.order.Way;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The memory that the two ends of a copy access, and how they get on with each other. */
public final class Ends {
  /**
   * An end.
   *
   * @param memory the accesses to its memory
   * @param bytes which bytes of that
   * @param host the memory, if it is the host's
   */
  record End(Accesses memory, Footprint bytes, @Nullable MemorySegment host) {
    static End of(MemorySegment host) {
      return of(host, Footprint.of(host.address(), host.byteSize()));
    }

    static End of(MemorySegment host, Footprint bytes) {
      return new End(HostMemories.of(host), bytes, host);
    }

    static End of(GlobalArray array) {
      return of(array, Footprint.of(array.address(), array.byteSize()));
    }

    static End of(GlobalArray array, Footprint bytes) {
      return new End(ArrayMemory.of(array).block().accesses(), bytes, null);
    }
  }

  private Ends() {}

  /**
   * {@return a copy that is about to be enqueued}
   *
   * @param from the end that is read; null for a fill
   * @throws RaceException if it races with an operation before
   */
  static Issue copies(Enqueuer<?> on, String name, @Nullable End from, End to) {
    Issue issue = on.issue(name);
    try {
      if (from != null) {
        issue.reads(from.memory, from.bytes);
      }
      issue.writes(to.memory, to.bytes);
      if (from != null && from.host != null) {
        issue.readsLater(from.memory, from.host, from.bytes);
      }
      issue.ready();
      if (to.host != null && on.engine().isVirtual()) {
        issue.overwrites(to.memory, to.host, to.bytes);
      }
    } catch (RuntimeException e) {
      issue.failed();
      throw e;
    }
    return issue;
  }

  /**
   * {@return a copy of several places that is about to be enqueued}
   *
   * @throws RaceException if it races with an operation before
   */
  static Issue copies(Enqueuer<?> on, String name, List<End> from, List<End> to) {
    Issue issue = on.issue(name);
    try {
      from.forEach(end -> issue.reads(end.memory, end.bytes));
      to.forEach(end -> issue.writes(end.memory, end.bytes));
      for (End end : from) {
        if (end.host != null) {
          issue.readsLater(end.memory, end.host, end.bytes);
        }
      }
      issue.ready();
      for (End end : to) {
        if (end.host != null && on.engine().isVirtual()) {
          issue.overwrites(end.memory, end.host, end.bytes);
        }
      }
    } catch (RuntimeException e) {
      issue.failed();
      throw e;
    }
    return issue;
  }

  /** {@return the same, between host memory and an array} */
  static Issue copies(Direction direction, Enqueuer<?> on, End host, End array) {
    return direction == Direction.TO_DEVICE
        ? copies(on, "a copy to the device", host, array)
        : copies(on, "a copy to the host", array, host);
  }

  /**
   * {@return a fill that is about to be enqueued, or null if the order is not checked}
   *
   * @throws RaceException if it races with an operation before
   */
  public static @Nullable Issue fills(Enqueuer<?> on, GlobalArray array, GraphWork.Fill fill) {
    return on.isOrdered() ? copies(on, "a fill", null, End.of(array, bytes(fill))) : null;
  }

  /** {@return the bytes that a fill writes} */
  public static Footprint bytes(GraphWork.Fill fill) {
    return Footprint.ofRows(
        fill.dst(), fill.count() * fill.elementBytes(), fill.pitch(), fill.rows());
  }

  /**
   * {@return a copy on the host that is about to be enqueued, or null if the order is not checked}
   *
   * @throws RaceException if it races with an operation before
   */
  public static @Nullable Issue onHost(
      Enqueuer<?> on, MemorySegment source, MemorySegment destination) {
    return on.isOrdered()
        ? copies(on, "a copy on the host", End.of(source), End.of(destination))
        : null;
  }

  /**
   * {@return work that is no copy and no launch and is about to be enqueued, or null if the order
   * is not checked}
   *
   * @param what the work, for messages
   * @param reads the arrays that it reads
   * @param writes the arrays that it writes
   */
  public static @Nullable Issue work(
      Enqueuer<?> on,
      String what,
      List<? extends GlobalArray> reads,
      List<? extends GlobalArray> writes) {
    if (!on.isOrdered()) {
      return null;
    }
    Issue issue = on.issue(what);
    try {
      for (GlobalArray array : reads) {
        End end = End.of(array);
        issue.reads(end.memory, end.bytes);
      }
      for (GlobalArray array : writes) {
        End end = End.of(array);
        issue.writes(end.memory, end.bytes);
      }
      issue.ready();
    } catch (RuntimeException e) {
      issue.failed();
      throw e;
    }
    return issue;
  }

  /**
   * {@return a call of another library that is about to be enqueued, or null if the order is not
   * checked} What it does with the arrays is assumed to be everything.
   *
   * @param uses the arrays
   */
  public static @Nullable Issue call(Enqueuer<?> on, List<GlobalArray> uses) {
    if (!on.isOrdered()) {
      return null;
    }
    Issue issue = on.issue("a call of another library");
    try {
      for (GlobalArray array : uses) {
        End end = End.of(array);
        issue.accesses(end.memory, end.bytes, new Way(true, false, true));
      }
      issue.ready();
    } catch (RuntimeException e) {
      issue.failed();
      throw e;
    }
    return issue;
  }

  /**
   * Refuses a copy whose ends share a byte.
   *
   * @throws IllegalArgumentException if they do
   */
  public static void requireApart(
      GlobalArray source, Footprint from, GlobalArray destination, Footprint to) {
    if (from.meets(to)) {
      throw new IllegalArgumentException(
          "the two ends of a copy overlap: "
              + from
              + " of "
              + source
              + ", and "
              + to
              + " of "
              + destination);
    }
  }
}
