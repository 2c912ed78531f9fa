package dev.stretto.compiler;

import dev.stretto.compiler.bank.BlockShape;
import dev.stretto.compiler.classfile.ClassFiles;
import dev.stretto.compiler.classfile.FrontEnd;
import dev.stretto.compiler.classfile.KernelAttributes;
import dev.stretto.compiler.classfile.NotForCallsException;
import dev.stretto.compiler.ir.Asm;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.EntryParameter;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.SharedVariable;
import dev.stretto.compiler.ir.StructLayout;
import dev.stretto.compiler.ir.Value;
import dev.stretto.compiler.jvm.SteppedClass;
import dev.stretto.compiler.jvm.SteppedCode;
import dev.stretto.compiler.pass.Asking;
import dev.stretto.compiler.pass.Passes;
import dev.stretto.compiler.pass.Waiting;
import dev.stretto.compiler.ptx.ClusterAddresses;
import dev.stretto.compiler.ptx.PtxOptions;
import dev.stretto.compiler.ptx.PtxText;
import dev.stretto.compiler.ptx.PtxWriter;
import dev.stretto.compiler.reach.Reach;
import dev.stretto.compiler.reach.ReachFinder;
import dev.stretto.fault.KernelRefusedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Compiles a method to PTX. Stateless, so several threads may use it. */
public final class KernelCompiler {
  /** The start of the message when a kernel is refused because the compiler itself has failed. */
  static final String OWN_FAULT = "the compiler fails";

  private static final int MOST_CONSTANT_BYTES = 64 << 10;

  private KernelCompiler() {}

  /**
   * {@return a compiled kernel}
   *
   * @param source the method
   * @param target the devices to compile for
   * @throws KernelRefusedException if the method uses Java that a kernel may not use, or needs
   *     something that the target does not have
   */
  public static CompiledKernel compile(KernelSource source, KernelTarget target) {
    return compile(source, target, (_, _) -> {});
  }

  /**
   * {@return a compiled kernel}
   *
   * @param source the method
   * @param target the devices to compile for
   * @param listener receives the graph after the class files were read ("read") and after each pass
   *     that changed it; later passes change the same graph
   * @throws KernelRefusedException if the method uses Java that a kernel may not use, or needs
   *     something that the target does not have
   */
  public static CompiledKernel compile(
      KernelSource source, KernelTarget target, BiConsumer<String, Function> listener) {
    return compile(source, target, listener, Inspection.NONE);
  }

  /**
   * {@return a compiled kernel and its mistakes about asynchronous copies} Only for callers that
   * ask for the mistakes: a launch does not spend time on them.
   *
   * @param source the method
   * @param target the devices to compile for
   * @param listener as for {@link #compile(KernelSource, KernelTarget, BiConsumer)}
   * @throws KernelRefusedException as there
   */
  public static InspectedKernel inspect(
      KernelSource source, KernelTarget target, BiConsumer<String, Function> listener) {
    return inspect(source, target, BlockShape.UNKNOWN, listener);
  }

  /**
   * {@return a compiled kernel, its mistakes about asynchronous copies, and how it accesses shared
   * memory}
   *
   * @param source the method
   * @param target the devices to compile for
   * @param block the threads of a block; if they are not known, the most that the annotation
   *     allows, in a row, if it says so and the kernel asks for positions in x only
   * @param listener as for {@link #compile(KernelSource, KernelTarget, BiConsumer)}
   * @throws KernelRefusedException as there
   */
  public static InspectedKernel inspect(
      KernelSource source,
      KernelTarget target,
      BlockShape block,
      BiConsumer<String, Function> listener) {
    Inspection inspection = Inspection.of(source, block);
    CompiledKernel kernel = compile(source, target, listener, inspection);
    return inspection.result(kernel);
  }

  private static CompiledKernel compile(
      KernelSource source,
      KernelTarget target,
      BiConsumer<String, Function> listener,
      Inspection inspection) {
    try {
      return translate(source, target, listener, inspection);
    } catch (IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException
        | NullPointerException
        | ClassCastException
        | NoSuchElementException
        | ArithmeticException
        | UnsupportedOperationException
        | NegativeArraySizeException
        | StackOverflowError e) {
      throw ownFault(source, e);
    }
  }

  /**
   * The refusal for a failure of the compiler on a class file that a JVM accepts. The caller can do
   * no more about it than about an intended refusal, and must see it as well.
   */
  private static KernelRefusedException ownFault(KernelSource source, Throwable fault) {
    String owner = source.owner();
    KernelRefusedException refusal =
        new KernelRefusedException(
            owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.'),
            0,
            OWN_FAULT + " at " + source.method() + ": " + fault,
            "this is a bug in Stretto: report it with the class file");
    refusal.initCause(fault);
    return refusal;
  }

