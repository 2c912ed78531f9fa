package dev.stretto.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Stream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the Java compiler, with its default options, says of launches and copies that do not fit: a
 * few lines, with the types that differ; and nothing of those that fit.
 */
class WrongCallsTest {
  private static final int LINES = 12;
  private static final String PROGRAM =
      """
      import dev.stretto.*;
      import dev.stretto.kernel.*;
      import dev.stretto.memory.*;
      import java.lang.foreign.MemorySegment;
      import java.nio.channels.FileChannel;

      class Kernels {
        @Kernel
        static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {}

        @Kernel
        static void count(ThreadBlock block, GlobalInts counts, long n) {}

        @Kernel
        static void nine(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int b, int c,
            long d, GlobalInts i, double e, byte f) {}

        @Kernel
        static void nothing(ThreadBlock block) {}

        @Kernel
        static void one(ThreadBlock block, GlobalFloats x) {}

        @Kernel
        void ofAnObject(ThreadBlock block, GlobalInts counts, long n) {}

        static void withoutBlock(GlobalInts counts, long n) {}

        private static void secret(ThreadBlock block, GlobalInts counts) {}
      }

      record Pair<T>(T first, T second) {}

      class Program {
        void run(CALLED called, Stream stream, Device device, Tasks tasks, Grid grid,
            GlobalFloats x, GlobalFloats y, GlobalInts ints, GlobalHalfs halfs, GlobalBytes bytes,
            float[] floats, int[] counts, int n, long many, MemorySegment segment,
            FileChannel file, DeviceKernel image, KernelMethod method,
            KernelMethod.Of2<GlobalInts, Long> held, Stream other) throws Exception {
          CALLS
        }
      }
      """;

  @TempDir Path folder;

  /** A call, and what the compiler must say of it. */
  private record Wrong(String call, List<String> words) {}

  private static Wrong wrong(String call, String... words) {
    return new Wrong(call, List.of(words));
  }

