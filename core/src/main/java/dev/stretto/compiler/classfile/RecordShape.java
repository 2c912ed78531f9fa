package dev.stretto.compiler.classfile;

import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Builder;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.EntryParameter;
import dev.stretto.compiler.ir.EntryParameter.Part;
import dev.stretto.compiler.ir.Field;
import dev.stretto.compiler.ir.NewObject;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.StructLayout;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Value;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record of numbers, as a kernel's parameter: a struct in memory, an object of values in the
 * graph.
 *
 * @param type the record's internal name
 * @param components its components
 */
record RecordShape(String type, List<Component> components) {
  /** A component of a record. */
  sealed interface Component {}

  /**
   * A number, or a boolean.
   *
   * @param name its name
   * @param element what it is
   */
  record Single(String name, Element element) implements Component {}

  /**
   * Another record.
   *
   * @param name its name
   * @param shape its components
   */
  record Nested(String name, RecordShape shape) implements Component {}

  /** Says what is wrong with a record. */
  interface Refusal extends Function<String, RuntimeException> {}

  /**
   * {@return the shape of a record; nothing if the class is none}
   *
   * @param refusal what is thrown if a component is no number
   */
  static Optional<RecordShape> of(ClassFiles classes, String name, Refusal refusal) {
    return attribute(classes, name).map(it -> new Reader(classes, refusal).read(name, it));
  }

  private static Optional<RecordAttribute> attribute(ClassFiles classes, String name) {
    return classes
        .find(name)
        .filter(RecordShape::isRecord)
        .flatMap(it -> it.findAttribute(Attributes.record()));
  }

  private static boolean isRecord(ClassModel model) {
    return model
        .superclass()
        .filter(above -> above.asInternalName().equals("java/lang/Record"))
        .isPresent();
  }

  /** {@return the struct} */
  EntryParameter.Struct struct() {
    StructLayout layout = new StructLayout();
    List<Part> parts = new ArrayList<>();
    for (Component component : components) {
      switch (component) {
        case Single it -> {
          int bytes = it.element.bytes();
          parts.add(new Part(layout.add(bytes, bytes), it.element));
        }
        case Nested it -> {
          EntryParameter.Struct inner = it.shape.struct();
          long at = layout.add(inner.bytes(), inner.alignment());
          inner.parts().forEach(part -> parts.add(new Part(at + part.offset(), part.element())));
        }
      }
    }
    return new EntryParameter.Struct(layout.bytes(), layout.alignment(), List.copyOf(parts));
  }

  /** {@return the object, whose numbers become parameters of the graph} */
  Value object(Builder builder, Block entry) {
    Value object = builder.op(OpCode.NEW, Type.REF, new NewObject(type, true));
    for (Component component : components) {
      switch (component) {
        case Single it -> put(builder, object, it.name, it.element, entry.param(it.element.type()));
        case Nested it -> put(builder, object, it.name, null, it.shape.object(builder, entry));
      }
    }
    return object;
  }

  private void put(
      Builder builder, Value object, String name, @Nullable Element element, Value value) {
    builder.op(OpCode.PUT_FIELD, Type.VOID, new Field(type, name, element), object, value);
  }

  /** Reads records from class files. */
  private static final class Reader {
    private final ClassFiles classes;
    private final Refusal refusal;
    private final List<String> inside = new ArrayList<>();
    private int numbers;

    Reader(ClassFiles classes, Refusal refusal) {
      this.classes = classes;
      this.refusal = refusal;
    }

    RecordShape read(String type, RecordAttribute attribute) {
      inside.add(type);
      if (attribute.components().isEmpty()) {
        throw refusal.apply("the record " + Calls.shortName(type) + " has no components");
      }
      List<Component> components = new ArrayList<>();
      for (RecordComponentInfo component : attribute.components()) {
        components.add(component(type, component));
      }
      inside.removeLast();
      return new RecordShape(type, List.copyOf(components));
    }

    private Component component(String type, RecordComponentInfo component) {
      String name = component.name().stringValue();
      String descriptor = component.descriptor().stringValue();
      if (descriptor.length() == 1) {
        if (++numbers > EntryParameter.MOST_BYTES) {
          throw refusal.apply("the record has more than " + EntryParameter.MOST_BYTES + " numbers");
        }
        return new Single(name, Site.element(descriptor.charAt(0)));
      }
      if (descriptor.startsWith("L")) {
        String inner = descriptor.substring(1, descriptor.length() - 1);
        Optional<RecordAttribute> attribute = attribute(classes, inner);
        if (attribute.isPresent() && !inside.contains(inner)) {
          return new Nested(name, read(inner, attribute.get()));
        }
      }
      throw refusal.apply(
          "component "
              + name
              + " of the record "
              + Calls.shortName(type)
              + " is a "
              + component.descriptorSymbol().displayName().replace('$', '.'));
    }
  }
}
