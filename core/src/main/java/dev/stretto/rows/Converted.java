package dev.stretto.rows;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/** Rows of floats that have another form on a device. */
final class Converted extends View {
  private final Conversion conversion;
  private final ElementForm form;

  Converted(HostRows floats, Conversion conversion) {
    super(floats, floats.rows(), elements(floats) * conversion.element().bytes());
    this.conversion = conversion;
    this.form = conversion.form();
  }

  private static long elements(HostRows floats) {
    if (floats.hostRowBytes() != floats.rowBytes() || floats.rowBytes() % Float.BYTES != 0) {
      throw new IllegalArgumentException(
          floats
              + " cannot be converted: a row has to consist of floats of 4 bytes that are not"
              + " converted yet");
    }
    return floats.rowBytes() / Float.BYTES;
  }

  @Override
  public Optional<Conversion> conversion() {
    return Optional.of(conversion);
  }

  @Override
  public HostRows unconverted() {
    return all;
  }

  @Override
  MemorySegment memory(long row) {
    return all.memory(row);
  }

  @Override
  public void eachSpan(Spans spans) {
    Objects.requireNonNull(spans, "spans");
    all.eachSpan(spans);
  }

  @Override
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    int element = conversion.element().bytes();
    if (at % element != 0 || bytes % element != 0) {
      throw new IllegalArgumentException(
          bytes + " bytes from byte " + at + " on cut an element of " + element + " bytes");
    }
    ElementForm.Block block = form.block();
    long first = at / element;
    long count = bytes / element;
    for (long done = 0; done < count; done += ElementForm.Block.ELEMENTS) {
      int part = (int) Math.min(ElementForm.Block.ELEMENTS, count - done);
      long place = offset + done * element;
      long onHost = (first + done) * Float.BYTES;
      if (intoBuffer) {
        all.move(onHost, (long) part * Float.BYTES, block.host, 0, true);
        block.toDevice();
        MemorySegment.copy(block.device, 0, buffer, place, (long) part * element);
      } else {
        MemorySegment.copy(buffer, place, block.device, 0, (long) part * element);
        block.toHost();
        all.move(onHost, (long) part * Float.BYTES, block.host, 0, false);
      }
    }
  }

  @Override
  void moveWithin(
      long row, long column, long bytes, MemorySegment buffer, long offset, boolean intoBuffer) {
    move(row * rowBytes() + column, bytes, buffer, offset, intoBuffer);
  }
}
