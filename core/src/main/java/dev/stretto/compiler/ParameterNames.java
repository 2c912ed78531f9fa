package dev.stretto.compiler;

import dev.stretto.compiler.classfile.ClassFiles;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a class file says about a static method to its readers: the names of its parameters, and its
 * line.
 */
public final class ParameterNames {
  private ParameterNames() {}

  /**
   * {@return the names of all parameters; a parameter's number if the file has no name for it}
   *
   * @param loader finds the class file; null for the system's
   * @param owner the internal name of the class
   * @param name the method's name
   * @param descriptor its descriptor
   * @throws dev.stretto.fault.KernelRefusedException if the class file cannot be read
   */
  public static List<String> of(
      @Nullable ClassLoader loader, String owner, String name, String descriptor) {
    return ofCode(loader, owner, name, descriptor, code -> names(code, descriptor));
  }

  private static List<String> names(Optional<CodeModel> code, String descriptor) {
    List<String> names = new ArrayList<>();
    int slot = 0;
    int number = 0;
    for (ClassDesc type : MethodTypeDesc.ofDescriptor(descriptor).parameterList()) {
      int at = slot;
      names.add(
          code.flatMap(it -> it.findAttribute(Attributes.localVariableTable())).stream()
              .flatMap(table -> table.localVariables().stream())
              .filter(variable -> variable.slot() == at && variable.startPc() == 0)
              .map(LocalVariableInfo::name)
              .map(found -> found.stringValue())
              .findFirst()
              .orElse(Integer.toString(number)));
      slot += TypeKind.from(type).slotSize();
      number++;
    }
    return names;
  }

  /**
   * {@return the line on which a method begins, or 0 if the file does not say}
   *
   * @param loader finds the class file; null for the system's
   * @param owner the internal name of the class
   * @param name the method's name
   * @param descriptor its descriptor
   * @throws dev.stretto.fault.KernelRefusedException if the class file cannot be read
   */
  public static int line(
      @Nullable ClassLoader loader, String owner, String name, String descriptor) {
    return ofCode(
        loader,
        owner,
        name,
        descriptor,
        code ->
            code.flatMap(it -> it.findAttribute(Attributes.lineNumberTable()))
                .filter(table -> !table.lineNumbers().isEmpty())
                .map(table -> table.lineNumbers().getFirst().lineNumber())
                .orElse(0));
  }

  private static <T> T ofCode(
      @Nullable ClassLoader loader,
      String owner,
      String name,
      String descriptor,
      Function<Optional<CodeModel>, T> reader) {
    byte[] bytes = ClassFiles.bytes(loader, owner);
    return bytes == null
        ? reader.apply(Optional.empty())
        : ClassFiles.read(owner, bytes, model -> reader.apply(code(model, name, descriptor)));
  }

  private static Optional<CodeModel> code(ClassModel model, String name, String descriptor) {
    return model.methods().stream()
        .filter(method -> method.methodName().equalsString(name))
        .filter(method -> method.methodType().equalsString(descriptor))
        .findFirst()
        .flatMap(MethodModel::code);
  }
}
