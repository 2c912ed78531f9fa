package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainCommandTest {
  private static final String KERNELS = ExplainedKernels.class.getName();

  @TempDir private Path folder;

  private static Ran explain(String kernel, String... options) {
    List<String> arguments = new ArrayList<>(List.of("explain", KERNELS + "::" + kernel));
    arguments.addAll(List.of(options));
    return Ran.stretto(arguments.toArray(String[]::new));
  }

  private static JsonNode json(String kernel, String... options) throws Exception {
    Ran ran =
        explain(
            kernel,
            Stream.concat(Stream.of("--json"), Arrays.stream(options)).toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    return ran.json();
  }

  private static List<String> ptx(JsonNode explanation, String sourceLine) {
    return StreamSupport.stream(explanation.get("lines").spliterator(), false)
        .filter(line -> line.path("source").asText().contains(sourceLine))
        .flatMap(line -> StreamSupport.stream(line.get("ptx").spliterator(), false))
        .map(JsonNode::asText)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "sm_75, synchronous",
    "sm_80, cp.async.cg.16",
    "sm_90, cp.async.bulk",
    "sm_120, cp.async.bulk"
  })
  void tellsWhatACopyBecomesOnEachTarget(String arch, String mechanism) throws Exception {
    JsonNode copies = json("staged", "--arch", arch).get("copies");
    assertThat(copies).hasSize(1);
    JsonNode copy = copies.get(0);
    assertThat(copy.get("file").asText()).isEqualTo("ExplainedKernels.java");
    assertThat(copy.get("line").asInt()).isEqualTo(lineOf("block.memcpyAsync(tile, 0, x, 0, 64"));
    assertThat(copy.get("direction").asText()).isEqualTo("global-to-shared");
    assertThat(copy.get("bytes").asInt()).isEqualTo(256);
    assertThat(copy.get("alignment").asInt()).isEqualTo(16);
    assertThat(copy.get("mechanism").asText()).isEqualTo(mechanism);
    assertThat(copy.get("completion").asText()).contains("barrier");
    assertThat(copy.get("reason").asText()).contains("16 bytes");
    assertThat(json("staged", "--arch", arch).get("lints")).isEmpty();
    assertThat(explain("staged", "--arch", arch).out())
        .containsPattern("(?m)^ExplainedKernels.java:\\d+: " + mechanism + "$")
        .contains("  complete: ");
  }

  @Test
  void tellsHowArraysAreAccessedAndThatViewsAreOverTheLink() throws Exception {
    assertThat(explain("scale", "--arch", "sm_90").out())
        .contains(
            "\nGlobalFloats x: reads and writes 4 bytes at a time; a view of host memory is read"
                + " and written over the link\n");
    assertThat(explain("reverse", "--const=tile=64", "--const=twice=true").out())
        .contains("\nGlobalInts x: reads and writes 4 bytes at a time;");
    assertThat(
            explain("twoOfAName(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;)V")
                .out())
        .contains(
            "\nGlobalInts x: writes 4 bytes at a time; a view of host memory is written over");
    JsonNode arrays = json("scale", "--arch", "sm_90").get("arrays");
    assertThat(arrays).hasSize(1);
    JsonNode array = arrays.get(0);
    assertThat(array.get("name").asText()).isEqualTo("x");
    assertThat(array.get("type").asText()).isEqualTo("GlobalFloats");
    assertThat(array.get("reads").asBoolean()).isTrue();
    assertThat(array.get("writes").asBoolean()).isTrue();
    assertThat(array.get("bytesPerAccess")).hasSize(1);
    assertThat(array.get("bytesPerAccess").get(0).asLong()).isEqualTo(4);
  }

  @Test
  void tellsWhatAKernelGetsWrongAboutItsCopies() throws Exception {
    JsonNode explanation = json("hasty", "--arch", "sm_90");
    assertThat(explanation.get("copies").get(0).get("bytes").isNull()).isTrue();
    JsonNode lints = explanation.get("lints");
    assertThat(lints).hasSize(1);
    JsonNode lint = lints.get(0);
    assertThat(lint.get("rule").asText()).isEqualTo("missing-wait");
    assertThat(lint.get("line").asInt())
        .isEqualTo(lineOf("block.memcpyAsync(tile, 0, x, 0, n);") + 1);
    assertThat(lint.get("message").asText()).contains("ExplainedKernels.java:");
    assertThat(explain("hasty", "--arch", "sm_90").out())
        .containsPattern("(?m)^ExplainedKernels.java:\\d+: missing-wait$");
  }

  private static int lineOf(String text) throws Exception {
    List<String> lines =
        Files.readAllLines(Path.of("src/test/java/dev/stretto/cli/ExplainedKernels.java"));
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(text)) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(text);
  }

  @Test
  void tellsWhatIsLeftOverOfACopy() throws Exception {
    JsonNode copy = json("leftOver", "--arch", "sm_90").get("copies").get(0);
    assertThat(copy.get("bytes").asInt()).isEqualTo(524);
    assertThat(copy.get("countedBytes").asInt()).isEqualTo(512);
    assertThat(copy.get("rest").asText()).startsWith("12 bytes: ");
    assertThat(explain("leftOver", "--arch", "sm_90").out())
        .containsPattern("(?m)^  remainder: 12 bytes: .*; the barrier counts the other 512$");
    assertThat(json("staged", "--arch", "sm_90").get("copies").get(0).get("rest").asText())
        .isEmpty();
  }

  @Test
  void tellsBankConflictsBesideTheLine() throws Exception {
    Ran ran =
        explain("transposed", "--block", "32x8", "--arch", "sm_80", "--source", "src/test/java");
    int line = lineOf("tile.get(x * 32 + y)");
    assertThat(ran.out())
        .contains("\nShared memory: 2 accesses, 1 with bank conflicts\n")
        .contains(
            """

            ExplainedKernels.java:%d: 32-way bank conflict
              load of 4 bytes by each of 32 lanes: 32 passes instead of 1; the lanes are 32 words\
             apart: pad each row by 1 word
            """
                .formatted(line))
        .containsPattern("(?m)^ +// 32-way bank conflict \\(load\\)$");
    JsonNode accesses =
        json("transposed", "--block", "32x8", "--arch", "sm_80").get("sharedAccesses");
    assertThat(accesses).hasSize(2);
    assertThat(accesses.get(0).get("kind").asText()).isEqualTo("store");
    assertThat(accesses.get(0).get("mostPasses").asInt()).isEqualTo(1);
    JsonNode load = accesses.get(1);
    assertThat(load.get("file").asText()).isEqualTo("ExplainedKernels.java");
    assertThat(load.get("line").asInt()).isEqualTo(line);
    assertThat(load.get("bytesPerLane").asInt()).isEqualTo(4);
    assertThat(load.get("passesNeeded").asInt()).isEqualTo(1);
    assertThat(load.get("leastPasses").asInt()).isEqualTo(32);
    assertThat(load.get("mostPasses").asInt()).isEqualTo(32);
    assertThat(load.get("ways").asInt()).isEqualTo(32);
    assertThat(load.get("bytesApart").asInt()).isEqualTo(128);
    assertThat(load.get("dependsOn")).isEmpty();
  }

  @Test
  void saysWhatBankConflictsDependOn() throws Exception {
    assertThat(explain("transposed", "--arch", "sm_80").out())
        .containsPattern("instead of 1, depending on the shape of the block\n");
    Ran ran = explain("gathered", "--arch", "sm_80");
    assertThat(ran.out())
        .contains("\nShared memory: 2 accesses, 1 with bank conflicts, 1 not known\n")
        .contains(", depending on the argument stride\n")
        .containsPattern(
            ": bank conflicts not known\n  load of 4 bytes by each of 32 lanes: the addresses"
                + " depend on values that differ from lane to lane, from ExplainedKernels.java:");
    JsonNode load = json("gathered", "--arch", "sm_80").get("sharedAccesses").get(1);
    assertThat(load.get("mostPasses").isNull()).isTrue();
    assertThat(load.get("dependsOn")).hasSize(1);
    assertThat(explain("scale").out()).doesNotContain("Shared memory");
  }

  /** The residency of a block as CUDA's rules give it, whatever the registers are. */
  @Test
  void tellsTheOccupancy() throws Exception {
    JsonNode given =
        json("transposed", "--block", "32x8", "--dynamic-shared", "60K", "--arch", "sm_90");
    boolean measured = !given.get("tool").asText().equals("none");
    assertThat(given.get("occupancy")).hasSize(measured ? 1 : 0);
    if (!measured) {
      return;
    }
    JsonNode blocks = given.get("occupancy").get(0);
    assertThat(blocks.get("threadsPerBlock").asInt()).isEqualTo(256);
    assertThat(blocks.get("dynamicSharedBytes").asInt()).isEqualTo(60 << 10);
    assertThat(blocks.get("blocks").asInt()).as("of 64 KiB and 1 in 228").isEqualTo(3);
    assertThat(blocks.get("warps").asInt()).isEqualTo(24);
    assertThat(blocks.get("mostWarps").asInt()).isEqualTo(64);
    assertThat(blocks.get("percent").asInt()).isEqualTo(38);
    assertThat(blocks.get("limitedBy").get(0).asText()).isEqualTo("shared memory");
    assertThat(
            explain("transposed", "--block", "32x8", "--dynamic-shared", "60K", "--arch", "sm_90")
                .out())
        .contains(
            "\nOccupancy with blocks of 256 threads and 61440 bytes of dynamic shared memory: 3"
                + " blocks per multiprocessor, 24 of 64 warps (38 %), limited by shared memory\n");
    assertThat(explain("gathered", "--arch", "sm_86").out())
        .as("the most threads that the annotation allows")
        .contains(
            "\nOccupancy with blocks of 256 threads: 6 blocks per multiprocessor, 48 of 48 warps"
                + " (100 %), limited by threads\n");
    assertThat(json("scale", "--arch", "sm_90").get("occupancy"))
        .extracting(it -> it.get("threadsPerBlock").asInt())
        .containsExactly(128, 256, 512, 1024);
  }

  @Test
  void refusesMoreSharedMemoryThanTheTargetHas() {
    assertThat(explain("greedy", "--arch", "sm_90").exitCode()).isZero();
    Ran ran = explain("greedy", "--arch", "sm_80");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("200000 of them", "166912", "sm_80", "ExplainedKernels.java:");
  }

  @Test
  void showsBesideALineWhatItBecame() {
    Ran ran = explain("scale", "--source", "src/test/java", "--arch", "sm_80");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .startsWith("scale of dev.stretto.cli.ExplainedKernels for sm_80\n")
        .containsPattern("(?m)^ +\\d+  if \\(i < x.length\\(\\)\\) \\{ +setp.ge.s64 ")
        .containsPattern("(?m)^ +ld.global.f32 ")
        .containsPattern("(?m)^ +\\d+  } +\\$L\\d+:\n +ret;")
        .contains("\n\nExplainedKernels.java\n")
        .containsPattern("(?m)^ +\\d+  long i = block.globalIndexX\\(\\); +mov.u32 ");
  }

  @Test
  void showsLineNumbersWhereTheSourceIsNotFound() {
    assertThat(explain("scale", "--source", folder.toString()).out())
        .containsPattern("(?m)^ +\\d\\d    setp.ge.s64 ");
  }

  @Test
  void takesASingleSourceFile() throws Exception {
    String file = "src/test/java/dev/stretto/cli/ExplainedKernels.java";
    assertThat(ptx(json("scale", "--source", file), "factor * x.get(i)"))
        .anyMatch(line -> line.startsWith("ld.global.f32"))
        .anyMatch(line -> line.startsWith("mul.rn.f32"))
        .anyMatch(line -> line.startsWith("st.global.f32"));
  }

  @Test
  void jsonHasAllOfIt() throws Exception {
    JsonNode explained =
        json("reverse", "--const", "tile=64", "--const", "twice=false", "--arch", "sm_80", "--ptx");
    assertThat(explained.fieldNames())
        .toIterable()
        .containsExactly(
            "kernel",
            "class",
            "target",
            "checked",
            "registers",
            "sharedBytes",
            "dynamicSharedBytes",
            "stackBytes",
            "spillStoreBytes",
            "spillLoadBytes",
            "tool",
            "arrays",
            "lines",
            "copies",
            "lints",
            "occupancy",
            "sharedAccesses",
            "ptx");
    assertThat(explained.get("kernel").asText()).isEqualTo("reverse");
    assertThat(explained.get("class").asText()).isEqualTo(KERNELS);
    assertThat(explained.get("target").asText()).isEqualTo("sm_80");
    assertThat(explained.get("checked").asBoolean()).isFalse();
    assertThat(explained.get("sharedBytes").asInt()).isEqualTo(64 * 4);
    assertThat(explained.get("ptx").asText()).startsWith(".version ").endsWith("}\n");
    boolean unknown = explained.get("tool").asText().equals("none");
    assertThat(explained.get("registers").isNull()).isEqualTo(unknown);
  }

  @Test
  void everyInstructionIsInOneLine() throws Exception {
    JsonNode explained =
        json("reverse", "--const", "2=64", "--const", "3=true", "--checked", "--ptx");
    String text = explained.get("ptx").asText();
    String body =
        text.substring(text.indexOf("\n\n", text.indexOf("\n{\n")), text.lastIndexOf('}'));
    List<String> expected =
        body.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("//"))
            .toList();
    List<String> shown = new ArrayList<>();
    explained.get("lines").forEach(line -> line.get("ptx").forEach(it -> shown.add(it.asText())));
    assertThat(shown).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void aConstantIsCompiledIn() throws Exception {
    String once =
        json("reverse", "--const", "tile=48", "--const", "twice=false", "--ptx")
            .get("ptx")
            .asText();
    String twice =
        json("reverse", "--const", "2=0x30", "--const", "3=true", "--ptx").get("ptx").asText();
    assertThat(once).contains("+188]").isNotEqualTo(twice);
  }

  @Test
  void constantsAreOfEveryTypeThatAKernelTakes() throws Exception {
    JsonNode explained =
        json(
            "every",
            "--ptx",
            "--const=b=-1",
            "--const=s=2",
            "--const=c=A",
            "--const=l=4",
            "--const=f=0.5",
            "--const=d=0.25",
            "--const=scope=BLOCK");
    float sum = -1 + 2 + 'A' + 4 + 0.5f + 0.25f;
    assertThat(explained.get("ptx").asText())
        .contains("0f%08X".formatted(Float.floatToIntBits(sum)))
        .contains(".cta.");
  }

  @Test
  void whatALambdaHasCapturedIsAConstant() throws Exception {
    String name =
        Arrays.stream(ExplainedKernels.class.getDeclaredMethods())
            .map(Method::getName)
            .filter(method -> method.startsWith("lambda$filling"))
            .findFirst()
            .orElseThrow();
    assertThat(json(name, "--const", "0=4711", "--ptx").get("ptx").asText()).contains("4711");
    assertThat(explain(name).err()).contains("is compiled for a value of int number");
  }

  @Test
  void aFailedCheckBelongsToItsLine() throws Exception {
    JsonNode explained = json("scale", "--checked", "--source", "src/test/java");
    assertThat(explained.get("checked").asBoolean()).isTrue();
    assertThat(ptx(explained, "factor * x.get(i)")).contains("$F0:").contains("bra $FAIL;");
    assertThat(ptx(explained, "if (i <")).doesNotContain("bra $FAIL;");
  }

  @Test
  void thePtxMayBeKeptInAFile() {
    assertThat(explain("scale", "--ptx").out().lines().filter(line -> !line.startsWith("//")))
        .startsWith(".version 8.0")
        .endsWith("}");
  }

  @Test
  void theGraphIsShownBehindAPass() {
    String read = explain("scale", "--ir", "read").out();
    String simple = explain("scale", "--ir", "simplify").out();
    assertThat(read)
        .contains("kernel scale\n")
        .contains("view")
        .contains("; ExplainedKernels.java:");
    assertThat(simple).contains("kernel scale\n").contains("load[F32]").doesNotContain(" view");
  }

  @Test
  void aPassThatChangesNothingIsSaidTo() {
    assertThat(explain("scale", "--ir", "selects").out()).contains("selects changed nothing");
  }

  @ParameterizedTest
  @CsvSource({
    "sm_75, sm_75",
    "sm_80, sm_80",
    "sm_86, sm_86",
    "sm_87, sm_87",
    "sm_88, sm_88",
    "sm_89, sm_89",
    "sm_90, sm_90",
    "sm_90a, sm_90a",
    "sm_100, sm_100",
    "sm_100a, sm_100a",
    "sm_100f, sm_100f",
    "sm_103, sm_103",
    "sm_110, sm_110",
    "sm_120, sm_120",
    "sm_121, sm_121"
  })
  void isCompiledForWhatIsAskedFor(String asked, String target) throws Exception {
    assertThat(json("scale", "--arch", asked).get("target").asText()).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$Inner", ".Inner"})
  void findsNestedClasses(String name) {
    assertThat(Ran.stretto("explain", KERNELS + name + "::one").exitCode()).isZero();
  }

  @Test
  void aDescriptorSaysWhichOfTwo() throws Exception {
    String name = "twoOfAName(Ldev/stretto/kernel/ThreadBlock;Ldev/stretto/memory/GlobalInts;)V";
    assertThat(json(name, "--ptx").get("ptx").asText()).contains("st.global.b32");
  }

  @Test
  void aRefusedKernelIsToldWithItsLine() {
    Ran ran = explain("allocates");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).matches("stretto: ExplainedKernels.java:\\d+: [^\n]+; [^\n]+\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scales                        | there is no method dev.stretto.cli.ExplainedKernels::scales; kernels in that class: scale, reverse,
          twice                         | is not a kernel: it has no ThreadBlock parameter
          twoOfAName                    | is overloaded; append its descriptor: '
          reverse                       | reverse is compiled for a value of int tile, boolean twice: add --const tile=VALUE
          reverse --const tile=x        | --const tile=x: int tile cannot have this value
          reverse --const twice=1       | --const twice=1: boolean twice cannot have this value
          reverse --const tile=1 --const 2=1 | --const gives tile two values
          reverse --const width=1       | --const width: reverse has no such parameter; it has ThreadBlock block, GlobalInts x, int tile,
          reverse --const x=1           | --const x: that parameter is not @Const, a launch passes it
          reverse --const tile          | should be in KEY=VALUE format
          every --const scope=WARP      | --const scope=WARP: Scope scope cannot have this value
          every --const c=AB            | --const c=AB: char c cannot have this value
          every --const b=128           | --const b=128: byte b cannot have this value
          scale --arch sm_70            | --arch sm_70 is no target: use sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f
          scale --ir nothing            | --ir nothing: there is no such pass; use one of read, simplify,
          scale --block 32by8           | is not the shape of a block: use 256, 32x8 or 8x8x4
          scale --block 64x32           | a block of 64x32 has 2048 threads, and can have 1024
          transposed --arch sm_86 --dynamic-shared 98K | --dynamic-shared 100352: a block of the kernel has 4096 bytes of shared memory besides, and sm_86 has 101376
          scale --source nowhere        | --source: nowhere does not exist
          scale --classpath nowhere     | --classpath: nowhere does not exist
          scale --classpath nowhere/*   | --classpath: nowhere does not exist
          """)
  void aWrongCommandLineIsToldInOneLine(String typed, String expected) {
    String[] words = typed.split(" +", -1);
    Ran ran = explain(words[0], Arrays.copyOfRange(words, 1, words.length));
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("stretto: ").contains(expected).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no.such.Kernels::saxpy", "NoSuch::saxpy", "saxpy", "a::", "::b"})
  void aWrongNameIsToldInOneLine(String name) {
    Ran ran = Ran.stretto("explain", name);
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("stretto: ").contains(name.split("::", -1)[0]).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({"-g, n", "-parameters, n", "-g:none, 2"})
  void findsAClassOnAClassPath(String javac, String parameter) throws Exception {
    Path source = folder.resolve("Fill.java");
    Files.writeString(
        source,
        """
        import dev.stretto.kernel.*;
        import dev.stretto.memory.*;

        class Fill {
          static void fill(ThreadBlock block, GlobalLongs x, @Const int n) {
            x.set(block.threadIndexX(), n);
          }
        }
        """);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                javac,
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertThat(status).isZero();
    Ran ran =
        Ran.stretto(
            "explain",
            "Fill::fill",
            "-cp",
            folder.toString(),
            "--const",
            parameter + "=5",
            "--ptx");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("st.global.b64");
    assertThat(Ran.stretto("explain", "Fill::fill").err()).contains("the command's own class path");
  }

  @Test
  void whatIsNoClassFileIsTold() throws Exception {
    Files.writeString(folder.resolve("Bad.class"), "no class file");
    Ran ran = Ran.stretto("explain", "Bad::fill", "--classpath", folder.toString());
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("stretto: the class file of Bad cannot be read")
        .hasLineCount(1);
  }
}
