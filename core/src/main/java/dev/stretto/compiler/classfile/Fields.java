package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.AccessFlag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What fields become: those of objects are scalars in the end, static finals are constants. */
final class Fields {
  private final Site site;
  private final Builder builder;
  private final ClassFiles classes;

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
        Field field = field(owner, name, descriptor);
        frame.push(builder.op(OpCode.GET_FIELD, field.type(), field, object(frame.pop(), owner)));
      }
      default -> {
        Field field = field(owner, name, descriptor);
        Value value = narrow(field.element(), frame.pop());
        builder.op(OpCode.PUT_FIELD, Type.VOID, field, object(frame.pop(), owner), value);
      }
    }
  }

  private Value object(Value object, String owner) {
    if (object instanceof Constant) {
      throw site.refuse(
          "a kernel cannot look into a " + Calls.shortName(owner), "call what kernels may call of it");
    }
    return object;
  }

  private Field field(String owner, String name, String descriptor) {
    String at = owner;
    while (true) {
      Optional<ClassModel> model = classes.find(at);
      if (model.isEmpty()) {
        break;
      }
      if (declares(model.get(), name).isPresent()) {
        owner = at;
        break;
      }
      if (model.get().superclass().isEmpty()) {
        break;
      }
      at = model.get().superclass().get().asInternalName();
    }
    char first = descriptor.charAt(0);
    return new Field(owner, name, first == '[' || first == 'L' ? null : Site.element(first));
  }

  private static Optional<FieldModel> declares(ClassModel model, String name) {
    return model.fields().stream().filter(field -> field.fieldName().equalsString(name)).findFirst();
  }

  /** What a value becomes when it is kept in something smaller than an int. */
  Value narrow(@Nullable Element element, Value value) {
    if (element == Element.I8 || element == Element.I16 || element == Element.U16) {
      return builder.op(OpCode.NARROW, Type.INT, element, value);
    }
    return value;
  }

  private Value constant(String owner, String name, String descriptor) {
    if (name.equals("$assertionsDisabled")) {
      return Constant.of(site.isChecked() ? 0 : 1);
    }
    Optional<ClassModel> model = classes.find(owner);
    if (model.isPresent() && descriptor.equals("L" + owner + ";") && isEnum(model.get())) {
      return Constant.ofObject(new Constant.EnumName(owner, name));
    }
    FieldModel field = model.flatMap(it -> declares(it, name)).orElse(null);
    if (field == null || !field.flags().has(AccessFlag.FINAL)) {
      throw site.refuse(
          "a kernel cannot read " + Calls.shortName(owner) + "." + name + ", which is not final",
          "make it static final, or pass it as a parameter");
    }
    if (descriptor.length() > 1) {
      throw site.refuse(
          "a kernel cannot use the object in " + Calls.shortName(owner) + "." + name,
          "pass an array of the device as a parameter");
    }
    return field
        .findAttribute(Attributes.constantValue())
        .map(attribute -> number(attribute.constant().constantValue()))
        .orElseGet(() -> number(computed(owner, name)));
  }

  /** What is known of a class of which a kernel makes an object. */
  NewObject newObject(String name) {
    boolean immutable =
        classes
            .find(name)
            .map(
                model ->
                    model.fields().stream()
                        .filter(field -> !field.flags().has(AccessFlag.STATIC))
                        .allMatch(field -> field.flags().has(AccessFlag.FINAL)))
            .orElse(false);
    return new NewObject(name, immutable);
  }

  private static boolean isEnum(ClassModel model) {
    return model.flags().has(AccessFlag.ENUM);
  }

  /** A static final that its class computes: the class is initialized for it. */
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
