package dev.stretto.cli;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The method to explain, according to its class file.
 *
 * @param owner the class's internal name
 * @param method its name
 * @param descriptor its descriptor
 * @param file the source file's name
 * @param parameters all of them, including the block
 */
record NamedKernel(
    String owner, String method, String descriptor, String file, List<NamedParameter> parameters) {
  private static final String BLOCK = "Ldev/stretto/kernel/ThreadBlock;";

  /** The user's input: {@code CLASS::METHOD}, optionally followed by a descriptor. */
  private record Typed(String owner, String method, String descriptor) {
    static Typed of(String text) {
      int colons = text.indexOf("::");
      if (colons < 1 || colons + 2 == text.length()) {
        throw CommandFailure.wrongCommandLine(
            "'"
                + text
                + "' does not name a method: use CLASS::METHOD, such as "
                + "com.acme.Kernels::saxpy");
      }
      String method = text.substring(colons + 2);
      int descriptor = method.indexOf('(');
      return new Typed(
          text.substring(0, colons).replace('/', '.'),
          descriptor < 0 ? method : method.substring(0, descriptor),
          descriptor < 0 ? "" : method.substring(descriptor));
    }
  }

  /**
   * Finds a kernel.
   *
   * @param text its name, {@code CLASS::METHOD}, optionally followed by a descriptor
   * @throws CommandFailure if there is no such method, or more than one
   */
  static NamedKernel find(ClassPath classPath, String text) {
    Typed typed = Typed.of(text);
    ClassModel owner = findClass(classPath, typed.owner);
    List<MethodModel> named =
        owner.methods().stream()
            .filter(method -> method.methodName().equalsString(typed.method))
            .filter(method -> method.methodType().stringValue().startsWith(typed.descriptor))
            .toList();
    List<MethodModel> kernels = named.stream().filter(NamedKernel::isKernel).toList();
    if (kernels.size() != 1) {
      throw wrongMethod(typed, owner, named, kernels);
    }
    return of(owner, kernels.getFirst());
  }

  private static NamedKernel of(ClassModel owner, MethodModel method) {
    String internal = owner.thisClass().asInternalName();
    return new NamedKernel(
        internal,
        method.methodName().stringValue(),
        method.methodType().stringValue(),
        sourceFile(owner, internal),
        NamedParameter.of(method));
  }

  static String sourceFile(ClassModel owner, String otherwise) {
    return owner
        .findAttribute(Attributes.sourceFile())
        .map(SourceFileAttribute::sourceFile)
        .map(file -> file.stringValue())
        .orElse(otherwise);
  }

  private static boolean isKernel(MethodModel method) {
    return method.methodType().stringValue().contains(BLOCK);
  }

  /** Finds a class; {@code a.B.C} also stands for the nested class {@code a.B$C}. */
  private static ClassModel findClass(ClassPath classPath, String name) {
    String internal = name.replace('.', '/');
    while (true) {
      byte @Nullable [] bytes = classPath.bytes(internal);
      if (bytes != null) {
        return parse(bytes, internal);
      }
      int slash = internal.lastIndexOf('/');
      if (slash < 0) {
        throw CommandFailure.wrongCommandLine(
            "there is no class " + name + " on " + classPath + " (--classpath sets another path)");
      }
      internal = internal.substring(0, slash) + "$" + internal.substring(slash + 1);
    }
  }

  private static ClassModel parse(byte[] bytes, String name) {
    try {
      return ClassFile.of().parse(bytes);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "the class file of " + name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static CommandFailure wrongMethod(
      Typed typed, ClassModel owner, List<MethodModel> named, List<MethodModel> kernels) {
    String name = typed.owner + "::" + typed.method;
    if (kernels.size() > 1) {
      return CommandFailure.wrongCommandLine(
          name
              + " is overloaded; append its descriptor: "
              + kernels.stream()
                  .map(method -> "'" + name + method.methodType().stringValue() + "'")
                  .collect(Collectors.joining(" or ")));
    }
    if (!named.isEmpty()) {
      return CommandFailure.wrongCommandLine(
          name + " is not a kernel: it has no ThreadBlock parameter");
    }
    List<String> others = new ArrayList<>();
    for (MethodModel method : owner.methods()) {
      if (isKernel(method) && !others.contains(method.methodName().stringValue())) {
        others.add(method.methodName().stringValue());
      }
    }
    return CommandFailure.wrongCommandLine(
        "there is no method "
            + name
            + typed.descriptor
            + (others.isEmpty()
                ? ", and no kernel in that class"
                : "; kernels in that class: " + String.join(", ", others)));
  }

  /** The class's name as Java programs print it. */
  String className() {
    return owner.replace('/', '.');
  }
}