  private static CompiledKernel translate(
      KernelSource source,
      KernelTarget target,
      BiConsumer<String, Function> listener,
      Inspection inspection) {
    ClassFiles classes = new ClassFiles(source.loader());
    Function function =
        FrontEnd.read(
            classes,
            source.owner(),
            source.method(),
            source.descriptor(),
            source.constants(),
            source.checked(),
            target.sm());
    KernelAttributes attributes =
        KernelAttributes.of(classes, source.owner(), source.method(), source.descriptor());
    Set<Integer> known = source.constants().keySet();
    List<EntryParameter> parameters = attributes.entryParameters(classes, known);
    requireParameters(function, parameters);
    Reach[] reach = new Reach[1];
    Passes passes = new Passes(listener);
    passes.run(
        function,
        finished -> {
          inspection.accepted(finished, attributes.maxThreads());
          reach[0] = ReachFinder.of(finished, arguments(attributes.parameters(known), parameters));
        });
    inspection.finished(function, attributes, parameters);
    passes.runFor(target.sm(), function);
    boolean specific = require(function, target);
    PtxText text =
        PtxWriter.write(
            function,
            new PtxOptions(
                entry(source.method()),
                target.text(specific),
                target.sm(),
                target.ptxVersion(),
                parameters,
                attributes.maxThreads(),
                attributes.minBlocks(),
                attributes.contract()));
    requireShared(function, target, text.movedBytes());
    requireConstants(function);
    return new CompiledKernel(
        text,
        Objects.requireNonNull(reach[0], "reach"),
        function.copies().stream().map(target::of).toList(),
        List.copyOf(function.constants()),
        classes.read());
  }

