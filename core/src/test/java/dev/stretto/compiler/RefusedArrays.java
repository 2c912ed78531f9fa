package dev.stretto.compiler;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.util.Arrays;
import java.util.List;

/**
 * What kernels cannot do with arrays, instructions and parameters, each beside a twin that says
 * much the same in the Java that kernels may use.
 */
@SuppressWarnings("unused")
final class RefusedArrays {
  private static final int LENGTH = 4;

  private RefusedArrays() {}

  // --- local arrays

  @Kernel
  @Refused(reason = "length of a local array is not constant", advice = "use shared memory")
  static void lengthOfAParameter(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[n]; // refused
    few[0] = n;
    out.set(0, few[0]);
  }

  @Kernel
  static void lengthOfAConstant(ThreadBlock block, GlobalInts out, @Const int n) {
    int[] few = new int[n + LENGTH];
    few[n] = n;
    out.set(0, few[n]);
  }

  @Kernel
  @Refused(reason = "length of a local array is not constant", advice = "@Const parameter")
  static void outerLengthOfAParameter(ThreadBlock block, GlobalInts out, int n) {
    int[][] few = new int[n][2]; // refused
    few[0][0] = n;
    out.set(0, few[0][0]);
  }

  @Kernel
  static void arrayOfArrays(ThreadBlock block, GlobalInts out, int n) {
    int[][] few = new int[3][2];
    for (int i = 0; i < few.length; i++) {
      for (int k = 0; k < few[i].length; k++) {
        few[i][k] = n + i * k;
      }
    }
    out.set(0, few[2][1]);
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "use shared memory")
  static void indexOfAParameter(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {1, 2, 3, n};
    out.set(0, few[n & 3]); // refused
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "at most 1024 iterations")
  static void indexOfALongLoop(ThreadBlock block, GlobalInts out, int n) {
    int[] many = new int[5000];
    for (int i = 0; i < many.length; i++) {
      many[i] = n; // refused
    }
    out.set(0, many[7]);
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "constant range")
  static void indexOfALoopToAParameter(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[8];
    for (int i = 0; i < n; i++) {
      few[i] = i; // refused
    }
    out.set(0, few[7]);
  }

  @Kernel
  static void indexOfALoop(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[8];
    for (int i = 0; i < few.length; i++) {
      few[i] = i < n ? i : 0;
    }
    out.set(0, few[7]);
  }

  @Kernel
  static void indexOfTheRoundThatLeaves(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {1, 5, 9, n};
    for (int i = 0; i < few.length; i++) {
      if (few[i] > n) {
        out.set(0, few[i] + few[few.length - 1 - i]);
        for (int k = 0; k < n; k++) {
          out.set(k + 2, few[i]);
        }
        few[i] = 0;
        break;
      }
    }
    out.set(1, few[2] + firstFrom(few, n - 3));
  }

