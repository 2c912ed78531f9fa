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
 * Scans class files to find out whether the threads of a kernel's block wait for each other or
 * share memory. In most kernels they do not. Such threads can run one after another, which is much
 * faster.
 */
public final class SynchronizationScan {
  private static final String INSTRUCTION = "L" + internal(Instruction.class) + ";";

  /**
   * Instructions that are not convergent, but that only kernels with waiting threads use: to poll
   * for something that another thread may do later, to ask for the cluster, or to wait by the time.
   */
  private static final Set<String> WAITING =
      Set.of(
          "loadAcquire", "nanosleep", "clusterBlockRank", "clusterBlocks", "clock", "globalTimer");

  /** Instructions by which modelled time passes for a thread. */
  private static final Set<String> TIMING = Set.of("nanosleep", "clock", "globalTimer");

  /**
   * The names of the classes through which a kernel's threads wait for each other.
   *
   * @param block the class that gives shared memory
   * @param atomics the class of the atomic operations, with which a kernel may poll
   * @param besideThreads the classes through which shared memory is used by something other than
   *     threads: copies, barrier objects, or products of warp groups
   */
  public record Words(String block, String atomics, Set<String> besideThreads) {
    /** {@return what the names of all classes of the vocabulary begin with} */
    String room() {
      return block.substring(0, block.lastIndexOf('/') + 1);
    }

    /** Creates an instance from the classes themselves. */
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
   * A call of a method.
   *
   * @param repeated whether the call, or a call that leads to it, stands in a loop
   * @param asks whether it can serve only to read a value; see {@link LoopedCalls#asksOnly}
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

  /** Whether the threads of a block wait for each other or share memory in a kernel's method. */
  public static boolean finds(Words words, Method method) {
    SynchronizationScan scan = of(words, method);
    while (!scan.open.isEmpty()) {
      if (scan.synchronizes(scan.open.remove())) {
        return true;
      }
    }
    return false;
  }

  /** Whether threads communicate through atomic operations in a kernel's method. */
  public static boolean findsAtomics(Words words, Method method) {
    return find(words, method, Set.of(words.atomics()));
  }

  /**
   * Whether something other than the threads uses shared memory in a kernel's method: copies,
   * barrier objects, or products of warp groups.
   */
  public static boolean findsCopies(Words words, Method method) {
    return find(words, method, words.besideThreads());
  }

  /** Whether a kernel's method, or one that it calls, calls a class. */
  public static boolean calls(Words words, Method method, Class<?> owner) {
    return find(words, method, Set.of(internal(owner)));
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

  /** Whether bulk copies may read global memory in a kernel's method. */
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

  /** Whether threads read the time or sleep in a kernel's method. */
  public static boolean findsTime(Words words, Method method) {
    SynchronizationScan scan = of(words, method);
    while (!scan.open.isEmpty()) {
      Call call = scan.open.remove();
      if (TIMING.contains(call.name) && call.owner.startsWith(words.room())) {
        return true;
      }
      boolean _ = scan.synchronizes(call);
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
    // If a class cannot be read, the slower way is right for every kernel.
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
