package dev.stretto.rows;

import java.util.Optional;

/** Rows that are some of others, or others in another form, in the same memory. */
abstract class View extends HostRows {
  final HostRows all;

  View(HostRows all, long rows, long rowBytes) {
    super(rows, rowBytes);
    this.all = all;
  }

  @Override
  final long hostRowBytes() {
    return all.hostRowBytes();
  }

  @Override
  public Optional<Conversion> conversion() {
    return all.conversion();
  }

  @Override
  public final boolean mayBeNative() {
    return all.mayBeNative();
  }

  @Override
  public final boolean isReadOnly() {
    return all.isReadOnly();
  }

  @Override
  public final void requireOpen() {
    all.requireOpen();
  }
}
