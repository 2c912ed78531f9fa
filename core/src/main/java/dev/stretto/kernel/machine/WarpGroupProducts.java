package dev.stretto.kernel.machine;

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
    WarpGroupProduct mine = new WarpGroupProduct(shape, left, right, add, thread.order().line());
    WarpGroupProduct product = group.product(begun++, mine);
    product.begin(thread, mine, sum, left, before);
    open.add(product);
  }

  /** The newest product in flight that adds to the same sum; null if there is none. */
  private @Nullable WarpGroupProduct before(ProductShape shape, Accumulators sum) {
    WarpGroupProduct before = null;
    for (WarpGroupProduct product : inFlight()) {
      Accumulators its = product.sum(thread);
      if (its.is(sum)) {
        before = product;
      } else if (its.meets(sum)) {
        throw new IllegalStateException(
            shape.what()
                + " takes accumulators of which "
                + product
                + ", which is in flight, has some: products share all of them or none");
      }
    }
    if (before != null && !sum.isPoisoned()) {
      throw new IllegalStateException(
          "accumulators of "
              + before
              + " have been written before it was waited for: call wgmmaWaitGroup before");
    }
    return before;
  }

  private List<WarpGroupProduct> inFlight() {
    List<WarpGroupProduct> all = new ArrayList<>();
    groups.forEach(all::addAll);
    all.addAll(open);
    return all;
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
    int landing = Math.max(0, groups.size() - pending);
    for (List<WarpGroupProduct> group : groups.stream().limit(landing).toList()) {
      for (WarpGroupProduct product : group) {
        if (!product.isBegunByAll(thread)) {
          return;
        }
      }
    }
    while (groups.size() > pending) {
      List<WarpGroupProduct> group = groups.remove();
      group.forEach(product -> product.land(thread));
      for (int i = 0; i < group.size(); i++) {
        List<WarpGroupProduct> later = inFlight();
        later.addAll(group.subList(i + 1, group.size()));
        Accumulators sum = group.get(i).sum(thread);
        if (later.stream().noneMatch(other -> other.sum(thread).is(sum))) {
          group.get(i).give(thread);
        }
      }
    }
  }

  /** Called when the thread has returned. */
  void leave() {
    if (!inFlight().isEmpty()) {
      throw new IllegalStateException(
          "thread "
              + thread.rank()
              + " returns while "
              + inFlight().getFirst()
              + " is in flight: commit it and call wgmmaWaitGroup(0)");
    }
  }
}
