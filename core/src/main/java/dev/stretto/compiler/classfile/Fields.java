package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.ConstantArray;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import dev.stretto.fault.KernelRefusedException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.AccessFlag;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Translates fields: fields of objects eventually become scalars, static finals become constants.
 */
final class Fields {
  private static final String CONST = "Ldev/stretto/kernel/Const;";
  private static final String WARP = "dev/stretto/kernel/Warp";

  private final Site site;
  private final Builder builder;
  private final ClassFiles classes;
  private final Map<String, ConstantArray> arrays = new LinkedHashMap<>();

  Fields(Site site, ClassFiles classes) {
    this.site = site;
    this.builder = site.builder();
    this.classes = classes;
  }

  void translate(FieldInstruction it, Frame frame) {
    String owner = it.owner().asInternalName();
    String name = it.name().stringValue();
    String descriptor = it.type().stringValue();
    switch (it.opcode()) {
      case GETSTATIC -> frame.push(constant(owner, name, descriptor));
      case PUTSTATIC ->
          throw site.refuse(
              "a kernel cannot set the static field " + name, "write into an array parameter");
      case GETFIELD -> {
        if (owner.equals(WARP) && name.equals("block")) {
          // A thread has one block and one warp; neither is an object in a kernel.
          Value _ = frame.pop();
          frame.push(Constant.ofObject("block"));
          return;
        }
        Field field = field(owner, name, descriptor);
        Value value =
            builder.op(OpCode.GET_FIELD, field.type(), field, object(frame.pop(), owner, name));
        site.type(value, descriptor);
        frame.push(value);
      }
      default -> {
        Field field = field(owner, name, descriptor);
        Value value = narrow(field.element(), frame.pop());
        builder.op(OpCode.PUT_FIELD, Type.VOID, field, object(frame.pop(), owner, name), value);
      }
    }
  }

  private Value object(Value object, String owner, String name) {
    if (object instanceof Constant) {
      throw site.refuse(
          "a kernel cannot read " + name + " of a " + Calls.shortName(owner),
          "pass it as a parameter of the kernel");
    }
    return object;
  }

  private Field field(String owner, String name, String descriptor) {
    for (ClassModel above : classes.upwards(owner)) {
      Optional<FieldModel> declared = declares(above, name, descriptor);
      if (declared.isPresent() && !declared.get().flags().has(AccessFlag.STATIC)) {
        return field(above.thisClass().asInternalName(), name, descriptor.charAt(0));
      }
    }
    throw classes.find(owner).isEmpty() ? site.isMissing(owner) : hasNoField(owner, name);
  }

  private KernelRefusedException hasNoField(String owner, String name) {
    return site.refuse(
        Calls.shortName(owner) + " has no field " + name, "compile both again, together");
  }

  private static Field field(String owner, String name, char first) {
    return new Field(owner, name, first == '[' || first == 'L' ? null : Site.element(first));
  }

  private static Optional<FieldModel> declares(ClassModel model, String name, String descriptor) {
    return model.fields().stream()
        .filter(field -> field.fieldName().equalsString(name))
        .filter(field -> field.fieldType().equalsString(descriptor))
        .findFirst();
  }

  /** A value as it becomes when it is stored in a type smaller than an int. */
  Value narrow(@Nullable Element element, Value value) {
    if (element == Element.I8 || element == Element.I16 || element == Element.U16) {
      return builder.op(OpCode.NARROW, Type.INT, element, value);
    }
    return value;
  }

  private Value constant(String owner, String name, String descriptor) {
    if (name.equals("$assertionsDisabled")) {
      return Constant.of(site.asserts() ? 0 : 1);
    }
    Optional<ClassModel> model = classes.find(owner);
    if (model.isPresent() && descriptor.equals("L" + owner + ";") && isEnum(model.get())) {
      return Constant.ofObject(new Constant.EnumName(owner, name));
    }
    String what = Calls.shortName(owner) + "." + name;
    if (name.startsWith("$SwitchMap$")) {
      if (computed(owner, name) instanceof int[] cases) {
        return Constant.ofObject(new SwitchMap(cases));
      }
    }
    if (descriptor.startsWith("[")) {
      return array(owner, name, descriptor, what);
    }
    if (descriptor.length() > 1) {
      throw object(owner, name, descriptor, what);
    }
    boolean own = model.flatMap(it -> declares(it, name, descriptor)).isPresent();
    for (ClassModel above : own ? List.of(model.orElseThrow()) : classes.above(owner)) {
      FieldModel field = declares(above, name, descriptor).orElse(null);
      if (field != null && !field.flags().has(AccessFlag.STATIC)) {
        throw hasNoField(owner, name);
      }
      if (field != null && field.flags().has(AccessFlag.FINAL)) {
        return field
            .findAttribute(Attributes.constantValue())
            .map(attribute -> number(attribute.constant().constantValue()))
            .orElseGet(() -> number(computed(above.thisClass().asInternalName(), name)));
      }
      if (field != null) {
        throw site.refuse(
            "a kernel cannot read " + what + ", which is not final",
            "make it static final, or pass it as a parameter");
      }
    }
    throw model.isEmpty() ? site.isMissing(owner) : hasNoField(owner, name);
  }

