package dev.stretto.agent;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ShortJumpsOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds a call in front of every access to host memory that a class makes.
 *
 * <p>What is added neither branches nor is branched to, and leaves stack and locals as they were.
 * So the frames by which the JVM verifies a method stay as its compiler has written them, and no
 * class has to be looked for to find them anew. Only a method that grows so long that its jumps
 * need another form gets new frames.
 */
final class Rewriter {
  private static final String KERNEL = "Ldev/stretto/kernel/Kernel;";

  private final AccessCode code;

  Rewriter(KnownCalls calls) {
    this.code = new AccessCode(calls);
  }

  /**
   * {@return a class that tells its accesses; null if it has none}
   *
   * @param supertypes what is known about the classes that it sees
   * @param hierarchy the same, for a method that needs new frames
   * @throws IllegalArgumentException if it is no class file, or of a newer version
   */
  byte @Nullable [] rewrite(
      byte[] classFile, Supertypes supertypes, ClassHierarchyResolver hierarchy) {
    ClassModel parsed = ClassFile.of().parse(classFile);
    Set<MethodModel> methods = new HashSet<>();
    for (MethodModel method : parsed.methods()) {
      if (method.code().isPresent()
          && !isKernel(method)
          && method
              .code()
              .get()
              .elementStream()
              .anyMatch(each -> code.isAccess(each, supertypes))) {
        methods.add(method);
      }
    }
    if (methods.isEmpty()) {
      return null;
    }
    try {
      return ClassFile.of(StackMapsOption.DROP_STACK_MAPS, ShortJumpsOption.FAIL_ON_SHORT_JUMPS)
          .transformClass(parsed, transform(methods, supertypes, true));
    } catch (IllegalArgumentException _) { // a jump is too far
      return ClassFile.of(
              StackMapsOption.STACK_MAPS_WHEN_REQUIRED,
              ShortJumpsOption.FIX_SHORT_JUMPS,
              ClassFile.ClassHierarchyResolverOption.of(hierarchy))
          .transformClass(parsed, transform(methods, supertypes, false));
    }
  }

  /** Whether it runs on a device, so that its arrays are the device's. */
  private static boolean isKernel(AttributedElement method) {
    return Stream.concat(
            method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream()),
            method.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream()))
        .map(Annotation::className)
        .map(Utf8Entry::stringValue)
        .anyMatch(KERNEL::equals);
  }

  private ClassTransform transform(
      Set<MethodModel> methods, Supertypes supertypes, boolean keepsFrames) {
    return (classBuilder, element) -> {
      if (element instanceof MethodModel method && methods.contains(method)) {
        classBuilder.transformMethod(method, transform(supertypes, keepsFrames));
      } else {
        classBuilder.with(element);
      }
    };
  }

  private MethodTransform transform(Supertypes supertypes, boolean keepsFrames) {
    return (methodBuilder, element) -> {
      if (element instanceof CodeAttribute attribute) {
        methodBuilder.transformCode(attribute, transform(attribute, supertypes, keepsFrames));
      } else {
        methodBuilder.with(element);
      }
    };
  }

  private CodeTransform transform(
      CodeAttribute method, Supertypes supertypes, boolean keepsFrames) {
    return new CodeTransform() {
      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        code.add(builder, element, supertypes, method.maxLocals());
      }

      @Override
      public void atEnd(CodeBuilder builder) {
        if (keepsFrames) {
          frames(method).forEach(builder::with);
        }
      }
    };
  }

  private static List<StackMapTableAttribute> frames(CodeModel method) {
    return method
        .findAttribute(Attributes.stackMapTable())
        .map(its -> StackMapTableAttribute.of(its.entries()))
        .stream()
        .toList();
  }
}
