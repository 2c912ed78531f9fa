package dev.stretto.compiler;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Debug;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * What kernels cannot call, throw, catch, lock or print, each beside a twin that says much the same
 * in the Java that kernels may use.
 */
@SuppressWarnings({"unused", "WaitNotInLoop", "CompareToZero", "UnnecessaryAsync"})
final class RefusedCalls {
  private RefusedCalls() {}

  // --- methods

  @Kernel
  @Refused(reason = "factorial recursively", advice = "write a loop")
  static void recursion(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, factorial(n));
  }

  static int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1); // refused
  }

  @Kernel
  static void loopForRecursion(ThreadBlock block, GlobalInts out, int n) {
    int product = 1;
    for (int i = 2; i <= n; i++) {
      product *= i;
    }
    out.set(0, product);
  }

  @Kernel
  @Refused(reason = "isEven recursively", advice = "write a loop")
  static void mutualRecursion(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, isEven(n) ? 1 : 0);
  }

  static boolean isEven(int n) {
    return n == 0 || isOdd(n - 1);
  }

  static boolean isOdd(int n) {
    return n != 0 && isEven(n - 1); // refused
  }

  @Kernel
  @Refused(reason = "calls too many methods", advice = "call in loops")
  static void doubledCalls(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, d20(d20(d20(n)))); // refused
  }

  // Each calls the one below twice: a million calls in the end.
  static int d20(int n) {
    return d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(d16(n))))))))))))))));
  }

  static int d16(int n) {
    return d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(d12(n))))))))))))))));
  }

  static int d12(int n) {
    return d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(d8(n))))))))))))))));
  }

  static int d8(int n) {
    return d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(d4(n))))))))))))))));
  }

  static int d4(int n) {
    return n * n + 1;
  }

  abstract static class Sensor {
    abstract int read();

    int readTwice() {
      return read() + read();
    }
  }

  static final class Clock extends Sensor {
    @Override
    int read() {
      return 1;
    }
  }

  static final class Scale extends Sensor {
    @Override
    int read() {
      return 2;
    }
  }

  interface Rule {
    int apply(int n);

    default int twice(int n) {
      return apply(apply(n));
    }

    static int plus(int n) {
      return n + 1;
    }
  }

  record Times(int by) implements Rule {
    @Override
    public int apply(int n) {
      return n * by;
    }
  }

  record Plus(int by) implements Rule {
    @Override
    public int apply(int n) {
      return n + by;
    }
  }

  @Kernel
  @Refused(reason = "may mean several methods", advice = "final")
  static void virtualCall(ThreadBlock block, GlobalInts out, int n) {
    Sensor clock = new Clock();
    Sensor scale = new Scale();
    Sensor sensor = n > 0 ? clock : scale;
    out.set(0, sensor.read()); // refused
  }

  @Kernel
  static void virtualCallOfOneObject(ThreadBlock block, GlobalInts out, int n) {
    Sensor sensor = new Clock();
    out.set(0, sensor.readTwice());
  }

  @Kernel
  @Refused(reason = "may mean several methods", advice = "final")
  static void interfaceCall(ThreadBlock block, GlobalInts out, int n) {
    Rule times = new Times(n);
    Rule plus = new Plus(n);
    Rule rule = n > 0 ? times : plus;
    out.set(0, rule.apply(n)); // refused
  }

  @Kernel
  static void interfaceCallOfOneObject(ThreadBlock block, GlobalInts out, int n) {
    Rule rule = new Times(n);
    for (int i = 0; i < n; i++) {
      out.set(i, rule.twice(i) + Rule.plus(n));
    }
  }

  static native int peek(int address);

  @Kernel
  @Refused(reason = "cannot call RefusedCalls.peek, which is native", advice = "has a body")
  static void nativeCall(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, peek(n)); // refused
  }

  // --- lambdas

  @Kernel
  @Refused(reason = "create lambdas", advice = "call a static method by name")
  static void lambda(ThreadBlock block, GlobalInts out, int n) {
    IntUnaryOperator twice = i -> 2 * i; // refused
    out.set(0, twice.applyAsInt(n));
  }

  @Kernel
  @Refused(reason = "method references", advice = "call a static method by name")
  static void methodReference(ThreadBlock block, GlobalInts out, int n) {
    IntUnaryOperator rule = RefusedCalls::factorial; // refused
    out.set(0, rule.applyAsInt(n));
  }

  @Kernel
  static void anonymousClass(ThreadBlock block, GlobalInts out, int n) {
    IntUnaryOperator twice =
        new IntUnaryOperator() {
          @Override
          public int applyAsInt(int i) {
            return 2 * i + n;
          }
        };
    for (int i = 0; i < n; i++) {
      out.set(i, twice.applyAsInt(i));
    }
  }

  // --- strings

  @Kernel
  @Refused(reason = "concatenate strings", advice = "Debug.print with a constant label")
  static void concatenation(ThreadBlock block, GlobalInts out, int n) {
    String text = "n is " + n; // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "make a java.lang.StringBuilder", advice = "Debug.print")
  static void stringBuilder(ThreadBlock block, GlobalInts out, int n) {
    StringBuilder text = new StringBuilder(); // refused
    out.set(0, text.append(n).length());
  }

  @Kernel
  @Refused(reason = "cannot call String.valueOf", advice = "Debug.print")
  static void numberAsText(ThreadBlock block, GlobalInts out, int n) {
    String text = String.valueOf(n); // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "cannot box numbers", advice = "take Object, such as String.format")
  static void format(ThreadBlock block, GlobalInts out, int n) {
    String text = String.format("%d", n); // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "cannot call String.length", advice = "Debug.print")
  static void lengthOfText(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, measure("text"));
  }

  static int measure(String text) {
    return text.length(); // refused
  }

  @Kernel
  @Refused(reason = "cannot call String.strip", advice = "Debug.print")
  static void textBlock(ThreadBlock block, GlobalInts out, int n) {
    String text =
        """
        several
        lines
        """;
    text = text.strip(); // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "cannot call String.hashCode", advice = "Debug.print")
  static void textSwitch(ThreadBlock block, GlobalInts out, int n) {
    String mode = n > 0 ? "up" : "down";
    switch (mode) { // refused
      case "up" -> out.set(0, 1);
      default -> out.set(0, 2);
    }
  }

  @Kernel
  @Refused(reason = "label of Debug.print is not a constant", advice = "string literal")
  static void labelOfOneOfTwo(ThreadBlock block, GlobalInts out, int n) {
    Debug.print(n > 0 ? "more" : "less", n); // refused
  }

  @Kernel
  static void labelPassedOn(ThreadBlock block, GlobalInts out, int n) {
    String label = "n is";
    for (int i = 0; i < n; i++) {
      report(label, i);
    }
    report(
        """
        several "lines"
        and 100 %
        """,
        n);
  }

  static void report(String label, int n) {
    Debug.print(label, n);
  }

  // --- exceptions

  @Kernel
  @Refused(reason = "cannot throw exceptions", advice = "use `assert`")
  static void thrown(ThreadBlock block, GlobalInts out, int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n is negative"); // refused
    }
    out.set(0, n);
  }

  @Kernel
  static void asserted(ThreadBlock block, GlobalInts out, int n) {
    assert n >= 0;
    assert n < 10 : "n is " + n;
    assert n != 5 : n;
    out.set(0, n);
  }

  @Kernel
  static void assertionThrown(ThreadBlock block, GlobalInts out, int n) {
    if (n < 0) {
      throw new AssertionError(n < -10 ? "far below" : "below");
    }
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "cannot catch exceptions", advice = "check with `if` first")
  static void caught(ThreadBlock block, GlobalInts out, int n) {
    int quotient;
    try {
      quotient = 100 / n; // refused
    } catch (ArithmeticException e) {
      quotient = 0;
    }
    out.set(0, quotient);
  }

  @Kernel
  static void checkedBefore(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, n == 0 ? 0 : 100 / n);
  }

  @Kernel
  @Refused(reason = "cannot catch exceptions", advice = "check with `if` first")
  static void lastly(ThreadBlock block, GlobalInts out, int n) {
    int before = out.get(0);
    try {
      out.set(0, n); // refused
    } finally {
      out.set(1, before);
    }
  }

  static final class Span implements AutoCloseable {
    @Override
    public void close() {}
  }

  @Kernel
  @Refused(reason = "cannot catch exceptions", advice = "check with `if` first")
  static void resources(ThreadBlock block, GlobalInts out, int n) {
    try (Span span = new Span()) {
      out.set(0, n); // refused
    }
  }

  @Kernel
  @Refused(reason = "cannot call Objects.requireNonNull", advice = "never null")
  static void requiredNonNull(ThreadBlock block, GlobalInts out, int n) {
    Objects.requireNonNull(out, "out").set(0, n); // refused
  }

  @Kernel
  @Refused(reason = "as Math.addExact does", advice = "compute in long and check")
  static void exactSum(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Math.addExact(n, 1)); // refused
  }

  @Kernel
  @Refused(reason = "as Math.ceilDivExact does", advice = "compute in long and check")
  static void exactQuotient(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Math.ceilDivExact(n, 3)); // refused
  }

  @Kernel
  static void sumThatWraps(ThreadBlock block, GlobalInts out, int n) {
    long sum = (long) n + 1;
    out.set(0, sum == (int) sum ? n + 1 : Math.ceilDiv(n, 3));
  }

  // --- locks

  @Kernel
  @Refused(reason = "cannot lock objects", advice = "block.sync()")
  static void locked(ThreadBlock block, GlobalInts out, int n) {
    Object lock = new Object();
    synchronized (lock) { // refused
      out.set(0, n);
    }
  }

  @Kernel
  @Refused(reason = "call RefusedCalls.onlyOne, which is synchronized", advice = "block.sync()")
  static void lockedMethod(ThreadBlock block, GlobalInts out, int n) {
    onlyOne(out, n); // refused
  }

  static synchronized void onlyOne(GlobalInts out, int n) {
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "a kernel cannot be synchronized", advice = "block.sync()")
  static synchronized void lockedKernel(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, n); // refused
  }

  @Kernel
  @Refused(reason = "cannot call Object.wait", advice = "block.sync()")
  static void waited(ThreadBlock block, GlobalInts out, int n) throws InterruptedException {
    Object signal = new Object();
    signal.wait(); // refused
    out.set(0, n);
  }

  @Kernel
  static void synced(ThreadBlock block, GlobalInts out, int n) {
    SharedInts shared = block.sharedInts(32);
    shared.set(block.threadIndexX(), n);
    block.sync();
    out.set(block.threadIndexX(), shared.get(31 - block.threadIndexX()));
  }

  // --- the JDK

  @Kernel
  @Refused(reason = "cannot box numbers", advice = "primitive")
  static void boxed(ThreadBlock block, GlobalInts out, int n) {
    Integer number = n; // refused
    out.set(0, number);
  }

  @Kernel
  @Refused(reason = "cannot call Integer.parseInt", advice = "their own static methods")
  static void parsed(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Integer.parseInt("3")); // refused
  }

  @Kernel
  static void comparedByTheJdk(ThreadBlock block, GlobalInts out, int n, float f) {
    float[] some = {f, 0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, -1e-40f};
    int sum = 0;
    for (float a : some) {
      for (float b : some) {
        sum = 3 * sum + Float.compare(a, b) + Double.compare(b, a);
      }
    }
    out.set(0, sum);
    out.set(1, Integer.signum(Short.compare((short) n, (short) 2)));
    out.set(2, Boolean.compare(n > 3, f > 1));
  }

  @Kernel
  @Refused(reason = "cannot call List.of", advice = "arrays")
  static void varargsOfTheJdk(ThreadBlock block, GlobalInts out, int n) {
    List<String> texts =
        List.of("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"); // refused
    out.set(0, n);
  }

  @Kernel
  static void varargsOfOnesOwn(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, total(1, n, 3) + total());
  }

  static int total(int... numbers) {
    int sum = 0;
    for (int number : numbers) {
      sum += number;
    }
    return sum;
  }

  @Kernel
  @Refused(reason = "make a java.util.ArrayList", advice = "arrays")
  static void list(ThreadBlock block, GlobalInts out, int n) {
    List<String> list = new ArrayList<>(); // refused
    out.set(0, list.size());
  }

  @Kernel
  @Refused(reason = "make a java.util.HashMap", advice = "arrays")
  static void map(ThreadBlock block, GlobalInts out, int n) {
    Map<String, String> map = new HashMap<>(n); // refused
    out.set(0, map.size());
  }

  static final class Numbers extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
  }

  @Kernel
  @Refused(
      reason = "make a RefusedCalls.Numbers, which is a java.util.ArrayList",
      advice = "arrays")
  static void listOfOnesOwn(ThreadBlock block, GlobalInts out, int n) {
    Numbers numbers = new Numbers(); // refused
    out.set(0, numbers.size());
  }

  @Kernel
  @Refused(reason = "cannot call Optional.empty", advice = "arrays")
  static void optional(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Optional.empty().isPresent() ? 1 : 0); // refused
  }

  @Kernel
  @Refused(reason = "cannot call IntStream.range", advice = "write a loop")
  static void stream(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, IntStream.range(0, n).sum()); // refused
  }

  @Kernel
  static void loopForAStream(ThreadBlock block, GlobalInts out, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i;
    }
    out.set(0, sum);
  }

  @Kernel
  @Refused(reason = "cannot call System.nanoTime", advice = "block.globalTimer()")
  static void time(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, (int) System.nanoTime()); // refused
  }

  @Kernel
  static void timeOfTheDevice(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, (int) (block.globalTimer() - block.clock()));
  }

  @Kernel
  @Refused(reason = "the object in System.out", advice = "Debug.print")
  static void printed(ThreadBlock block, GlobalInts out, int n) {
    System.out.println(n); // refused
  }

  @Kernel
  @Refused(reason = "cannot call Thread.sleep", advice = "the launch sets the number of threads")
  static void slept(ThreadBlock block, GlobalInts out, int n) throws InterruptedException {
    Thread.sleep(n); // refused
  }

  @Kernel
  @Refused(reason = "make a java.lang.Thread", advice = "the launch sets the number of threads")
  static void thread(ThreadBlock block, GlobalInts out, int n) {
    new Thread("another").start(); // refused
  }

  @Kernel
  @Refused(reason = "no Math.random", advice = "a seed")
  static void random(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, (int) (n * Math.random())); // refused
  }

  @Kernel
  @Refused(reason = "make a java.util.Random", advice = "a seed")
  static void randomOfASeed(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, new Random(n).nextInt()); // refused
  }

  @Kernel
  @Refused(reason = "cannot call ThreadLocalRandom.current", advice = "a seed")
  static void randomOfTheThread(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, ThreadLocalRandom.current().nextInt()); // refused
  }

  @Kernel
  static void randomOfTheIndex(ThreadBlock block, GlobalInts out, int seed) {
    int random = seed ^ (int) block.globalIndexX() * 0x9e3779b9;
    random ^= random << 13;
    random ^= random >>> 17;
    out.set(0, random ^ random << 5);
  }

  @Kernel
  @Refused(reason = "make a java.util.concurrent.atomic.AtomicInteger", advice = "Atomics")
  static void atomic(ThreadBlock block, GlobalInts out, int n) {
    AtomicInteger sum = new AtomicInteger(); // refused
    out.set(0, sum.addAndGet(n));
  }

  @Kernel
  static void atomicOfTheDevice(ThreadBlock block, GlobalInts out, int n) {
    Atomics.add(out, 0, n);
  }

  @Kernel
  @Refused(
      reason = "cannot call GlobalInts.close",
      advice = "get, set, slice, length and elementBytes")
  static void closed(ThreadBlock block, GlobalInts out, int n) {
    out.close(); // refused
  }

  @Kernel
  @Refused(reason = "cannot call ThreadBlock.toString", advice = "Debug.print")
  static void textOfTheBlock(ThreadBlock block, GlobalInts out, int n) {
    String text = block.toString(); // refused
    out.set(0, n);
  }
}