  /** The arrays whose content was read. */
  Collection<ConstantArray> arrays() {
    return arrays.values();
  }

  private Value array(String owner, String name, String descriptor, String what) {
    for (ClassModel above : classes.upwards(owner)) {
      FieldModel field = declares(above, name, descriptor).orElse(null);
      if (field != null) {
        requireConst(field, descriptor, what);
        String declared = above.thisClass().asInternalName();
        ConstantArray array = arrays.get(declared + "." + name);
        if (array == null) {
          array = content(declared, name, what);
          arrays.put(declared + "." + name, array);
        }
        Value constant = Constant.ofObject(array);
        site.type(constant, descriptor);
        return constant;
      }
    }
    throw classes.find(owner).isEmpty() ? site.isMissing(owner) : hasNoField(owner, name);
  }

  private void requireConst(FieldModel field, String descriptor, String what) {
    boolean marked =
        field
            .findAttribute(Attributes.runtimeVisibleAnnotations())
            .map(
                all ->
                    all.annotations().stream().anyMatch(it -> it.className().equalsString(CONST)))
            .orElse(false);
    if (!marked) {
      throw site.refuse(
          "a kernel cannot use the array in " + what,
          "annotate it with @Const to have its content compiled in, or pass an array of the device"
              + " as a parameter");
    }
    if (descriptor.length() > 2) {
      throw site.refuse(
          "the @Const array " + what + " holds no numbers",
          "make it one array of numbers: row * columns + column");
    }
    if (!field.flags().has(AccessFlag.FINAL)) {
      throw site.refuse("the @Const array " + what + " is not final", "make it static final");
    }
  }

  private ConstantArray content(String owner, String name, String what) {
    try {
      return ConstantArrays.of(classes.loader(), owner, name, site.isChecked());
    } catch (IllegalStateException e) {
      throw site.refuse(String.valueOf(e.getMessage()), "write it only before the first launch");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw site.refuse(
          "the @Const array " + what + " cannot be read: " + e,
          "fill it where it is declared, and open its package to dev.stretto");
    }
  }

  private KernelRefusedException object(String owner, String name, String descriptor, String what) {
    if (descriptor.equals("Ljava/lang/String;")) {
      return site.refuse("a kernel cannot use the text in " + what, "write a string literal");
    }
    String type = descriptor.substring(1, descriptor.length() - 1);
    String advice =
        KnownMethods.isBox(type)
            ? "give it a primitive type"
            : owner.equals("java/lang/System")
                ? Instead.of("java/io/PrintStream", name)
                : "make it in the kernel, or pass its numbers as parameters";
    return site.refuse("a kernel cannot use the object in " + what, advice);
  }

  /** The facts about a class that a kernel makes an object of. */
  NewObject newObject(String name) {
    return new NewObject(name, classes.find(name).map(Fields::isImmutable).orElse(false));
  }

  /** Fields of a superclass are not inspected: a class that has one counts as mutable. */
  private static boolean isImmutable(ClassModel model) {
    boolean alone = model.superclass().map(it -> Calls.isRoot(it.asInternalName())).orElse(true);
    return alone
        && model.fields().stream()
            .filter(field -> !field.flags().has(AccessFlag.STATIC))
            .allMatch(field -> field.flags().has(AccessFlag.FINAL));
  }

  /**
   * The case of a switch for each constant of an enum: the Java compiler keeps the mapping in an
   * array.
   *
   * @param cases by the constants' ordinal numbers
   */
  @SuppressWarnings("ArrayRecordComponent") // records of this type are never compared
  record SwitchMap(int[] cases) {}

  /** The ordinal number of an enum constant. */
  Value ordinal(Constant.EnumName constant) {
    List<FieldModel> constants =
        classes
            .find(constant.owner())
            .orElseThrow(() -> site.isMissing(constant.owner()))
            .fields()
            .stream()
            .filter(field -> field.flags().has(AccessFlag.ENUM))
            .toList();
    for (int i = 0; i < constants.size(); i++) {
      if (constants.get(i).fieldName().equalsString(constant.name())) {
        return Constant.of(i);
      }
    }
    throw site.refuse(
        Calls.shortName(constant.owner()) + " has no constant " + constant.name(),
        "compile both again, together");
  }

  private static boolean isEnum(ClassModel model) {
    return model.flags().has(AccessFlag.ENUM);
  }

  /**
   * The value of a static final field that its class computes: the class is initialized to get it.
   */
  private Object computed(String owner, String name) {
    try {
      java.lang.reflect.Field field =
          Class.forName(owner.replace('/', '.'), true, classes.loader()).getDeclaredField(name);
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw site.refuse(
          "the value of " + Calls.shortName(owner) + "." + name + " cannot be read: " + e,
          "give it a constant value, or pass it as a @Const parameter");
    }
  }

  private static Value number(Object value) {
    return switch (value) {
      case Boolean it -> Constant.of(it ? 1 : 0);
      case Character it -> Constant.of((int) it);
      case Byte it -> Constant.of((int) it);
      case Short it -> Constant.of((int) it);
      default -> Constant.ofBoxed(value);
    };
  }
}
