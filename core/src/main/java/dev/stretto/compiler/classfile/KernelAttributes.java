package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Type;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a kernel's annotation and descriptor say.
 *
 * @param maxThreads the most threads that a block has; 0 if not given
 * @param minBlocks how many blocks a multiprocessor should hold; 0 if not given
 * @param contract whether a product and a sum may be rounded once
 * @param types the parameters' types
 */
public record KernelAttributes(
    int maxThreads, int minBlocks, boolean contract, List<ClassDesc> types) {
  static final String TENSOR_MAP = "Ldev/stretto/memory/TensorMap;";

  /** A kernel gets the tensor map object itself, not a pointer to it. */
  static final int TENSOR_MAP_BYTES = 128;

  private static final String KERNEL = "Ldev/stretto/kernel/Kernel;";

  /** {@return what the annotation says; the annotation's defaults for the rest} */
  public static KernelAttributes of(
      ClassFiles classes, String owner, String name, String descriptor) {
    ClassFiles.Method method =
        classes
            .method(owner, name, descriptor)
            .orElseThrow(() -> new IllegalArgumentException(owner + "." + name + descriptor));
    Optional<Annotation> annotation =
        method
            .model()
            .findAttribute(Attributes.runtimeVisibleAnnotations())
            .flatMap(
                all ->
                    all.annotations().stream()
                        .filter(it -> it.className().equalsString(KERNEL))
                        .findFirst());
    int maxThreads = 0;
    int minBlocks = 0;
    boolean contract = false;
    for (AnnotationElement element : annotation.map(Annotation::elements).orElse(List.of())) {
      switch (element.name().stringValue()) {
        case "maxThreads" -> maxThreads = ((AnnotationValue.OfInt) element.value()).intValue();
        case "minBlocks" -> minBlocks = ((AnnotationValue.OfInt) element.value()).intValue();
        default -> contract = ((AnnotationValue.OfBoolean) element.value()).booleanValue();
      }
    }
    return new KernelAttributes(
        maxThreads, minBlocks, contract, method.model().methodTypeSymbol().parameterList());
  }

  /**
   * {@return the size in bytes of each value that the kernel gets: an array's address and its
   * length have eight each}
   *
   * @param constants the parameters that are compiled in
   */
  public List<Integer> parameterBytes(Set<Integer> constants) {
    List<Integer> bytes = new ArrayList<>();
    for (String type : descriptors(constants)) {
      switch (type) {
        case "Z", "B", "Ljava/lang/Byte;" -> bytes.add(1);
        case "S", "C", "Ljava/lang/Short;" -> bytes.add(2);
        case "I", "F", "Ljava/lang/Integer;", "Ljava/lang/Float;" -> bytes.add(4);
        case "J", "D", "Ljava/lang/Long;", "Ljava/lang/Double;" -> bytes.add(8);
        case TENSOR_MAP -> bytes.add(TENSOR_MAP_BYTES);
        default -> {
          bytes.add(8);
          bytes.add(8);
        }
      }
    }
    return bytes;
  }

  /** What a parameter of a kernel is. */
  public enum ParameterKind {
    /** A number. */
    NUMBER,
    /** An array in global memory. */
    ARRAY,
    /** A tensor map. */
    TENSOR_MAP
  }

  /**
   * {@return what each parameter of the kernel is}
   *
   * @param constants the parameters that are compiled in
   */
  public List<ParameterKind> parameters(Set<Integer> constants) {
    return descriptors(constants).stream()
        .map(
            type ->
                switch (type) {
                  case TENSOR_MAP -> ParameterKind.TENSOR_MAP;
                  case "Z", "S", "C", "B", "I", "F", "J", "D" -> ParameterKind.NUMBER;
                  default -> unboxed(type) == Type.REF ? ParameterKind.ARRAY : ParameterKind.NUMBER;
                })
        .toList();
  }

  private List<String> descriptors(Set<Integer> constants) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      String type = types.get(i).descriptorString();
      if (!constants.contains(i) && !type.equals("Ldev/stretto/kernel/ThreadBlock;")) {
        all.add(type);
      }
    }
    return all;
  }

  /** The type of a boxed number that a lambda takes; REF if it is not one. */
  static Type unboxed(String descriptor) {
    return switch (descriptor) {
      case "Ljava/lang/Byte;", "Ljava/lang/Short;", "Ljava/lang/Integer;" -> Type.INT;
      case "Ljava/lang/Long;" -> Type.LONG;
      case "Ljava/lang/Float;" -> Type.FLOAT;
      case "Ljava/lang/Double;" -> Type.DOUBLE;
      default -> Type.REF;
    };
  }
}
