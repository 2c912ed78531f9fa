package dev.stretto.enqueue;

import dev.stretto.route.Way;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a batch that all go to the driver together and take the same way. Their objects are
 * made when the program asks for them, which it rarely does. Immutable as far as it shows.
 */
final class AlikeCopies<C> extends AbstractList<C> implements RandomAccess {
  private final CopyForm<C> form;
  private final Way way;
  private final long sequence;
  private final int count;
  private @Nullable Object @Nullable [] made;

  /**
   * Creates the list.
   *
   * @param sequence the number of the operation that ends them all
   */
  AlikeCopies(CopyForm<C> form, Way way, long sequence, int count) {
    this.form = form;
    this.way = way;
    this.sequence = sequence;
    this.count = count;
  }

  @Override
  @SuppressWarnings("unchecked") // only this method puts objects there
  public synchronized C get(int index) {
    Objects.checkIndex(index, count);
    if (made == null) {
      made = new Object[count];
    }
    Object copy = made[index];
    if (copy == null) {
      copy = form.copy(way, sequence, null);
      made[index] = copy;
    }
    return (C) copy;
  }

  @Override
  public int size() {
    return count;
  }
}