  /**
   * {@return a kernel as a class whose threads go in steps; nothing if it does what only its method
   * does on the JVM so far}
   *
   * @param source the method; whether it is checked says whether its assertions are
   * @param target the device that it runs for
   * @param beside the package that the class will be in
   * @param copies whether threads may begin asynchronous copies
   * @param watchesGlobal whether copies may read what threads store in global memory
   */
  public static Optional<SteppedCode> steps(
      KernelSource source,
      KernelTarget target,
      String beside,
      boolean copies,
      boolean watchesGlobal) {
    try {
      Function function = readForCalls(source, target);
      return Optional.of(
          SteppedClass.write(function, beside, copies, watchesGlobal, Asking.in(function)));
    } catch (NotForCallsException | KernelRefusedException e) { // a twin of PTX may be any Java
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.DEBUG,
              "kernel "
                  + source.method()
                  + " runs as its Java method on virtual devices, which is slower: "
                  + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * {@return the places of a kernel in loops in which threads only wait for what others do; none if
   * only its method can run on the JVM}
   *
   * @param source the method
   * @param target the device that it runs for
   */
  public static List<Line> waiting(KernelSource source, KernelTarget target) {
    try {
      return Waiting.in(readForCalls(source, target));
    } catch (NotForCallsException | KernelRefusedException _) { // a twin of PTX may be any Java
      return List.of();
    }
  }

  private static Function readForCalls(KernelSource source, KernelTarget target) {
    try {
      return readForCalls(source, target, false);
    } catch (KernelRefusedException _) { // objects may be in loops that were not unrolled
      return readForCalls(source, target, true);
    }
  }

  private static Function readForCalls(
      KernelSource source, KernelTarget target, boolean unrollsCopies) {
    Function function =
        FrontEnd.readForCalls(
            new ClassFiles(source.loader()),
            source.owner(),
            source.method(),
            source.descriptor(),
            source.constants(),
            source.checked(),
            target.sm());
    new Passes((_, _) -> {}).runForCalls(function, unrollsCopies);
    return function;
  }

  private static List<ReachFinder.Argument> arguments(
      List<KernelAttributes.ParameterKind> kinds, List<EntryParameter> parameters) {
    List<ReachFinder.Argument> arguments = new ArrayList<>();
    int next = 0;
    for (KernelAttributes.ParameterKind kind : kinds) {
      arguments.add(
          switch (kind) {
            case NUMBER -> ReachFinder.Argument.NUMBER;
            case ARRAY -> ReachFinder.Argument.ARRAY;
            case TENSOR_MAP -> ReachFinder.Argument.TENSOR_MAP;
            case RECORD -> ReachFinder.Argument.numbers(parameters.get(next).count());
          });
      next += kind == KernelAttributes.ParameterKind.ARRAY ? 2 : 1;
    }
    return arguments;
  }

  private static void requireParameters(Function function, List<EntryParameter> parameters) {
    StructLayout layout = new StructLayout();
    parameters.forEach(it -> layout.add(it.bytes(), it.alignment()));
    long bytes = layout.add(Long.BYTES, Long.BYTES); // behind them lies where reports go
    if (bytes > EntryParameter.MOST_BYTES - Long.BYTES) {
      throw function
          .entry()
          .ops()
          .getFirst()
          .line()
          .outermost()
          .refuse(
              "the parameters of the kernel take "
                  + bytes
                  + " bytes, and a kernel has at most "
                  + (EntryParameter.MOST_BYTES - Long.BYTES),
              "pass less, or an array of the device");
    }
  }

  /** PTX allows fewer names than Java. */
  private static String entry(String method) {
    StringBuilder name = new StringBuilder();
    method
        .chars()
        .forEach(
            letter -> {
              boolean plain = letter < 128 && (Character.isLetterOrDigit(letter) || letter == '_');
              name.append(plain ? (char) letter : '_');
            });
    return Character.isLetter(name.charAt(0)) ? name.toString() : "kernel" + name;
  }

  private static boolean require(Function function, KernelTarget target) {
    boolean specific = false;
    ClusterAddresses cluster = new ClusterAddresses(function);
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.ASM) {
          Asm asm = op.attribute(Asm.class);
          requireReach(op, asm, cluster);
          require(op, asm.name().substring(asm.name().lastIndexOf('/') + 1), asm.sm(), target);
          if (op.operands().stream().anyMatch(KernelCompiler::isCluster)) {
            require(op, "Scope.CLUSTER", 90, target);
          }
          if (!asm.feature().isEmpty()) {
            requireExactly(op, asm, target);
            specific = true;
          }
        } else if (op.code() == OpCode.CLUSTER_ADDRESS) {
          require(op, "Cluster.shared", 90, target);
          requireOwn(op, cluster);
        }
      }
    }
    return specific;
  }

  private static void requireOwn(Op address, ClusterAddresses cluster) {
    if (cluster.isOne(address.operand(0))) {
      throw address
          .line()
          .refuse(
              "Cluster.shared of an array that may be another block's already",
              "pass the block's own array and the rank of the block whose array it has to be");
    }
  }

  private static void requireReach(Op op, Asm asm, ClusterAddresses cluster) {
    for (int i = 0; i < op.size(); i++) {
      if (cluster.isOne(op.operand(i)) && !asm.pieces().contains(new Asm.Space(i))) {
        throw op.line()
            .refuse(
                asm.name().substring(asm.name().lastIndexOf('/') + 1)
                    + " does not reach the shared memory of another block, which"
                    + " Cluster.shared returns",
                "use get, set and Atomics there, or a method of PtxClusters that takes the block's"
                    + " own array and the other block's rank");
      }
    }
  }

  private static void require(Op op, String what, int sm, KernelTarget target) {
    if (sm > target.sm()) {
      throw op.line()
          .refuse(
              what
                  + " needs compute capability "
                  + KernelTarget.capability(sm)
                  + ", and the target is "
                  + target,
              Alternatives.to(what));
    }
  }

  /** A feature that no newer device has either. */
  private static void requireExactly(Op op, Asm asm, KernelTarget target) {
    if (asm.sm() != target.sm()) {
      String what = asm.name().substring(asm.name().lastIndexOf('/') + 1);
      throw op.line()
          .refuse(
              what
                  + " needs exactly compute capability "
                  + KernelTarget.capability(asm.sm())
                  + " (sm_"
                  + asm.sm()
                  + asm.feature()
                  + "), and the target is "
                  + target,
              Alternatives.to(what));
    }
  }

  private static void requireConstants(Function function) {
    Map<ConstantArray, Op> arrays = new LinkedHashMap<>();
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.CONSTANT_GET) {
          arrays.putIfAbsent(op.attribute(ConstantArray.class), op);
        }
      }
    }
    long bytes = arrays.keySet().stream().mapToLong(ConstantArray::bytes).sum();
    if (bytes > MOST_CONSTANT_BYTES) {
      ConstantArray largest =
          arrays.keySet().stream()
              .max(Comparator.comparingLong(ConstantArray::bytes))
              .orElseThrow();
      throw Objects.requireNonNull(arrays.get(largest))
          .line()
          .refuse(
              "the @Const arrays of the kernel take "
                  + bytes
                  + " bytes, "
                  + largest
                  + " "
                  + largest.bytes()
                  + " of them, and constant memory has "
                  + MOST_CONSTANT_BYTES,
              "pass an array of the device as a parameter");
    }
  }

  private static void requireShared(Function function, KernelTarget target, long bytes) {
    if (bytes <= target.mostSharedBytes()) {
      return;
    }
    Op largest = null;
    for (Block block : function.blocks()) {
      for (Op op : block.ops()) {
        if (op.code() == OpCode.SHARED_BASE
            && (largest == null || bytesOf(op) > bytesOf(largest))) {
          largest = op;
        }
      }
    }
    Objects.requireNonNull(largest, "the array that takes that memory");
    throw largest
        .line()
        .refuse(
            "the shared arrays of the kernel take "
                + bytes
                + " bytes, this one "
                + bytesOf(largest)
                + " of them, and a block has at most "
                + target.mostSharedBytes()
                + " on "
                + target,
            "make arrays smaller, or do the work in several passes");
  }

  private static long bytesOf(Op op) {
    return op.attribute(SharedVariable.class).bytes();
  }

  private static boolean isCluster(Value value) {
    return value instanceof Constant constant
        && constant.value() instanceof Constant.EnumName scope
        && scope.name().equals("CLUSTER");
  }
}
