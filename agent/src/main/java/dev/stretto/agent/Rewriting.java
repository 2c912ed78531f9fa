package dev.stretto.agent;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
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
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** How one class is rewritten. */
final class Rewriting {
  private static final String KERNEL = "Ldev/stretto/kernel/Kernel;";

  private final ClassModel type;
  private final CallCode calls;
  private final Supertypes supertypes;
  private final boolean keepsFrames;
  private final ReferenceCode references;
  private final Set<MethodModel> methods = new HashSet<>();

  Rewriting(ClassModel type, CallCode calls, Supertypes supertypes, boolean keepsFrames) {
    this.type = type;
    this.calls = calls;
    this.supertypes = supertypes;
    this.keepsFrames = keepsFrames;
    this.references = new ReferenceCode(type, calls, supertypes);
    for (MethodModel method : type.methods()) {
      if (!isKernel(method) && method.code().map(code -> tells(method, code)).orElse(false)) {
        methods.add(method);
      }
    }
  }

  /** {@return whether the class has nothing to tell} */
  boolean isNeedless() {
    return methods.isEmpty();
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

  private boolean tells(MethodModel method, CodeModel code) {
    ThreadCode threads = new ThreadCode(type, method, code, supertypes);
    return threads.isWatched() || code.elementStream().anyMatch(each -> tells(threads, each));
  }

  private boolean tells(ThreadCode threads, CodeElement element) {
    return AccessCode.isAccess(element)
        || threads.isWatched(element)
        || switch (element) {
          case InvokeInstruction call -> calls.isWatched(call, supertypes);
          case InvokeDynamicInstruction reference -> references.isWatched(reference);
          default -> false;
        };
  }

  ClassTransform transform() {
    return new ClassTransform() {
      @Override
      public void accept(ClassBuilder builder, ClassElement element) {
        if (element instanceof MethodModel method && methods.contains(method)) {
          builder.transformMethod(method, transform(method));
        } else {
          builder.with(element);
        }
      }

      @Override
      public void atEnd(ClassBuilder builder) {
        references.addMethods(builder);
      }
    };
  }

  private MethodTransform transform(MethodModel method) {
    return (builder, element) -> {
      if (element instanceof CodeAttribute attribute) {
        builder.transformCode(attribute, transform(method, attribute));
      } else {
        builder.with(element);
      }
    };
  }

  private CodeTransform transform(MethodModel method, CodeAttribute attribute) {
    ThreadCode threads = new ThreadCode(type, method, attribute, supertypes);
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        threads.begin(builder);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        add(builder, element, threads, attribute.maxLocals());
      }

      @Override
      public void atEnd(CodeBuilder builder) {
        if (keepsFrames) {
          frames(attribute).forEach(builder::with);
        }
      }
    };
  }

  private void add(CodeBuilder code, CodeElement element, ThreadCode threads, int free) {
    threads.before(code, element);
    switch (element) {
      case InvokeInstruction instruction -> {
        Call call = CallCode.callOf(instruction);
        Handing handing = calls.handing(call, supertypes);
        if (handing.isNothing()) {
          code.with(instruction);
        } else {
          CallCode.add(code, call, to -> to.with(instruction), handing, free);
        }
      }
      case InvokeDynamicInstruction reference -> references.add(code, reference);
      default -> {
        if (AccessCode.isAccess(element)) {
          AccessCode.tell(code, element);
        }
        code.with(element);
      }
    }
    threads.behind(code, element);
  }

  private static List<StackMapTableAttribute> frames(CodeModel method) {
    return method
        .findAttribute(Attributes.stackMapTable())
        .map(its -> StackMapTableAttribute.of(its.entries()))
        .stream()
        .toList();
  }
}