  static int firstFrom(int[] numbers, int from) {
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] >= from) {
        return 10 * i + numbers[i];
      }
    }
    return -1;
  }

  @Kernel
  @Refused(reason = "index 4 of a local array of length 4", advice = "make the array longer")
  static void indexBehindTheEnd(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {1, 2, 3, n};
    for (int i = 0; i <= few.length; i++) {
      out.set(i, few[i]); // refused
    }
  }

  @Kernel
  @Refused(reason = "index -1 of a local array of length 4", advice = "0 to 3")
  static void indexBelowZero(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[LENGTH];
    few[few.length - 5] = n; // refused
  }

  @Kernel
  @Refused(reason = "local array of length -1", advice = "0 or more")
  static void lengthBelowZero(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[LENGTH - 5]; // refused
    out.set(0, n);
  }

  @Kernel
  @Refused(reason = "may refer to different arrays", advice = "its own variable")
  static void arrayOfOneOfTwo(ThreadBlock block, GlobalInts out, int n) {
    int[] a = {1, 2}; // refused
    int[] b = {3, 4};
    int[] c = n > 0 ? a : b;
    out.set(0, c[0]);
  }

  @Kernel
  static void elementOfOneOfTwo(ThreadBlock block, GlobalInts out, int n) {
    int[] a = {1, 2};
    int[] b = {3, 4};
    out.set(0, n > 0 ? a[0] : b[0]);
  }

  @Kernel
  @Refused(reason = "may refer to different arrays", advice = "swap elements")
  static void arraysSwapped(ThreadBlock block, GlobalInts out, int n) {
    int[] a = {1, 2}; // refused
    int[] b = {3, 4};
    for (int i = 0; i < n; i++) {
      int[] t = a;
      a = b;
      b = t;
    }
    out.set(0, a[0]);
  }

  @Kernel
  static void arraysSwappedInRoundsThatAreKnown(ThreadBlock block, GlobalInts out, int n) {
    int[] a = {1, n};
    int[] b = {n, 4};
    for (int i = 0; i < 3; i++) {
      int[] t = a;
      a = b;
      b = t;
    }
    out.set(0, a[0]);
  }

  @Kernel
  static void smallElements(ThreadBlock block, GlobalInts out, int n) {
    boolean[] flags = new boolean[4];
    char[] letters = {'a', 'b'};
    byte[] bytes = new byte[2];
    short[] shorts = {(short) n};
    flags[1] = n > 0;
    letters[0] += (char) n;
    bytes[1] = (byte) n;
    out.set(0, (flags[1] ? letters[0] : letters[1]) + bytes[1] + shorts[0]);
  }

  @Kernel
  @Refused(reason = "cannot call Arrays.sort", advice = "write a loop")
  static void sorted(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3};
    Arrays.sort(few); // refused
    out.set(0, few[0]);
  }

  @Kernel
  static void copied(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3};
    int[] more = new int[8];
    Arrays.fill(more, n);
    System.arraycopy(few, 1, more, 4, 2);
    int[] same = more.clone();
    same[0]++;
    out.set(0, more[4] + same[0]);
  }

  @Kernel
  static void copiedWithinItself(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3, 4, 5, 6};
    System.arraycopy(few, 0, few, 1, 4);
    System.arraycopy(few, 3, few, 2, 3);
    int[][] rows = {few, few.clone(), {7, 8, 9, 10, 11, 12}};
    System.arraycopy(rows, 0, rows, 1, 2);
    Arrays.fill(rows[0], 1, 3, n + 1);
    System.arraycopy(rows[2], 2, rows[0], 4, 2);
    for (int i = 0; i < few.length; i++) {
      out.set(i, rows[1][i] + 100 * rows[2][i]);
    }
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "constant range")
  static void copiedAsManyAsAParameterSays(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3};
    int[] more = new int[3];
    System.arraycopy(few, 0, more, 0, n); // refused
    out.set(0, more[0]);
  }

  @Kernel
  @Refused(reason = "index 3 of a local array of length 3", advice = "longer")
  static void copiedBehindTheEnd(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3};
    int[] more = new int[8];
    System.arraycopy(few, 1, more, 0, 3); // refused
    out.set(0, more[2]);
  }

  @Kernel
  @Refused(reason = "cannot copy int[] into float[]", advice = "same type")
  static void copiedIntoAnotherType(ThreadBlock block, GlobalInts out, int n) {
    int[] few = {n, 2, 3};
    float[] more = new float[8];
    System.arraycopy(few, 0, more, 0, 3); // refused
    out.set(0, (int) more[0]);
  }

  @Kernel
  @Refused(reason = "index 3 of a local array of length 3", advice = "longer")
  static void filledBehindTheEnd(ThreadBlock block, GlobalInts out, int n) {
    int[] few = new int[3];
    Arrays.fill(few, 1, 4, n); // refused
    out.set(0, few[1]);
  }

  // --- shared arrays and instructions

  @Kernel
  @Refused(reason = "shared array must be a positive constant", advice = "dynamicShared()")
  static void sharedOfAParameter(ThreadBlock block, GlobalFloats out, int n) {
    SharedFloats shared = block.sharedFloats(n); // refused
    out.set(0, shared.get(0));
  }

  @Kernel
  @Refused(reason = "shared array must be a positive constant", advice = "static final")
  static void sharedOfNothing(ThreadBlock block, GlobalFloats out, int n) {
    SharedFloats shared = block.sharedFloats(LENGTH - LENGTH); // refused
    out.set(0, shared.get(0));
  }

  @Kernel
  static void sharedOfAConstant(ThreadBlock block, GlobalFloats out, @Const int n) {
    SharedFloats shared = block.sharedFloats(n * LENGTH);
    SharedBytes rest = block.dynamicShared();
    shared.set(0, rest.asFloats().get(0));
    block.sync();
    out.set(0, shared.get(0));
  }

  @Kernel
  @Refused(reason = "an argument of Atomics.add is written into", advice = "static final")
  static void scopeOfOneOfTwo(ThreadBlock block, GlobalInts out, int n) {
    Atomics.add(out, 0, n, n > 0 ? Scope.BLOCK : Scope.DEVICE); // refused
  }

  @Kernel
  static void scopeThatIsKnown(ThreadBlock block, GlobalInts out, int n) {
    Scope scope = Scope.BLOCK;
    for (int i = 0; i < n; i++) {
      Atomics.add(out, i, n, scope);
    }
  }

  @Kernel
  @Refused(reason = "index of a local array is not constant", advice = "constant range")
  static void offsetOfAParameter(ThreadBlock block, GlobalInts out, int n) {
    int[] tile = new int[4];
    Ptx.ldmatrixX1(tile, n & 3, block.sharedBytes(512), 0); // refused
    out.set(0, tile[0]);
  }

  @Kernel
  static void offsetOfALoop(ThreadBlock block, GlobalInts out, int n) {
    int[] tile = new int[4];
    SharedBytes shared = block.sharedBytes(512);
    for (int i = 0; i < tile.length; i++) {
      Ptx.ldmatrixX1(tile, i, shared, 128 * i);
    }
    out.set(0, tile[0] + tile[3]);
  }

  @Kernel
  @Refused(
      reason = "elect needs compute capability 9.0, and the target is sm_80",
      advice = "lane 0",
      sm = 80)
  static void elected(ThreadBlock block, GlobalInts out, int n) {
    if (block.warp().elect()) { // refused
      out.set(0, n);
    }
  }

  @Kernel
  @Refused(
      reason = "Ptx.cvtRnSatfiniteE4m3x2F32 needs compute capability 8.9, and the target is sm_86",
      advice = "Fp8",
      sm = 86)
  static void eightBitsOnAnOlderDevice(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Ptx.cvtRnSatfiniteE4m3x2F32(n, 1)); // refused
  }

  @Kernel
  @Refused(
      reason = "Ptx.cvtRnF16x2E5m2x2 needs compute capability 8.9, and the target is sm_75",
      advice = "Fp8",
      sm = 75)
  static void halfsOfEightBitsOnAnOlderDevice(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Ptx.cvtRnF16x2E5m2x2(n)); // refused
  }

  @Kernel
  static void eightBitsOnANewerDevice(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Ptx.cvtRnSatfiniteE4m3x2F32(n, 1) + Ptx.cvtRnF16x2E5m2x2(n));
  }

  @Kernel
  static void electedOnANewerDevice(ThreadBlock block, GlobalInts out, int n) {
    if (block.warp().elect()) {
      out.set(0, n);
    }
  }

  @Kernel
  @Refused(
      reason = "Scope.CLUSTER needs compute capability 9.0, and the target is sm_80",
      advice = "Scope.DEVICE among blocks",
      sm = 80)
  static void clusterOnAnOlderDevice(ThreadBlock block, GlobalInts out, int n) {
    Atomics.add(out, 0, n, Scope.CLUSTER); // refused
  }

  @Kernel
  static void clusterOnANewerDevice(ThreadBlock block, GlobalInts out, int n) {
    Atomics.add(out, 0, n, Scope.CLUSTER);
  }

  // --- the kernel's own signature

  record Pair(int a, int b) {}

  @Kernel
  @Refused(reason = "parameter 1 of a kernel cannot be of type String", advice = "int, long, float")
  static void takesText(ThreadBlock block, String text) {
    int n = block.threadIndexX(); // refused
  }

  @Kernel
  @Refused(reason = "parameter 1 of a kernel cannot be of type int[]", advice = "global arrays")
  static void takesAHeapArray(ThreadBlock block, int[] numbers) {
    numbers[0] = 1; // refused
  }

  @Kernel
  @Refused(reason = "parameter 2 of a kernel cannot be of type List", advice = "global arrays")
  static void takesAList(ThreadBlock block, GlobalInts out, List<String> list) {
    out.set(0, 1); // refused
  }

  @SuppressWarnings("ArrayRecordComponent") // that is what is wrong with it
  record Held(int count, int[] numbers) {}

  @Kernel
  @Refused(
      reason = "cannot be a record: component numbers of the record RefusedArrays.Held is a int[]",
      advice = "array of the device")
  static void takesARecord(ThreadBlock block, Held held) {
    int n = block.threadIndexX(); // refused
  }

  static final int[] PLAIN = {1, 2, 3};

  @Const static final int[] SQUARES = {0, 1, 4, 9, 16};
  @Const static final int[][] ROWS = {{1}, {2}};
  @Const static final double[] LARGE = new double[8193];

  @Const
  @SuppressWarnings("NonFinalStaticField") // that is what is wrong with it
  static int[] changing = {1};

  @Kernel
  @Refused(reason = "the array in RefusedArrays.PLAIN", advice = "annotate it with @Const")
  static void readsAnArrayOfItsClass(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, PLAIN[n & 1]); // refused
  }

  @Kernel
  static void readsAConstantArray(ThreadBlock block, GlobalInts out, int n) {
    int sum = SQUARES.length;
    for (int square : SQUARES) {
      sum = 3 * sum + square;
    }
    out.set(0, sum + SQUARES[n & 3] + SQUARES[2]);
  }

  @Kernel
  @Refused(reason = "write into the @Const array RefusedArrays.SQUARES", advice = "clone()")
  static void writesAConstantArray(ThreadBlock block, GlobalInts out, int n) {
    SQUARES[1] = n; // refused
  }

  @Kernel
  @Refused(reason = "index 5 of the @Const array RefusedArrays.SQUARES", advice = "0 to 4")
  static void readsBeyondAConstantArray(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, SQUARES[5]); // refused
  }

  @Kernel
  @Refused(
      reason = "the @Const array RefusedArrays.ROWS holds no numbers",
      advice = "row * columns")
  static void readsRowsOfConstants(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, ROWS[1][0]); // refused
  }

  @Kernel
  @Refused(reason = "the @Const array RefusedArrays.changing is not final", advice = "static final")
  static void readsAConstantArrayThatIsNotFinal(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, changing[0]); // refused
  }

  @Kernel
  @Refused(
      reason = "take 65544 bytes, RefusedArrays.LARGE 65544 of them, and constant memory has 65536",
      advice = "an array of the device")
  static void readsTooManyConstants(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, (int) LARGE[n & 1023]); // refused
  }

  @Kernel
  @Refused(reason = "cannot be of type SharedFloats", advice = "block.sharedFloats")
  static void takesASharedArray(ThreadBlock block, SharedFloats shared) {
    shared.set(0, 1); // refused
  }

  @Kernel
  static void takesNumbersAndArrays(
      ThreadBlock block, GlobalBytes out, byte a, short b, long c, double d, float e, Integer f) {
    out.set(0, (byte) (a + b + c + d + e + f));
  }

  @Kernel
  static void takesABoxedNumber(ThreadBlock block, GlobalInts out, Integer n) {
    Integer most = n;
    for (int i = 0; i < 10; i++) {
      out.set(i, most);
      if (i > n) {
        most = n;
      }
    }
  }

  @Kernel
  @Refused(reason = "a variable holds a number on one path", advice = "two variables")
  static void takesABoxedNumberForAnObject(ThreadBlock block, GlobalInts out, Integer n) {
    Object any = n;
    if (n > 3) {
      any = new Pair(1, n); // refused
    }
    out.set(0, any.hashCode());
  }

  @Kernel
  @Refused(reason = "cannot return a value", advice = "write results into an array")
  static int gives(ThreadBlock block, int n) {
    return n + 1; // refused
  }

  @Kernel
  @Refused(reason = "must be a static method", advice = "make RefusedArrays.ofAnInstance static")
  void ofAnInstance(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, n); // refused
  }

  @Kernel
  @Refused(
      reason = "RefusedArrays.withoutItsConstant is @Const and has no value",
      advice = "give one")
  static void withoutItsConstant(ThreadBlock block, GlobalInts out, @Const String way) {
    out.set(0, 1); // refused
  }

  @Kernel
  @Refused(reason = "parameter 0 of RefusedArrays.power is @Const", advice = "static final")
  static void constantOfAParameter(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, power(n, n)); // refused
  }

  @Kernel
  static void constantOfALoop(ThreadBlock block, GlobalInts out, int n) {
    for (int i = 0; i < LENGTH; i++) {
      out.set(i, power(i, n));
    }
  }

  static int power(@Const int exponent, int n) {
    int product = 1;
    for (int i = 0; i < exponent; i++) {
      product *= n;
    }
    return product;
  }
}
