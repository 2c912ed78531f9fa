package dev.stretto.examples.kmeans;

/** A point has NaN or an infinite coordinate. */
public final class StrangePointException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** The point that this process has found; empty if another one has found it. */
  private final boolean isOwn;

  private final long point;

  StrangePointException(long point) {
    super(
        point == Long.MAX_VALUE
            ? "another process has found a point with NaN or an infinite coordinate: it says which"
            : "point %d has NaN or an infinite coordinate: leave it out".formatted(point));
    this.isOwn = point != Long.MAX_VALUE;
    this.point = point;
  }

  /** {@return whether this process has found it} */
  public boolean isOwn() {
    return isOwn;
  }

  /** {@return the number of the point among all, from 0 on} */
  public long point() {
    return point;
  }
}
