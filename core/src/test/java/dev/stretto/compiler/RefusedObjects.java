package dev.stretto.compiler;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.List;
import java.util.Objects;

/**
 * What kernels cannot do with objects, types and static fields, each beside a twin that says much
 * the same in the Java that kernels may use.
 */
@SuppressWarnings({"unused", "ReferenceEquality", "BoxedPrimitiveEquality"})
final class RefusedObjects {
  private RefusedObjects() {}

  static final class Counter {
    int count;
    Counter next;

    int twice() {
      return 2 * count;
    }
  }

  record Point(int x, int y) {
    int sum() {
      return x + y;
    }
  }

  interface Shape {
    int area();
  }

  record Square(int side) implements Shape {
    @Override
    public int area() {
      return side * side;
    }
  }

  record Strip(int length) implements Shape {
    @Override
    public int area() {
      return length;
    }
  }

  static class Moved {
    int by;
  }

  static final class MovedTwice extends Moved {
    final int again;

    MovedTwice(int again) {
      this.again = again;
    }
  }

  enum Mode {
    FIRST,
    SECOND
  }

  static int launches;
  static final int COMPUTED = Integer.parseInt("3");
  static final Integer BOXED = Integer.valueOf(3);
  static final String LABEL = String.valueOf(COMPUTED);
  static final int[] TABLE = {1, 2, 3};
  static final Point ORIGIN = new Point(0, 0);
  static final List<Object> KEPT = List.of();

  // --- objects that registers cannot hold

  @Kernel
  @Refused(reason = "may refer to different objects", advice = "use a record")
  static void mutableBehindABranch(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter(); // refused
    Counter b = new Counter();
    Counter c = n > 0 ? a : b;
    c.count = n;
    out.set(0, a.count);
  }

  @Kernel
  static void recordBehindABranch(ThreadBlock block, GlobalInts out, int n) {
    Point a = new Point(1, n);
    Point b = new Point(n, 2);
    Point c = n > 0 ? a : b;
    out.set(0, c.sum());
  }

  @Kernel
  @Refused(reason = "may refer to different objects", advice = "use a record")
  static void mutableSwappedInALoop(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter(); // refused
    Counter b = new Counter();
    for (int i = 0; i < n; i++) {
      Counter t = a;
      a = b;
      b = t;
      a.count += i;
    }
    out.set(0, a.count);
  }

  @Kernel
  static void recordSwappedInALoop(ThreadBlock block, GlobalInts out, int n) {
    Point a = new Point(1, n);
    Point b = new Point(n, 2);
    for (int i = 0; i < n; i++) {
      Point t = a;
      a = b;
      b = new Point(t.y(), t.x() + i);
    }
    out.set(0, a.x());
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "constant range")
  static void objectStoredInAnArray(ThreadBlock block, GlobalInts out, int n) {
    Counter[] all = new Counter[4];
    all[n & 3] = new Counter(); // refused
    out.set(0, all[0].count);
  }