  /** {@return the calls of one verb; {@code call} stands for a method and its opening bracket} */
  private static List<Wrong> launches() {
    String saxpy = "KernelTakes<Float,GlobalFloats,GlobalFloats,Integer>.ButIsGiven";
    String required = "required: ThreadBlock,float,GlobalFloats,GlobalFloats,int";
    return List.of(
        wrong("grid, Kernels::saxpy, 2, x, y, n", saxpy + "<Integer,GlobalFloats,"),
        wrong("grid, Kernels::saxpy, 2.0, x, y, n", saxpy + "<Double,"),
        wrong("grid, Kernels::saxpy, 2f, x, y, many", saxpy, "GlobalFloats,Long>"),
        wrong("grid, Kernels::count, ints, n", "KernelTakes<GlobalInts,Long>", "<GlobalInts,Int"),
        wrong("grid, Kernels::saxpy, 2f, x, y", required, "AnotherNumberOfArguments"),
        wrong("grid, Kernels::saxpy", required, "AnotherNumberOfArguments"),
        wrong("grid, Kernels::saxpy, 2f, x, y, n, n", required, "AnotherNumberOfArguments"),
        wrong("grid, Kernels::nothing, n", "AnotherNumberOfArguments"),
        wrong("grid, Kernels::one, x, n", "AnotherNumberOfArguments"),
        wrong("grid, Kernels::saxpy, x, 2f, y, n", saxpy + "<GlobalFloats,Float,"),
        wrong("grid, Kernels::saxpy, 2f, x, ints, n", saxpy, "GlobalInts,Integer>"),
        wrong("grid, Kernels::saxpy, 2f, floats, y, n", saxpy, "<Float,float[],"),
        wrong("grid, Kernels::saxpy, 2f, segment, y, n", saxpy, "<Float,MemorySegment,"),
        wrong("grid, Kernels::saxpy, \"2\", x, y, n", saxpy, "<String,"),
        wrong("grid, Kernels::ofAnObject, ints, many", "ofAnObject", "OrNoStaticMethod"),
        wrong("grid, Kernels::withoutBlock, ints, many", "ThreadBlock cannot be converted"),
        wrong("grid, Kernels::saxpi, 2f, x, y, n", "cannot find symbol", "saxpi"),
        wrong("grid, Kernels::secret, ints", "private access"),
        wrong("grid, Pair::new, ints, ints", "Pair<T>"),
        wrong("grid, (block, a) -> {}, ints, many", "lambda expression"),
        wrong("grid, (block, a, b) -> Kernels.count(block, a, b), ints, \"2\"", "String cannot"),
        wrong("grid, (ThreadBlock block, float a) -> {}, 2f", "lambda expression"),
        wrong("Kernels::saxpy, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("256, Kernels::saxpy, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("256, 128, Kernels::saxpy, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("256, 128, 0, Kernels::saxpy, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("Kernels::saxpy, grid, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("other, grid, Kernels::saxpy, 2f, x, y, n", required, "FirstArgumentIsNoGrid"),
        wrong("grid, 1024, Kernels::saxpy, 2f, x, y, n", required, "SecondArgumentIsNoKernel"),
        wrong("grid, 2f, x, y, n", "NoKernel"),
        wrong("grid, \"saxpy\", 2f, x, y, n", "NoKernel"),
        wrong("grid, new Kernels(), 2f, x, y, n", "NoKernel"),
        wrong("grid", "NoKernel"),
        wrong("grid, x", "NoKernel"),
        wrong("image, n", "Grid"),
        wrong("256, image, n", "Grid"),
        wrong("", "NothingToLaunch"),
        wrong("x", "Grid"),
        wrong("grid, method, n", "NoKernel"),
        wrong("method, n", "ambiguous"),
        wrong("grid, held, ints", "ambiguous"),
        wrong("grid, held, ints, n", "KernelTakes<GlobalInts,Long>.ButIsGiven<GlobalInts,Int"),
        wrong("256, held, ints, many", "ambiguous"),
        wrong("grid, Kernels::saxpy, undefined, x, y, n", "cannot find symbol", "undefined"),
        wrong("grid, Kernels::nine, 2, x, y, n, n, many, ints, 1.0, (byte) 1", "ButIsGiven<Int"),
        wrong("grid, Kernels::nine, 2f, x, y, n, n, many, ints, 1.0", "required: ThreadBlock,"),
        wrong("grid, Kernels::nine, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13", "required: T"));
  }

  private static List<Wrong> copies() {
    return List.of(
        wrong("floats, ints", "NoCopyFrom<float[]>.To<GlobalInts>"),
        wrong("x, counts", "NoCopyFrom<GlobalFloats>.To<int[]>"),
        wrong("floats, counts", "NoCopyFrom<float[]>.To<int[]>"),
        wrong("floats, new float[3]", "NoCopyFrom<float[]>.To<float[]>"),
        wrong("segment, floats", "NoCopyFrom<MemorySegment>.To<float[]>"),
        wrong("floats, segment", "NoCopyFrom<float[]>.To<MemorySegment>"),
        wrong("new Float[3], x", "NoCopyFrom<Float[]>.To<GlobalFloats>"),
        wrong("java.nio.FloatBuffer.wrap(floats), x", "NoCopyFrom<FloatBuffer>"),
        wrong("java.util.List.of(1f), x", "NoCopyFrom<List<Float>>"),
        wrong("\"file\", x", "NoCopyFrom<String>.To<GlobalFloats>"),
        wrong("file, x", "NoCopyFrom<FileChannel>.To<GlobalFloats>"),
        wrong("x, 5", "NoCopyFrom<GlobalFloats>.To<Integer>"),
        wrong("other, x", "NoCopyFrom<Stream>.To<GlobalFloats>"),
        wrong("x, y, n", "NoCopyTakes<GlobalFloats,GlobalFloats,Integer>"),
        wrong("x, y, other", "NoCopyTakes<GlobalFloats,GlobalFloats,Stream>"),
        wrong("floats, 3, x", "NoCopyTakes<float[],Integer,GlobalFloats>"),
        wrong("floats, 0, x, 0, n", "NoCopyTakes<float[],Integer,GlobalFloats,Integer,Integer>"),
        wrong("x, y, 0L, 1.5, many, n", "NoCopyTakes<GlobalFloats,GlobalFloats,Long,Double,"),
        wrong("floats, 0, n, ints", "NoCopyTakes<float[],Integer,Integer,GlobalInts>"),
        wrong("floats, 0L, n, x", "NoCopyTakes<float[],Long,Integer,GlobalFloats>"),
        wrong("floats, 0, many, x", "NoCopyTakes<float[],Integer,Long,GlobalFloats>"),
        wrong("floats, x, 0, n", "NoCopyTakes<float[],GlobalFloats,Integer,Integer>"),
        wrong("x, 0, n, floats", "NoCopyTakes<GlobalFloats,Integer,Integer,float[]>"),
        wrong("ints, floats, 0, n", "NoCopyTakes<GlobalInts,float[],Integer,Integer>"),
        wrong("counts, 0, n, halfs", "NoCopyTakes<int[],Integer,Integer,GlobalHalfs>"),
        wrong("floats, 0, n, counts", "NoCopyTakes<float[],Integer,Integer,int[]>"),
        wrong("segment, 0, n, x", "NoCopyTakes<MemorySegment,Integer,Integer,GlobalFloats>"),
        wrong("x, 0, n, y", "NoCopyTakes<GlobalFloats,Integer,Integer,GlobalFloats>"),
        wrong("floats, 0, n, undefined", "cannot find symbol"),
        wrong("counts, halfs", "NoCopyFrom<int[]>.To<GlobalHalfs>"),
        wrong("new double[3], halfs", "NoCopyFrom<double[]>.To<GlobalHalfs>"),
        wrong("halfs, counts", "NoCopyFrom<GlobalHalfs>.To<int[]>"),
        wrong("x", "NoCopyTakes<GlobalFloats>"),
        wrong("", "NothingToCopy"),
        wrong("undefined, x", "cannot find symbol"),
        wrong("x.array, y", "cannot find symbol"));
  }

  @Test
  void aWrongLaunchIsRefusedInAFewLines() throws IOException {
    judge("Stream", "called.launch", launches());
    judge("Tasks", "called.launch", launches());
    judge("Device", "called.prepare", launches());
  }

  @Test
  void aWrongCopyIsRefusedInAFewLines() throws IOException {
    judge("Stream", "called.copy", copies());
    judge("Tasks", "called.copy", copies());
  }

  @Test
  void aWrongCallInALambdaIsRefusedInAFewLines() throws IOException {
    for (String call :
        List.of(
            "Graph.capture(stream, () -> stream.launch(grid, Kernels::saxpy, 2, x, y, n));",
            "Graph.capture(stream, () -> { stream.launch(grid, Kernels::saxpy, 2, x, y, n); });",
            "Runnable run = () -> { stream.launch(Kernels::saxpy, 2, x, y, n); };",
            "Runnable run = () -> { stream.copy(floats, ints); };",
            "java.util.function.Supplier<Copy> copy = () -> stream.copy(floats, ints);",
            "java.util.List.of(stream.copy(floats, ints));",
            "Copy copy = stream.copy(floats, ints);",
            "stream.copy(floats, ints).await();")) {
      String said = javac("Object", call);
      assertThat(said.lines().count()).as(call + "\n" + said).isBetween(1L, (long) LINES);
    }
    assertThat(javac("Object", "Runnable run = () -> { stream.copy(floats, ints); };"))
        .contains("NoCopyFrom<float[]>.To<GlobalInts>");
  }

  private void judge(String called, String verb, List<Wrong> wrong) throws IOException {
    List<String> all = new ArrayList<>();
    for (Wrong one : wrong) {
      String call = verb + "(" + one.call + ");";
      String said = javac(called, call);
      assertThat(said).as(call).contains("error: ").contains(one.words);
      assertThat(said.lines().count()).as(call + "\n" + said).isLessThanOrEqualTo(LINES);
      all.add(call);
    }
    // Together they say no more than each alone: no class of mistakes makes another one long.
    String said = javac(called, String.join("\n", all.subList(0, 9)));
    assertThat(said.lines().count()).as(said).isLessThanOrEqualTo(9 * LINES);
    assertThat(said).contains("9 errors");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream.launch(grid, Kernels::saxpy, 2f, x, y, n);",
        "tasks.launch(grid, Kernels::saxpy, 2f, x, y, n);",
        "Launch launch = device.prepare(grid, Kernels::saxpy, 2f, x, y, n);",
        "stream.launch(grid, Kernels::nothing);",
        "stream.launch(grid, Kernels::one, x);",
        "stream.launch(grid, block -> {});",
        "stream.launch(grid, (block, a, b) -> Kernels.count(block, a, b), ints, many);",
        "stream.launch(grid, (ThreadBlock block, GlobalFloats a) -> {}, x);",
        "stream.launch(grid, held, ints, many);",
        "stream.launch(grid, held, ints, 1L);",
        "stream.launch(grid, Kernels::nine, 1f, x, y, 2, 3, many, ints, 1.0, (byte) 1);",
        "stream.launch(grid, image);",
        "stream.launch(grid, image, 1, x);",
        "stream.launch(grid, image, x, null, 1); stream.launch(grid, image, null, x, null);",
        "stream.launch(grid, image, new Object[] {1, x});",
        "stream.launch(device.prepare(grid, image, 1, x));",
        "stream.launch(null, Kernels::one, x);",
        "stream.launch(grid, Kernels::one, (GlobalFloats) null);",
        "stream.launch(grid, device.isVirtual() ? Kernels::one : (block, a) -> {}, x);",
        "stream.copy(floats, x); stream.copy(x, floats); stream.copy(segment, x);",
        "stream.copy(x, segment); stream.copy(x, ints); stream.copy(segment, segment);",
        "stream.copy(x, y, Route.Kind.LOCAL); stream.copy(file, 0, x); stream.copy(x, file, n);",
        "stream.copy(segment, x, SourceAccess.DURING_CALL); Copy copy = stream.copy(x, y);",
        "tasks.copy(floats, x).await(); tasks.copy(counts, ints); tasks.copy(x, y);",
        "Copy copy = stream.copy(floats, 0, n, x); stream.copy(x, floats, 0, n);",
        "stream.copy(counts, 0, n, ints.slice(0, n)).await(); stream.copy(ints, counts, 0, n);",
        "tasks.copy(floats, 0, n, x); tasks.copy(x, floats, 0, n).await();",
        "Copy copy = stream.copy(floats, halfs); stream.copy(halfs, floats);",
        "tasks.copy(floats, 0, n, halfs); Copy copy = tasks.copy(halfs, floats, 0, n);"
      })
  void aRightCallIsCompiled(String calls) throws IOException {
    assertThat(javac("Object", calls)).isEmpty();
  }

  /** {@return what the compiler says of a program, all lines} */
  private String javac(String called, String calls) throws IOException {
    String text = PROGRAM.replace("CALLED", called).replace("CALLS", calls);
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    StringWriter said = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String library =
        Path.of(Stream.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of("-d", folder.toString(), "-cp", library),
                null,
                List.of(source))
            .call();
    assertThat(compiled).as(said.toString()).isEqualTo(said.toString().isEmpty());
    return said.toString();
  }
}
