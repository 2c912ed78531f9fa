package dev.stretto.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stretto.Device;
import dev.stretto.compiler.CompiledKernel;
import dev.stretto.compiler.InspectedKernel;
import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.fault.StrettoException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compiles a Java method as a kernel, and shows the PTX of each source line beside it.",
      "Reports how many registers and how much memory the kernel uses, and how many of its blocks "
          + "run at the same time, if ptxas is on the path or in $PTXAS, or there is a GPU.",
      "Finds where the lanes of a warp wait for each other at the banks of shared memory."
    },
    footer = {
      "",
      "Exit code: 0 if the kernel was compiled, 2 for a wrong command line, 1 otherwise."
    })
final class ExplainCommand implements Callable<Integer> {
  private static final Pattern TARGET = Pattern.compile("(?m)^\\.target (\\w+)");

  private final Console console;

  @Parameters(
      paramLabel = "CLASS::METHOD",
      description = {
        "The method, such as com.acme.Kernels::saxpy.",
        "If it is overloaded, append its descriptor."
      })
  private String name = "";

  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description = "Where to find the class, as for java. Default: the command's own class path.")
  private @Nullable String classPath;

  @Option(
      names = "--source",
      paramLabel = "PATH",
      description = "A folder of sources, or a source file, whose lines to show; may be repeated.")
  private List<Path> sources = List.of();

  @Option(
      names = "--arch",
      paramLabel = "SM",
      completionCandidates = Targets.class,
      description = {
        "sm_75 to sm_121, such as sm_80, sm_90a or sm_120.",
        "Default: the best for the first device."
      })
  private @Nullable String arch;

  @Option(
      names = "--const",
      paramLabel = "NAME=VALUE",
      description = "The value of a @Const parameter; may be repeated. NAME may be its number.")
  private Map<String, String> constants = new LinkedHashMap<>();

  @Option(
      names = "--block",
      paramLabel = "SHAPE",
      converter = BlockOption.class,
      description = {
        "The threads of a block: 256, 32x8 or 8x8x4.",
        "Occupancy and bank conflicts are told for it."
      })
  private BlockShape block = BlockShape.UNKNOWN;

  @Option(
      names = "--dynamic-shared",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The dynamic shared memory of a launch: 4096, 48K.")
  private long dynamicBytes;

  @Option(names = "--checked", description = "Checks indices, divisors and assertions.")
  private boolean checked;

  @Option(names = "--ptx", description = "Prints the whole PTX text instead.")
  private boolean ptx;

  @Option(
      names = "--ir",
      paramLabel = "PASS",
      completionCandidates = PassGraph.Passes.class,
      description = "Prints the graph after a pass instead: ${COMPLETION-CANDIDATES}.")
  private @Nullable String pass;

  @Option(names = "--json", description = "Prints one JSON object instead.")
  private boolean json;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    @Nullable PassGraph graph = pass == null ? null : new PassGraph(pass);
    try (ClassPath classes = ClassPath.of(classPath)) {
      explain(classes, graph);
    }
    return Main.DONE;
  }

  private void explain(ClassPath classes, @Nullable PassGraph graph) {
    try {
      NamedKernel kernel = NamedKernel.find(classes, name);
      KernelSource source =
          new KernelSource(
              classes.loader(),
              kernel.owner(),
              kernel.method(),
              kernel.descriptor(),
              ConstantValues.of(kernel, constants, classes.loader()),
              checked);
      explain(kernel, compile(source, graph), graph);
    } catch (CommandFailure | StrettoException | UncheckedIOException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      throw DamagedClass.failure(classes, name, e);
    }
  }

  private InspectedKernel compile(KernelSource source, @Nullable PassGraph graph) {
    KernelTarget target = target();
    BiConsumer<String, Function> listener = graph == null ? (_, _) -> {} : graph;
    try {
      return KernelCompiler.inspect(source, target, block, listener);
    } catch (StrettoException refused) {
      if (graph != null) {
        graph.text().ifPresent(text -> text.lines().forEach(console::println));
      }
      throw refused;
    }
  }

  private KernelTarget target() {
    if (arch == null) {
      DeviceProperties first = Device.all().getFirst();
      return KernelTarget.of(first.computeMajor(), first.computeMinor());
    }
    try {
      return KernelTarget.named(arch);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongCommandLine("--arch " + e.getMessage());
    }
  }

  /** What {@code --arch} takes, for shells that complete it. */
  static final class Targets implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return KernelTarget.names().iterator();
    }
  }

  private void explain(NamedKernel kernel, InspectedKernel inspected, @Nullable PassGraph graph) {
    CompiledKernel compiled = inspected.kernel();
    requireDynamicBytes(compiled.ptx());
    PtxText text = compiled.ptx();
    SourceFolders folders = new SourceFolders(sources, compiled.classes());
    String target = assembledFor(text);
    @Nullable Resources measured = null;
    @Nullable RuntimeException trouble = null;
    try {
      measured = Measurement.of(text, target).orElse(null);
    } catch (CommandFailure | StrettoException e) {
      trouble = e; // reported last: the explanation is worth printing, especially now
    }
    print(
        new Explanation(
            kernel, target, checked, inspected, measured, block, (int) dynamicBytes, folders),
        graph);
    if (trouble != null) {
      throw trouble;
    }
  }

  private void requireDynamicBytes(PtxText text) {
    long others = text.staticBytes() + text.movedBytes();
    int most = target().mostSharedBytes();
    if (dynamicBytes + others > most) {
      throw CommandFailure.wrongCommandLine(
          "--dynamic-shared %d: a block of the kernel has %d bytes of shared memory besides, and %s has %d"
              .formatted(dynamicBytes, others, target(), most));
    }
  }

  /** What the assembler is asked for: a text for sm_90a runs there alone. */
  private String assembledFor(PtxText text) {
    Matcher target = TARGET.matcher(text.text());
    String written = target.find() ? target.group(1) : "";
    return written.endsWith("a") ? written : arch == null ? target().toString() : arch;
  }

  private void print(Explanation explanation, @Nullable PassGraph graph) {
    if (json) {
      ObjectNode root = ExplanationJson.of(explanation);
      if (ptx) {
        root.put("ptx", explanation.text().text());
      }
      if (graph != null) {
        root.put("ir", graph.text().orElse(null));
      }
      JsonReport.print(console.out(), root);
      return;
    }
    ExplanationText report = new ExplanationText(explanation, console);
    if (graph == null && !ptx) {
      report.print();
      return;
    }
    List<String> lines = new ArrayList<>();
    // As comments, so that the whole output is valid PTX and can be saved in a file.
    report.summary().forEach(line -> lines.add("// " + line));
    if (graph != null) {
      graph.text().orElse("// " + graph.pass() + " changed nothing").lines().forEach(lines::add);
    }
    if (ptx) {
      lines.addAll(explanation.text().text().lines().toList());
    }
    lines.forEach(console::println);
  }
}