  @Kernel
  static void objectsInAnArrayOfConstantIndex(ThreadBlock block, GlobalInts out, int n) {
    Counter[] all = new Counter[4];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Counter();
      all[i].count = n + i;
    }
    out.set(0, all[2].twice());
  }

  @Kernel
  @Refused(reason = "nothing was stored in it", advice = "before reading it")
  static void elementNeverSet(ThreadBlock block, GlobalInts out, int n) {
    Counter[] all = new Counter[2];
    all[0] = new Counter();
    out.set(0, all[1].count); // refused
  }

  @Kernel
  @Refused(
      reason = "the object that holds it is not in registers, or it holds itself",
      advice = "use a record")
  static void objectThatHoldsItself(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter(); // refused
    a.next = a;
    a.next.count = n;
    out.set(0, a.count);
  }

  @Kernel
  @Refused(reason = "cannot call System.identityHashCode", advice = "their own static methods")
  static void objectPassedToTheJdk(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter();
    out.set(0, System.identityHashCode(a)); // refused
  }

  @Kernel
  static void objectPassedToAMethod(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter();
    raise(a, n);
    out.set(0, a.count);
  }

  static void raise(Counter counter, int by) {
    counter.count += by;
  }

  @Kernel
  @Refused(reason = "MovedTwice cannot be kept in registers", advice = "use a record")
  static void objectWhoseSuperclassIsMutable(ThreadBlock block, GlobalInts out, int n) {
    MovedTwice a = new MovedTwice(1); // refused
    MovedTwice b = new MovedTwice(2);
    MovedTwice c = n > 0 ? a : b;
    c.by = n;
    out.set(0, a.by + a.again);
  }

  @Kernel
  static void objectWithASuperclass(ThreadBlock block, GlobalInts out, int n) {
    MovedTwice a = new MovedTwice(1);
    a.by = n;
    out.set(0, a.by + a.again);
  }

  // --- what Object and Record bring along

  @Kernel
  @Refused(reason = "cannot call Object.hashCode", advice = "values only")
  static void hashOfAnObject(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter();
    out.set(0, a.hashCode()); // refused
  }

  @Kernel
  @Refused(reason = "cannot call Object.equals", advice = "values only")
  static void equalObjects(ThreadBlock block, GlobalInts out, int n) {
    Counter a = new Counter();
    Counter b = new Counter();
    out.set(0, a.equals(b) ? 1 : 0); // refused
  }

  @Kernel
  @Refused(reason = "cannot call Object.getClass", advice = "values only")
  static void classOfAnObject(ThreadBlock block, GlobalInts out, int n) {
    Class<?> type = new Counter().getClass(); // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "cannot call equals of a record", advice = "compare its components")
  static void equalRecords(ThreadBlock block, GlobalInts out, int n) {
    Point a = new Point(n, 1);
    Point b = new Point(1, n);
    out.set(0, a.equals(b) ? 1 : 0); // refused
  }

  @Kernel
  static void equalComponents(ThreadBlock block, GlobalInts out, int n) {
    Point a = new Point(n, 1);
    Point b = new Point(1, n);
    out.set(0, a.x() == b.x() && a.y() == b.y() ? 1 : 0);
  }

  @Kernel
  @Refused(reason = "cannot call hashCode of a record", advice = "compute with its components")
  static void hashOfARecord(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, new Point(n, n).hashCode()); // refused
  }

  @Kernel
  @Refused(reason = "cannot call toString of a record", advice = "Debug.print")
  static void textOfARecord(ThreadBlock block, GlobalInts out, int n) {
    String text = new Point(n, n).toString(); // refused
    out.set(0, n);
  }

  // --- which object it is

  @Kernel
  @Refused(reason = "cannot compare references", advice = "compare indices, flags or @Const enums")
  static void sameReference(ThreadBlock block, GlobalInts out, GlobalInts in, int n) {
    if (out == in) { // refused
      out.set(0, n);
    }
  }

  @Kernel
  static void sameFlag(ThreadBlock block, GlobalInts out, GlobalInts in, boolean same, int n) {
    if (same) {
      out.set(0, n);
    }
  }

  @Kernel
  @Refused(reason = "test for null", advice = "never null")
  static void askedForNull(ThreadBlock block, GlobalInts out, int n) {
    if (out != null) { // refused
      out.set(0, n);
    }
  }

  @Kernel
  @Refused(reason = "has no null", advice = "use a flag")
  static void nothing(ThreadBlock block, GlobalInts out, int n) {
    Point a = null; // refused
    if (n > 0) {
      a = new Point(n, n);
      out.set(0, a.x());
    }
  }

  @Kernel
  static void anEmptySlice(ThreadBlock block, GlobalInts out, GlobalInts in, int n) {
    GlobalInts part = n > 0 ? in : in.slice(0, 0);
    if (part.length() > 0) {
      out.set(0, part.get(0));
    }
  }

  @Kernel
  @Refused(reason = "test the class of an object", advice = "pass a flag")
  static void askedForAClass(ThreadBlock block, GlobalInts out, int n) {
    Shape shape = new Square(n);
    out.set(0, shape instanceof Square ? 1 : 0); // refused
  }

  @Kernel
  @Refused(reason = "test the class of an object", advice = "pass a flag")
  static void matchedPattern(ThreadBlock block, GlobalInts out, int n) {
    Shape shape = new Square(n);
    if (shape instanceof Square(int side)) { // refused
      out.set(0, side);
    }
  }

  @Kernel
  @Refused(reason = "switch over types", advice = "switch over an int")
  static void patternSwitch(ThreadBlock block, GlobalInts out, int n) {
    Shape shape = new Square(n);
    int area = switch (shape) { // refused
          case Square(int side) -> side * side;
          case Strip strip -> strip.length();
          default -> 0;
        };
    out.set(0, area);
  }

  @Kernel
  @Refused(reason = "switch over an enum that it computes", advice = "over a @Const enum")
  static void enumSwitch(ThreadBlock block, GlobalInts out, int n) {
    Mode mode = n > 0 ? Mode.FIRST : Mode.SECOND;
    switch (mode) { // refused
      case FIRST -> out.set(0, 1);
      case SECOND -> out.set(0, 2);
    }
  }

  @Kernel
  @Refused(reason = "call RefusedObjects.Mode.ordinal", advice = "an int")
  static void ordinalOfAnEnum(ThreadBlock block, GlobalInts out, int n) {
    Mode mode = n > 0 ? Mode.FIRST : Mode.SECOND;
    out.set(0, mode.ordinal()); // refused
  }

  @Kernel
  static void enumsThatAreKnown(ThreadBlock block, GlobalInts out, int n) {
    Mode mode = Mode.SECOND;
    switch (mode) {
      case FIRST -> out.set(0, 1);
      case SECOND -> out.set(0, mode.ordinal());
    }
  }

  @Kernel
  static void intSwitch(ThreadBlock block, GlobalInts out, int mode) {
    out.set(
        0,
        switch (mode) {
          case 1 -> 10;
          case 2, 3 -> 20;
          case 1000 -> {
            int sum = mode + 1;
            yield sum;
          }
          default -> 0;
        });
  }

  @Kernel
  @Refused(reason = "class RefusedObjects.Square", advice = "only numbers and labels")
  static void classLiteral(ThreadBlock block, GlobalInts out, int n) {
    Class<?> type = Square.class; // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "a RefusedObjects.Square is cast to RefusedObjects.Strip", advice = "its type")
  static void castToAnother(ThreadBlock block, GlobalInts out, int n) {
    Shape shape = new Square(n);
    out.set(0, ((Strip) shape).length()); // refused
  }

  @Kernel
  static void castToWhatItIs(ThreadBlock block, GlobalInts out, int n) {
    Shape shape = new Square(n);
    out.set(0, ((Square) shape).side() + shape.area());
  }

  @Kernel
  @Refused(
      reason = "may refer to objects of different classes",
      advice = "compute within each branch")
  static void castOfOneOfTwo(ThreadBlock block, GlobalInts out, int n) {
    Shape square = new Square(n); // refused
    Shape strip = new Strip(n);
    Shape shape = n > 0 ? square : strip;
    out.set(0, ((Square) shape).side());
  }

  @Kernel
  @Refused(reason = "an array of F32 in global memory is cast to GlobalInts", advice = "its type")
  static void castOfAnArray(ThreadBlock block, GlobalInts out, GlobalFloats in) {
    GlobalArray any = in;
    out.set(0, ((GlobalInts) any).get(0)); // refused
  }

  @Kernel
  static void lengthOfAnyArray(ThreadBlock block, GlobalInts out, GlobalFloats in) {
    GlobalArray any = in;
    out.set(0, (int) any.length());
  }

  @Kernel
  static void neverNull(ThreadBlock block, GlobalInts out, int n) {
    Objects.requireNonNull(out).set(0, n);
  }

  // --- static fields

  @Kernel
  @Refused(reason = "RefusedObjects.launches, which is not final", advice = "pass it")
  static void readsAStatic(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, launches); // refused
  }

  @Kernel
  @Refused(reason = "set the static field launches", advice = "array parameter")
  static void writesAStatic(ThreadBlock block, GlobalInts out, int n) {
    launches = n; // refused
  }

  @Kernel
  @Refused(reason = "the array in RefusedObjects.TABLE", advice = "array of the device")
  static void readsAStaticArray(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, TABLE[1]); // refused
  }

  @Kernel
  static void readsALocalTable(ThreadBlock block, GlobalInts out, int n) {
    int[] table = {1, 2, 3};
    out.set(0, table[1]);
  }

  @Kernel
  @Refused(reason = "the object in RefusedObjects.ORIGIN", advice = "make it in the kernel")
  static void readsAStaticObject(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, ORIGIN.x()); // refused
  }

  @Kernel
  @Refused(reason = "the object in RefusedObjects.BOXED", advice = "primitive type")
  static void readsAStaticBox(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, BOXED); // refused
  }

  @Kernel
  @Refused(reason = "the text in RefusedObjects.LABEL", advice = "string literal")
  static void readsAStaticText(ThreadBlock block, GlobalInts out, int n) {
    String label = LABEL; // refused
    out.set(0, n);
  }

  @Kernel
  static void readsAStaticNumber(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[COMPUTED];
    out.set(0, few.length + Heir.COMPUTED + Heir.INHERITED);
  }

  interface Ancestor {
    int INHERITED = Integer.parseInt("4");
  }

  static class Parent {
    static final int COMPUTED = Integer.parseInt("5");
  }

  static final class Heir extends Parent implements Ancestor {}
}
