package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.EntryParameter;
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

  /** What to write instead of a record that no kernel takes. */
  static final String OF_RECORDS =
      "its components may be numbers, booleans and records of them; pass an array of the device as"
          + " a parameter of its own";

  private static final int TENSOR_MAP_ALIGNMENT = 64;

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
   * {@return each value that the kernel gets: an array is its address and its length}
   *
   * @param classes finds the records among them
   * @param constants the parameters that are compiled in
   */
  public List<EntryParameter> entryParameters(ClassFiles classes, Set<Integer> constants) {
    List<EntryParameter> all = new ArrayList<>();
    for (String type : descriptors(constants)) {
      switch (type) {
        case "Z", "B", "Ljava/lang/Byte;" -> all.add(new EntryParameter.Scalar(1));
        case "S", "C", "Ljava/lang/Short;" -> all.add(new EntryParameter.Scalar(2));
        case "I", "F", "Ljava/lang/Integer;", "Ljava/lang/Float;" ->
            all.add(new EntryParameter.Scalar(4));
        case "J", "D", "Ljava/lang/Long;", "Ljava/lang/Double;" ->
            all.add(new EntryParameter.Scalar(8));
        case TENSOR_MAP ->
            all.add(new EntryParameter.Whole(TENSOR_MAP_BYTES, TENSOR_MAP_ALIGNMENT));
        default -> {
          if (isArray(type)) {
            all.add(new EntryParameter.Scalar(8));
            all.add(new EntryParameter.Scalar(8));
          } else {
            all.add(
                RecordShape.of(classes, name(type), IllegalArgumentException::new)
                    .orElseThrow()
                    .struct());
          }
        }
      }
    }
    return all;
  }

  private static String name(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private static boolean isArray(String descriptor) {
    return ArrayMethods.isGlobal(name(descriptor));
  }

  /** What a parameter of a kernel is. */
  public enum ParameterKind {
    /** A number. */
    NUMBER,
    /** An array in global memory. */
    ARRAY,
    /** A tensor map. */
    TENSOR_MAP,
    /** A record of numbers. */
    RECORD
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
                  default ->
                      unboxed(type) != Type.REF
                          ? ParameterKind.NUMBER
                          : isArray(type) ? ParameterKind.ARRAY : ParameterKind.RECORD;
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
