package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.Attributes;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the graph of a kernel's method, including everything that it calls. */
public final class FrontEnd {
  private static final String BLOCK = "Ldev/stretto/kernel/ThreadBlock;";

  private FrontEnd() {}

  /**
   * {@return the graph} The first block's parameters are the method's parameters that are not
   * constants: each value, and for an array its address followed by its length.
   *
   * @param classes finds the method and what it calls
   * @param owner the class's internal name
   * @param name the method's name
   * @param descriptor its descriptor
   * @param constants the values of the parameters that are constants, by their number in the method
   * @param checked whether indices, divisors and assertions are checked
   * @param target the compute capability
   * @throws KernelRefusedException if the method uses Java that a kernel may not use
   */
  public static Function read(
      ClassFiles classes,
      String owner,
      String name,
      String descriptor,
      Map<Integer, Object> constants,
      boolean checked,
      int target) {
    return read(
        classes, owner, name, descriptor, constants, checked, target, Site.Purpose.INSTRUCTIONS);
  }

  /**
   * {@return the graph of a kernel that is to run on the JVM} Methods that stand for instructions
   * are called, indices are always checked.
   *
   * @param classes finds the method and what it calls
   * @param owner the class's internal name
   * @param name the method's name
   * @param descriptor its descriptor
   * @param constants the values of the parameters that are constants, by their number in the method
   * @param asserts whether assertions are checked
   * @param target the compute capability
   * @throws KernelRefusedException if the method uses Java that a kernel may not use
   */
  public static Function readForCalls(
      ClassFiles classes,
      String owner,
      String name,
      String descriptor,
      Map<Integer, Object> constants,
      boolean asserts,
      int target) {
    Site.Purpose purpose = asserts ? Site.Purpose.CALLS_AND_ASSERTIONS : Site.Purpose.CALLS;
    return read(classes, owner, name, descriptor, constants, true, target, purpose);
  }

  private static Function read(
      ClassFiles classes,
      String owner,
      String name,
      String descriptor,
      Map<Integer, Object> constants,
      boolean checked,
      int target,
      Site.Purpose purpose) {
    ClassFiles.Method method =
        classes
            .method(owner, name, descriptor)
            .orElseThrow(
                () ->
                    new KernelRefusedException(
                        Calls.shortName(owner),
                        0,
                        "the class file of "
                            + Calls.shortName(owner)
                            + "."
                            + name
                            + " cannot be found",
                        "a kernel must be a method of a class that its loader finds "
                            + "as a file"));
    Block entry = new Block();
    Line line =
        new Line(
            Translator.sourceFile(method), method.type(), method.name(), firstLine(method), null);
    Builder builder = new Builder(entry, line);
    Site site = new Site(builder, checked, target, purpose);
    classes.readFor(builder::line);
    if (!method.model().flags().has(AccessFlag.STATIC)) {
      throw site.refuse("a kernel must be a static method", "make " + method.name() + " static");
    }
    List<Value> arguments = new ArrayList<>();
    List<ClassDesc> types = method.model().methodTypeSymbol().parameterList();
    Set<Integer> marked = InstructionCalls.constants(method.model());
    for (int i = 0; i < types.size(); i++) {
      Object constant = constants.get(i);
      if (constant == null && marked.contains(i)) {
        throw site.refuse(
            "parameter " + i + " of " + method.name() + " is @Const and has no value",
            "give one: it is compiled in");
      }
      arguments.add(
          constant != null ? constant(constant) : parameter(site, classes, entry, types.get(i), i));
    }
    if (method.model().methodTypeSymbol().returnType().descriptorString().charAt(0) != 'V') {
      throw site.refuse("a kernel cannot return a value", "write results into an array");
    }
    Calls calls = new Calls(site, classes);
    calls.root(method, arguments);
    builder.end(OpCode.RETURN, null);
    Function function = new Function(name, entry);
    function.constants().addAll(calls.fields().arrays());
    return function;
  }

  private static int firstLine(ClassFiles.Method method) {
    return method
        .model()
        .code()
        .flatMap(code -> code.findAttribute(Attributes.lineNumberTable()))
        .map(table -> table.lineNumbers().getFirst().lineNumber())
        .orElse(0);
  }

  private static Value constant(Object value) {
    return switch (value) {
      case Boolean it -> Constant.of(it ? 1 : 0);
      case Character it -> Constant.of((int) it);
      case Byte it -> Constant.of((int) it);
      case Short it -> Constant.of((int) it);
      case Enum<?> it ->
          Constant.ofObject(
              new Constant.EnumName(it.getDeclaringClass().getName().replace('.', '/'), it.name()));
      default -> Constant.ofBoxed(value);
    };
  }

  private static Value parameter(
      Site site, ClassFiles classes, Block entry, ClassDesc type, int number) {
    String descriptor = type.descriptorString();
    if (descriptor.equals(BLOCK)) {
      return Constant.ofObject("block");
    }
    if (type.isPrimitive()) {
      return entry.param(Site.type(type));
    }
    if (descriptor.equals(KernelAttributes.TENSOR_MAP)) {
      // Its address only: instructions alone use what it points to.
      Value base = entry.param(Type.GLOBAL);
      return site.builder()
          .op(
              OpCode.VIEW,
              Type.REF,
              Element.I8,
              base,
              Constant.of((long) KernelAttributes.TENSOR_MAP_BYTES));
    }
    Type boxed = KernelAttributes.unboxed(descriptor);
    if (boxed != Type.REF) {
      return entry.param(boxed);
    }
    Element element =
        descriptor.startsWith("L")
            ? ArrayMethods.elementOf(descriptor.substring(1, descriptor.length() - 1))
            : null;
    Optional<RecordShape> shape =
        element == null && descriptor.startsWith("L")
            ? RecordShape.of(
                classes,
                descriptor.substring(1, descriptor.length() - 1),
                why ->
                    site.refuse(
                        "parameter " + number + " of a kernel cannot be a record: " + why,
                        KernelAttributes.OF_RECORDS))
            : Optional.empty();
    if (shape.isPresent()) {
      return shape.get().object(site.builder(), entry);
    }
    if (element == null
        || !ArrayMethods.isGlobal(descriptor.substring(1, descriptor.length() - 1))) {
      boolean shared = descriptor.startsWith("Ldev/stretto/kernel/Shared");
      throw site.refuse(
          "parameter "
              + number
              + " of a kernel cannot be of type "
              + type.displayName().replace('$', '.'),
          shared
              ? "make it in the kernel: block.sharedFloats and the like, or block.dynamicShared()"
              : "it takes byte, short, int, long, float, double, records of them, global arrays and"
                  + " tensor maps");
    }
    Value base = entry.param(Type.GLOBAL);
    Value length = entry.param(Type.LONG);
    return site.builder().op(OpCode.VIEW, Type.REF, element, base, length);
  }
}
