package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalLongs;

/** Kernels that take records. */
final class RecordKernels {
  private RecordKernels() {}

  /** Every type of number, in an order that leaves gaps. */
  record Every(
      byte aByte,
      long aLong,
      short aShort,
      double aDouble,
      boolean aBoolean,
      int anInt,
      char aChar,
      float aFloat) {}

  record Vector(float x, float y, float z) {
    Vector plus(Vector other) {
      return new Vector(x + other.x, y + other.y, z + other.z);
    }
  }

  record Box(byte mark, Vector least, Vector most, boolean isOpen) {}

  record Scene(Box box, double scale, short number) {}

  record Part(int from, int to, float by) {}

  /** Its method is not its component. */
  record Doubled(int value) {
    @Override
    public int value() {
      return 2 * value;
    }
  }

  @Kernel
  static void every(ThreadBlock block, Every every, GlobalLongs out) {
    out.set(0, every.aByte());
    out.set(1, every.aLong());
    out.set(2, every.aShort());
    out.set(3, Double.doubleToRawLongBits(every.aDouble()));
    out.set(4, every.aBoolean() ? 1 : 0);
    out.set(5, every.anInt());
    out.set(6, every.aChar());
    out.set(7, Float.floatToRawIntBits(every.aFloat()));
  }

  @Kernel
  static void nested(ThreadBlock block, byte before, Scene scene, GlobalFloats out, int behind) {
    int i = block.threadIndexX();
    Box box = scene.box();
    Vector sum = box.least().plus(box.most());
    for (int k = 0; k < i; k++) {
      sum = sum.plus(box.least());
    }
    float all = sum.x() + 10 * sum.y() + 100 * sum.z();
    out.set(
        i,
        (float) (all * scene.scale())
            + scene.number()
            + box.mark()
            + before
            + behind
            + (box.isOpen() ? 0.5f : 0.25f));
  }

  @Kernel
  static void part(ThreadBlock block, GlobalFloats x, Part part) {
    int i = part.from() + (int) block.globalIndexX();
    if (i < part.to()) {
      x.set(i, x.get(i) * part.by());
    }
  }

  /** Threads share memory: on virtual devices they go in steps. */
  @Kernel
  static void shared(ThreadBlock block, Part part, GlobalFloats x) {
    SharedFloats all = block.sharedFloats(64);
    int i = block.threadIndexX();
    all.set(i, x.get(i) * part.by());
    block.sync();
    x.set(i, all.get((i + part.from()) % part.to()));
  }

  @Kernel
  static void doubled(ThreadBlock block, Doubled doubled, GlobalLongs out) {
    out.set(0, doubled.value());
  }

  // --- what no kernel takes
  // -------------------------------------------------------------------------------------------------

  @SuppressWarnings("ArrayRecordComponent") // that is what is wrong with it
  record WithArray(int n, float[] values) {}

  record WithObject(int n, Integer boxed) {}

  record WithDeviceArray(GlobalFloats values) {}

  record Within(byte b, WithArray within) {}

  record Empty() {}

  record Endless(int n, Endless more) {}

  static void withArray(ThreadBlock block, WithArray it) {}

  static void withObject(ThreadBlock block, WithObject it) {}

  static void withDeviceArray(ThreadBlock block, WithDeviceArray it) {}

  static void within(ThreadBlock block, Within it) {}

  static void empty(ThreadBlock block, Empty it) {}

  static void endless(ThreadBlock block, Endless it) {}
}
