package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalLongs;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random records lie in memory as the same structs do in CUDA C++. The judge is {@code nvcc}; where
 * it is missing, the rules of C.
 */
class RecordStructsTest {
  private static final int KERNELS = 40;
  private static final Pattern PARAMETER =
      Pattern.compile("\\.param \\.align (\\d+) \\.b8 \\w+\\[(\\d+)]");
  private static final Pattern LOAD =
      Pattern.compile("ld\\.param\\.\\w+ %\\w+, \\[param0(?:\\+(\\d+))?]");

  private enum Primitive {
    BOOLEAN("boolean", "bool", 1),
    BYTE("byte", "signed char", 1),
    SHORT("short", "short", 2),
    CHAR("char", "unsigned short", 2),
    INT("int", "int", 4),
    FLOAT("float", "float", 4),
    LONG("long", "long long", 8),
    DOUBLE("double", "double", 8);

    final String java;
    final String cpp;
    final int bytes;

    Primitive(String java, String cpp, int bytes) {
      this.java = java;
      this.cpp = cpp;
      this.bytes = bytes;
    }
  }

  /** A record's component: a number, or a record. */
  private sealed interface Member {}

  private record Single(Primitive number) implements Member {}

  private record Struct(String name, List<Member> members) implements Member {
    /** Each number, with the way to it: {@code .m0.m2}. */
    Map<String, Primitive> numbers() {
      Map<String, Primitive> all = new java.util.LinkedHashMap<>();
      for (int i = 0; i < members.size(); i++) {
        String way = ".m" + i;
        switch (members.get(i)) {
          case Single it -> all.put(way, it.number);
          case Struct it -> it.numbers().forEach((more, number) -> all.put(way + more, number));
        }
      }
      return all;
    }

    /** This one and those within, the innermost first. */
    List<Struct> all() {
      List<Struct> all = new ArrayList<>();
      for (Member member : members) {
        if (member instanceof Struct it) {
          all.addAll(it.all());
        }
      }
      all.add(this);
      return all;
    }

    String java() {
      return "public record %s(%s) {}%n".formatted(name, list("%s m%d", ", ", true));
    }

    String cpp() {
      return "struct %s { %s; };%n".formatted(name, list("%s m%d", "; ", false));
    }

    private String list(String each, String between, boolean java) {
      return IntStream.range(0, members.size())
          .mapToObj(
              i ->
                  each.formatted(
                      switch (members.get(i)) {
                        case Single it -> java ? it.number.java : it.number.cpp;
                        case Struct it -> it.name;
                      },
                      i))
          .collect(Collectors.joining(between));
    }

    /** An expression that makes one. */
    String made(SplittableRandom random) {
      return members.stream()
          .map(
              it ->
                  switch (it) {
                    case Single one when one.number == Primitive.BOOLEAN ->
                        String.valueOf(random.nextBoolean());
                    case Single one -> "(" + one.number.java + ") " + random.nextInt() + "L";
                    case Struct one -> one.made(random);
                  })
          .collect(Collectors.joining(", ", "new " + name + "(", ")"));
    }

    long alignment() {
      return members.stream()
          .mapToLong(
              it ->
                  switch (it) {
                    case Single one -> one.number.bytes;
                    case Struct one -> one.alignment();
                  })
          .max()
          .orElseThrow();
    }

    /** The offsets of its numbers and, behind them, its size. */
    List<Long> layout() {
      List<Long> places = new ArrayList<>();
      long end = 0;
      for (Member member : members) {
        switch (member) {
          case Single one -> {
            while (end % one.number.bytes != 0) {
              end++;
            }
            places.add(end);
            end += one.number.bytes;
          }
          case Struct one -> {
            while (end % one.alignment() != 0) {
              end++;
            }
            List<Long> inner = one.layout();
            for (long place : inner.subList(0, inner.size() - 1)) {
              places.add(end + place);
            }
            end += inner.getLast();
          }
        }
      }
      while (end % alignment() != 0) {
        end++;
      }
      places.add(end);
      return places;
    }
  }

  private static Struct struct(SplittableRandom random, String name, int depth) {
    List<Member> members = new ArrayList<>();
    int count = random.nextInt(1, depth == 0 ? 8 : 5);
    for (int i = 0; i < count; i++) {
      if (depth < 3 && random.nextInt(4) == 0) {
        members.add(struct(random, name + "x" + i, depth + 1));
      } else {
        members.add(new Single(Primitive.values()[random.nextInt(Primitive.values().length)]));
      }
    }
    return new Struct(name, members);
  }

