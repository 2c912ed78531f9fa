package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
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
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks through the class files whether threads of a kernel's block wait for each other or share
 * memory, which most do not: they can run one after the other, and much faster.
 */
final class SynchronizationScan {
  private static final String INSTRUCTION = "L" + internal(Instruction.class) + ";";

  /**
   * What is not convergent, but asks again and again for what another thread may do later, or for
   * the cluster, which only such kernels have.
   */
  private static final Set<String> WAITING =
      Set.of("loadAcquire", "nanosleep", "clusterBlockRank", "clusterBlocks");

  private record Call(String owner, String name, String descriptor) {}

  private final ClassLoader loader;
  private final Map<String, Optional<ClassModel>> classes = new HashMap<>();
  private final Set<Call> seen = new HashSet<>();
  private final Deque<Call> open = new ArrayDeque<>();

  private SynchronizationScan(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Whether threads of a block wait for each other or share memory in a method that is a kernel.
   */
  static boolean finds(Method method) {
    SynchronizationScan scan = of(method);
    while (!scan.open.isEmpty()) {
      if (scan.synchronizes(scan.open.remove())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a method that is a kernel has warp groups multiply what lies in shared memory. */
  static boolean findsProducts(Method method) {
    SynchronizationScan scan = of(method);
    while (!scan.open.isEmpty()) {
      Call call = scan.open.remove();
      if (call.owner.equals(internal(PtxWarpGroups.class))) {
        return true;
      }
      scan.synchronizes(call);
    }
    return false;
  }

  /** Whether a method that is a kernel may have bulk copies read global memory. */
  static boolean findsBulkReads(Method method) {
    SynchronizationScan scan = of(method);
    while (!scan.open.isEmpty()) {
      Call call = scan.open.remove();
      if (call.name.startsWith("cpAsyncBulk") && call.name.contains("ToShared")) {
        return true;
      }
      scan.synchronizes(call);
    }
    return false;
  }

  private static SynchronizationScan of(Method method) {
    ClassLoader loader = method.getDeclaringClass().getClassLoader();
    SynchronizationScan scan =
        new SynchronizationScan(loader == null ? ClassLoader.getSystemClassLoader() : loader);
    String descriptor =
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .toMethodDescriptorString();
    scan.add(new Call(internal(method.getDeclaringClass()), method.getName(), descriptor));
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
    if (call.owner.equals(internal(ThreadBlock.class))
        && (call.name.startsWith("shared") || call.name.equals("dynamicShared"))) {
      return true;
    }
    Optional<ClassModel> owner = model(call.owner);
    if (owner.isEmpty()) {
      // Nothing is known of it: the slower way is right for every kernel.
      return true;
    }
    for (MethodModel method : owner.get().methods()) {
      if (method.methodName().equalsString(call.name)
          && method.methodType().equalsString(call.descriptor)) {
        Optional<Boolean> instruction = instruction(method);
        if (instruction.isPresent()) {
          return instruction.get() || WAITING.contains(call.name);
        }
        method.code().ifPresent(this::addCalls);
        return false;
      }
    }
    addInherited(owner.get(), call);
    return false;
  }

  private void addInherited(ClassModel owner, Call call) {
    owner
        .superclass()
        .ifPresent(parent -> add(new Call(parent.asInternalName(), call.name, call.descriptor)));
    for (ClassEntry parent : owner.interfaces()) {
      add(new Call(parent.asInternalName(), call.name, call.descriptor));
    }
  }

  private void addCalls(CodeModel code) {
    for (CodeElement element : code) {
      switch (element) {
        case InvokeInstruction call ->
            add(
                new Call(
                    call.owner().asInternalName(),
                    call.name().stringValue(),
                    call.type().stringValue()));
        case InvokeDynamicInstruction call -> call.bootstrapArgs().forEach(this::addHandle);
        default -> {}
      }
    }
  }

  private void addHandle(ConstantDesc constant) {
    if (constant instanceof DirectMethodHandleDesc handle) {
      String owner = handle.owner().descriptorString();
      add(
          new Call(
              owner.substring(1, owner.length() - 1),
              handle.methodName(),
              handle.lookupDescriptor()));
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

  private Optional<ClassModel> model(String owner) {
    return classes.computeIfAbsent(owner, this::read);
  }

  private Optional<ClassModel> read(String owner) {
    try (InputStream file = loader.getResourceAsStream(owner + ".class")) {
      return file == null
          ? Optional.empty()
          : Optional.of(ClassFile.of().parse(file.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
