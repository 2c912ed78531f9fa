package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The products that a thread of a virtual device has begun with its warp group and not yet waited
 * for.
 */
public final class WarpGroupProducts {
  private final Coroutine thread;
  private final WarpMeetings meetings;
  private final Deque<List<WarpGroupProduct>> groups = new ArrayDeque<>();
  private List<WarpGroupProduct> open = new ArrayList<>();
  private boolean fenced;
  private int begun;

  /**
   * Creates the bookkeeping for a thread's products.
   *
   * @param meetings the meetings of the thread's warp
   */
  WarpGroupProducts(Coroutine thread, WarpMeetings meetings) {
    this.thread = thread;
    this.meetings = meetings;
  }

  /** Whether products are in flight. */
  boolean areAny() {
    return !open.isEmpty() || !groups.isEmpty();
  }

  /**
   * Requires that no product in flight owns a register.
   *
   * @throws CopyMisuse if one does
   */
  void requireFree(Object array, int index, boolean writes) {
    for (List<WarpGroupProduct> group : groups) {
      requireFree(group, array, index, writes);
    }
    requireFree(open, array, index, writes);
  }

  private void requireFree(List<WarpGroupProduct> group, Object array, int index, boolean writes) {
    for (WarpGroupProduct product : group) {
      String what = product.owns(thread, array, index);
      if (!what.isEmpty()) {
        throw new CopyMisuse(
            CopyRule.MISSING_WAIT,
            what
                + product
                + " are "
                + (writes ? "written" : "read")
                + " before it was waited for: call wgmmaWaitGroup before");
      }
    }
  }

  /** Called when a block begins. */
  void clear() {
    groups.clear();
    open.clear();
    fenced = false;
    begun = 0;
  }

  public void fence() {
    fenced = true;
  }

  /**
   * Begins a product.
   *
   * @param group the thread's warp group
   */
  public void begin(
      WarpGroup group,
      ProductShape shape,
      Accumulators sum,
      LeftMatrix left,
      long right,
      boolean add) {
    if (!fenced) {
      throw new IllegalStateException(
          shape.what()
              + " of thread "
              + thread.rank()
              + " without wgmmaFence before, which orders what the thread did with its registers:"
              + " call it before the first product, and after each wait");
    }
    thread.races().activate();
    WarpGroupProduct before = before(shape, sum);
    WarpGroupProduct product = group.product(begun++);
    if (product == null) {
      product = new WarpGroupProduct(shape, left, right, add, thread.order().lineOf(thread));
      group.add(product);
    }
    product.begin(thread, shape, sum, left, right, add, before);
    open.add(product);
  }

  /** The newest product in flight that adds to the same sum; null if there is none. */
  private @Nullable WarpGroupProduct before(ProductShape shape, Accumulators sum) {
    WarpGroupProduct before = null;
    for (List<WarpGroupProduct> group : groups) {
      before = newest(group, shape, sum, before);
    }
    before = newest(open, shape, sum, before);
    if (before != null && !sum.isPoisoned()) {
      throw new CopyMisuse(
          CopyRule.MISSING_WAIT,
          "accumulators of "
              + before
              + " have been written before it was waited for: call wgmmaWaitGroup before");
    }
    return before;
  }

  private @Nullable WarpGroupProduct newest(
      List<WarpGroupProduct> group,
      ProductShape shape,
      Accumulators sum,
      @Nullable WarpGroupProduct before) {
    WarpGroupProduct newest = before;
    for (WarpGroupProduct product : group) {
      Accumulators its = product.sum(thread);
      if (its.is(sum)) {
        newest = product;
      } else if (its.meets(sum)) {
        throw new IllegalStateException(
            shape.what()
                + " takes accumulators of which "
                + product
                + ", which is in flight, has some: products share all of them or none");
      }
    }
    return newest;
  }

  public void commit() {
    groups.add(open);
    open = new ArrayList<>();
  }

  public void await(int pending) {
    if (thread.takesUp(WarpGroupProduct.class) == null) {
      meetings.meetAligned("wgmmaWaitGroup", pending, meeting -> meeting);
      if (thread.hasLeftOff()) {
        return;
      }
      fenced = false;
    }
    int landing = groups.size() - pending;
    for (List<WarpGroupProduct> group : groups) {
      if (landing-- <= 0) {
        break;
      }
      for (WarpGroupProduct product : group) {
        if (!product.isBegunByAll(thread)) {
          return;
        }
      }
    }
    while (groups.size() > pending) {
      List<WarpGroupProduct> group = groups.remove();
      for (WarpGroupProduct product : group) {
        product.land(thread);
      }
      for (int i = 0; i < group.size(); i++) {
        Accumulators sum = group.get(i).sum(thread);
        if (!isTaken(sum, group.subList(i + 1, group.size()))) {
          group.get(i).give(thread);
        }
      }
    }
  }

  /** Whether a later product adds to the same sum. */
  private boolean isTaken(Accumulators sum, List<WarpGroupProduct> later) {
    return has(later, sum) || groups.stream().anyMatch(group -> has(group, sum)) || has(open, sum);
  }

  private boolean has(List<WarpGroupProduct> products, Accumulators sum) {
    for (WarpGroupProduct product : products) {
      if (product.sum(thread).is(sum)) {
        return true;
      }
    }
    return false;
  }

  /** Called when the thread has returned. */
  void leave() {
    List<WarpGroupProduct> inFlight = new ArrayList<>(open);
    groups.descendingIterator().forEachRemaining(group -> inFlight.addAll(0, group));
    if (!inFlight.isEmpty()) {
      throw new IllegalStateException(
          "thread "
              + thread.rank()
              + " returns while "
              + inFlight.getFirst()
              + " is in flight: commit it and call wgmmaWaitGroup(0)");
    }
  }
}