  private static List<Struct> structs() {
    SplittableRandom random = new SplittableRandom(20260);
    return IntStream.range(0, KERNELS).mapToObj(i -> struct(random, "S" + i, 0)).toList();
  }

  private static String javaSource(List<Struct> structs) {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder out = new StringBuilder();
    out.append("import dev.stretto.kernel.*;\nimport dev.stretto.memory.*;\n");
    out.append("public final class Structs {\n");
    for (String type : List.of("byte", "short", "char", "int", "long")) {
      out.append("static long bits(" + type + " x) { return x; }\n");
    }
    out.append("static long bits(boolean x) { return x ? 1 : 0; }\n");
    out.append("static long bits(float x) { return Float.floatToRawIntBits(x); }\n");
    out.append("static long bits(double x) { return Double.doubleToRawLongBits(x); }\n");
    for (int i = 0; i < structs.size(); i++) {
      Struct struct = structs.get(i);
      struct.all().forEach(it -> out.append(it.java()));
      List<String> ways = List.copyOf(struct.numbers().keySet());
      out.append(
          "public static void kernel%d(ThreadBlock block, %s r, short s, GlobalLongs out) {"
              .formatted(i, struct.name));
      for (int k = 0; k < ways.size(); k++) {
        String call = ways.get(k).replaceAll("(m\\d+)", "$1()");
        out.append("out.set(%d, bits(r%s));".formatted(k, call));
      }
      out.append("out.set(%d, s); }%n".formatted(ways.size()));
      out.append(
          "public static KernelMethod.Of3<%s, Short, GlobalLongs> of%d() { return Structs::kernel%d;}%n"
              .formatted(struct.name, i, i));
      String made = struct.made(random);
      out.append("public static Record value%d() { return %s; }%n".formatted(i, made));
    }
    return out.append("}\n").toString();
  }

  private static String cppSource(List<Struct> structs) {
    StringBuilder out = new StringBuilder("#include <cstddef>\n");
    for (int i = 0; i < structs.size(); i++) {
      Struct struct = structs.get(i);
      struct.all().forEach(it -> out.append(it.cpp()));
      out.append(
          "extern \"C\" __device__ const unsigned long long places%d[] = {%s, sizeof(%s)};%n"
              .formatted(
                  i,
                  struct.numbers().keySet().stream()
                      .map(way -> "offsetof(%s, %s)".formatted(struct.name, way.substring(1)))
                      .collect(Collectors.joining(", ")),
                  struct.name));
      out.append(
          "extern \"C\" __global__ void kernel%d(%s r, short s, long long *out) { *out = s; }%n"
              .formatted(i, struct.name));
    }
    return out.toString();
  }

