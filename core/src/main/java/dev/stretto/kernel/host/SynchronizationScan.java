package dev.stretto.kernel.host;

import dev.stretto.compiler.CalledClasses;
import dev.stretto.compiler.Instruction;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks through the class files whether threads of a kernel's block wait for each other or share
 * memory, which most do not: they can run one after the other, and much faster.
 */
public final class SynchronizationScan {
  private static final String INSTRUCTION = "L" + internal(Instruction.class) + ";";

  /**
   * What is not convergent, but asks again and again for what another thread may do later, or for
   * the cluster, which only such kernels have.
   */
  private static final Set<String> WAITING =
      Set.of("loadAcquire", "nanosleep", "clusterBlockRank", "clusterBlocks");

  /**
   * Names of classes in which a kernel says what has its threads wait for each other.
   *
   * @param block gives shared memory
   * @param atomics may be asked again and again
   * @param besideThreads have something beside the threads use shared memory: copies, barrier
   *     objects, or products of warp groups
   */
  public record Words(String block, String atomics, Set<String> besideThreads) {
    /** The names of some classes. */
    public static Words of(Class<?> block, Class<?> atomics, Class<?>... besideThreads) {
      return new Words(
          internal(block),
          internal(atomics),
          Arrays.stream(besideThreads)
              .map(SynchronizationScan::internal)
              .collect(Collectors.toUnmodifiableSet()));
    }
  }

  /**
   * A call.
   *
   * @param repeated whether it stands in a loop, or what calls it does
   * @param asks whether it can only be for what it returns, see {@link LoopedCalls#asksOnly}
   */
  private record Call(
      String owner, String name, String descriptor, boolean repeated, boolean asks) {}

  private final Words words;
  private final CalledClasses classes;
  private final Set<Call> seen = new HashSet<>();
  private final Deque<Call> open = new ArrayDeque<>();

  private SynchronizationScan(Words words, Class<?> owner) {
    this.words = words;
    this.classes = new CalledClasses(owner.getClassLoader(), internal(owner));
  }

  /**
   * Whether threads of a block wait for each other or share memory in a method that is a kernel.
   */
  public static boolean finds(Words words, Method method) {
    SynchronizationScan scan = of(words, method);
    while (!scan.open.isEmpty()) {
      if (scan.synchronizes(scan.open.remove())) {
        return true;
      }
    }
    return false;
  }

  /** Whether threads share something by atomic operations in a method that is a kernel. */
  public static boolean findsAtomics(Words words, Method method) {
    return find(words, method, Set.of(words.atomics()));
  }

  /**
   * Whether something beside the threads uses shared memory in a method that is a kernel: copies,
   * barrier objects, or products of warp groups.
   */
  public static boolean findsCopies(Words words, Method method) {
    return find(words, method, words.besideThreads());
  }

  private static boolean find(Words words, Method method, Set<String> owners) {
    SynchronizationScan scan = of(words, method);
    while (!scan.open.isEmpty()) {
      Call call = scan.open.remove();
      if (owners.contains(call.owner)) {
        return true;
      }
      boolean _ = scan.synchronizes(call);
    }
    return false;
  }

  /** Whether a method that is a kernel may have bulk copies read global memory. */
  public static boolean findsBulkReads(Words words, Method method) {
    SynchronizationScan scan = of(words, method);
    while (!scan.open.isEmpty()) {
      Call call = scan.open.remove();
      if (call.name.startsWith("cpAsyncBulk") && call.name.contains("ToShared")) {
        return true;
      }
      scan.synchronizes(call);
    }
    return false;
  }

  private static SynchronizationScan of(Words words, Method method) {
    SynchronizationScan scan = new SynchronizationScan(words, method.getDeclaringClass());
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString();
    scan.add(
        new Call(internal(method.getDeclaringClass()), method.getName(), descriptor, false, false));
    return scan;
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private void add(Call call) {
    if (!call.owner.startsWith("java/") && seen.add(call)) {
      open.add(call);
    }
  }

  private boolean synchronizes(Call call) {
    if (call.owner.equals(words.block())
        && (call.name.startsWith("shared") || call.name.equals("dynamicShared"))) {
      return true;
    }
    if (call.repeated && call.asks && call.owner.equals(words.atomics())) {
      return true;
    }
    // Where nothing is known of a class, the slower way is right for every kernel.
    return classes.read(call.owner, owner -> synchronizes(owner, call)).orElse(true);
  }

  private boolean synchronizes(ClassModel owner, Call call) {
    for (MethodModel method : owner.methods()) {
      if (method.methodName().equalsString(call.name)
          && method.methodType().equalsString(call.descriptor)) {
        Optional<Boolean> instruction = instruction(method);
        if (instruction.isPresent()) {
          return instruction.get() || WAITING.contains(call.name);
        }
        method.code().ifPresent(code -> addCalls(code, call.repeated));
        return false;
      }
    }
    addInherited(owner, call);
    return false;
  }

  private void addInherited(ClassModel owner, Call call) {
    owner
        .superclass()
        .ifPresent(
            parent ->
                add(
                    new Call(
                        parent.asInternalName(),
                        call.name,
                        call.descriptor,
                        call.repeated,
                        call.asks)));
    for (ClassEntry parent : owner.interfaces()) {
      add(new Call(parent.asInternalName(), call.name, call.descriptor, call.repeated, call.asks));
    }
  }

  private void addCalls(CodeModel code, boolean inLoop) {
    LoopedCalls calls = new LoopedCalls(code);
    for (int at = 0; at < calls.instructions().size(); at++) {
      switch (calls.instructions().get(at)) {
        case InvokeInstruction call ->
            add(
                new Call(
                    call.owner().asInternalName(),
                    call.name().stringValue(),
                    call.type().stringValue(),
                    inLoop || calls.repeats(at),
                    calls.asksOnly(call, at)));
        case InvokeDynamicInstruction call ->
            addHandles(call.bootstrapArgs(), inLoop || calls.repeats(at));
        default -> {}
      }
    }
  }

  private void addHandles(List<ConstantDesc> constants, boolean inLoop) {
    constants.forEach(constant -> addHandle(constant, inLoop));
  }

  private void addHandle(ConstantDesc constant, boolean inLoop) {
    if (constant instanceof DirectMethodHandleDesc handle) {
      String owner = handle.owner().descriptorString();
      add(
          new Call(
              owner.substring(1, owner.length() - 1),
              handle.methodName(),
              handle.lookupDescriptor(),
              inLoop,
              false));
    }
  }

  /** Whether a method is an instruction, and if so, whether it is convergent. */
  private static Optional<Boolean> instruction(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .flatMap(
            found ->
                found.annotations().stream()
                    .filter(one -> one.className().equalsString(INSTRUCTION))
                    .findFirst())
        .map(SynchronizationScan::isConvergent);
  }

  private static boolean isConvergent(Annotation instruction) {
    for (AnnotationElement element : instruction.elements()) {
      if (element.name().equalsString("convergent")
          && element.value() instanceof AnnotationValue.OfBoolean value) {
        return value.booleanValue();
      }
    }
    return false;
  }
}