  private static Class<?> compiled(List<Struct> structs, Path folder) throws Exception {
    Path source = folder.resolve("Structs.java");
    Files.writeString(source, javaSource(structs));
    String path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(it -> it.contains("classes"))
            .collect(Collectors.joining(File.pathSeparator));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                folder.toString(),
                "-proc:none",
                "-cp",
                path,
                source.toString());
    assertThat(status).isZero();
    ClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, RecordStructsTest.class.getClassLoader());
    return loader.loadClass("Structs");
  }

  private static String ptx(Class<?> owner, int number) {
    Method method =
        Arrays.stream(owner.getDeclaredMethods())
            .filter(it -> it.getName().equals("kernel" + number))
            .findFirst()
            .orElseThrow();
    KernelSource source =
        new KernelSource(
            owner.getClassLoader(),
            owner.getName(),
            method.getName(),
            java.lang.invoke.MethodType.methodType(void.class, method.getParameterTypes())
                .toMethodDescriptorString(),
            Map.of(),
            false);
    return KernelCompiler.compile(source, new KernelTarget(80)).ptx().text();
  }

  private static List<Long> places(String ptx) {
    List<Long> places = new ArrayList<>();
    Matcher load = LOAD.matcher(ptx);
    while (load.find()) {
      places.add(load.group(1) == null ? 0 : Long.parseLong(load.group(1)));
    }
    return places;
  }

  private static String declared(String ptx, int number) {
    int entry = ptx.indexOf("kernel" + number + "(");
    Matcher parameter = PARAMETER.matcher(ptx);
    assertThat(parameter.find(entry)).as(ptx).isTrue();
    return parameter.group(1) + " " + parameter.group(2);
  }

  @Test
  void aRecordLiesInTheKernelsParametersAsAStructInC(@TempDir Path folder) throws Exception {
    List<Struct> structs = structs();
    Class<?> owner = compiled(structs, folder);
    for (int i = 0; i < structs.size(); i++) {
      List<Long> expected = structs.get(i).layout();
      String ptx = ptx(owner, i);
      assertThat(places(ptx)).isEqualTo(expected.subList(0, expected.size() - 1));
      assertThat(declared(ptx, i)).isEqualTo(structs.get(i).alignment() + " " + expected.getLast());
    }
  }

  @Test
  void nvccPutsTheSameStructsInTheSamePlaces(@TempDir Path folder) throws Exception {
    Optional<Path> nvcc = nvcc();
    if (nvcc.isEmpty()) {
      return;
    }
    List<Struct> structs = structs();
    Class<?> owner = compiled(structs, folder);
    Path source = folder.resolve("structs.cu");
    Path text = folder.resolve("structs.ptx");
    Files.writeString(source, cppSource(structs));
    int status =
        new ProcessBuilder(
                nvcc.get().toString(),
                "-ptx",
                "-arch=sm_80",
                "-o",
                text.toString(),
                source.toString())
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).isZero();
    String cpp = Files.readString(text);
    for (int i = 0; i < structs.size(); i++) {
      String ptx = ptx(owner, i);
      assertThat(declared(ptx, i)).isEqualTo(declared(cpp, i));
      List<Long> expected = cppPlaces(cpp, i);
      assertThat(places(ptx)).isEqualTo(expected.subList(0, expected.size() - 1));
    }
  }

  /** Their numbers are written as they are, or as bytes with the least first. */
  private static List<Long> cppPlaces(String ptx, int number) {
    Matcher array =
        Pattern.compile("\\.(b8|u64|b64) places" + number + "\\[(\\d+)] = \\{([^}]*)}")
            .matcher(ptx);
    assertThat(array.find()).isTrue();
    List<Long> values =
        Arrays.stream(array.group(3).split(",", -1)).map(it -> Long.parseLong(it.strip())).toList();
    if (!array.group(1).equals("b8")) {
      return values;
    }
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(array.group(2)); i += Long.BYTES) {
      places.add(at(values, i) + 256 * at(values, i + 1) + 65536 * at(values, i + 2));
    }
    return places;
  }

  /** Zeros at the end are left out. */
  private static long at(List<Long> values, int index) {
    return index < values.size() ? values.get(index) : 0;
  }

  private static Optional<Path> nvcc() {
    return Arrays.stream(
            Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
        .filter(it -> !it.isEmpty())
        .map(it -> Path.of(it, "nvcc"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Each number arrives, on every way on which a virtual device runs a kernel. */
  @Test
  void theNumbersArrive(@TempDir Path folder) throws Exception {
    List<Struct> structs = structs();
    Class<?> owner = compiled(structs, folder);
    for (String name : List.of("virtual", "virtual:h200,seed=3")) {
      try (Device device = Device.open(name);
          Stream stream = device.stream();
          GlobalLongs out = device.allocateLongs(200)) {
        for (int i = 0; i < structs.size(); i++) {
          Object value = owner.getMethod("value" + i).invoke(null);
          launch(stream, owner.getMethod("of" + i).invoke(null), value, out);
          long[] found = new long[200];
          stream.copy(out, found).await();
          List<Long> expected = new ArrayList<>();
          bits(value, expected);
          for (int k = 0; k < expected.size(); k++) {
            assertThat(found[k]).as("%d of %s", k, value).isEqualTo(expected.get(k));
          }
          assertThat(found[expected.size()]).isEqualTo(-5);
        }
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void launch(Stream stream, Object kernel, Object value, GlobalLongs out) {
    stream.launch(
        Grid.of(1, 1),
        (KernelMethod.Of3<Object, Short, GlobalLongs>) kernel,
        value,
        (short) -5,
        out);
  }

  private static void bits(Object record, List<Long> to) throws Exception {
    for (var component : record.getClass().getRecordComponents()) {
      switch (component.getAccessor().invoke(record)) {
        case Boolean it -> to.add(it ? 1L : 0L);
        case Character it -> to.add((long) it);
        case Float it -> to.add((long) Float.floatToRawIntBits(it));
        case Double it -> to.add(Double.doubleToRawLongBits(it));
        case Number it -> to.add(it.longValue());
        case Object it -> bits(it, to);
      }
    }
  }
}
