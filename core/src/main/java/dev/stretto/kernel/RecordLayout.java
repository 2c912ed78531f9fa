package dev.stretto.kernel;

import dev.stretto.compiler.ir.EntryParameter;
import dev.stretto.compiler.ir.StructLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of numbers as a struct in memory: its components in order, where C places them. Its
 * numbers are those of its components, the ones of records within it in their place.
 */
@SuppressWarnings("UnusedMethod") // handles call those that write numbers
final class RecordLayout {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private static final ClassValue<RecordLayout> KNOWN =
      new ClassValue<>() {
        @Override
        protected RecordLayout computeValue(Class<?> type) {
          return new Reader().read(type);
        }
      };

  /** A component: a number, or a record within. */
  private record Component(
      String name, Class<?> type, long offset, MethodHandle getter, @Nullable RecordLayout inner) {}

  /**
   * A number.
   *
   * @param name its component, and those around it, as {@code box.min}
   * @param offset where it lies
   * @param writer writes it: takes the record, the memory, and where the record begins there
   */
  private record Single(String name, Class<?> type, long offset, MethodHandle writer) {}

  private final Class<?> type;
  private final List<Component> components;
  private final Single[] singles;
  private final Component[] inner;
  private final MethodHandle constructor;
  private final long bytes;
  private final int alignment;

  private RecordLayout(
      Class<?> type, List<Component> components, MethodHandle constructor, StructLayout layout) {
    this.type = type;
    this.components = components;
    this.constructor = constructor;
    this.bytes = layout.bytes();
    this.alignment = layout.alignment();
    this.inner = components.stream().filter(it -> it.inner != null).toArray(Component[]::new);
    List<Single> all = new ArrayList<>();
    for (Component component : components) {
      MethodHandle getter = component.getter;
      if (component.inner == null) {
        all.add(
            new Single(
                component.name,
                component.type,
                component.offset,
                MethodHandles.filterArguments(
                    writer(component.type, component.offset), 0, getter)));
      } else {
        for (Single single : component.inner.singles) {
          MethodHandle later = MethodHandles.insertArguments(SHIFT, 1, component.offset);
          MethodHandle writer = MethodHandles.filterArguments(single.writer, 2, later);
          all.add(
              new Single(
                  component.name + "." + single.name,
                  single.type,
                  component.offset + single.offset,
                  MethodHandles.filterArguments(writer, 0, getter)));
        }
      }
    }
    this.singles = all.toArray(Single[]::new);
  }

  /**
   * {@return the layout of a record}
   *
   * @throws IllegalArgumentException if a component is no number, or it cannot be read
   */
  static RecordLayout of(Class<?> type) {
    return KNOWN.get(type);
  }

  long bytes() {
    return bytes;
  }

  int alignment() {
    return alignment;
  }

  /** How many numbers it has. */
  int count() {
    return singles.length;
  }

  /** Where a number lies. */
  long offset(int number) {
    return singles[number].offset;
  }

  /** What a number is. */
  Class<?> typeOf(int number) {
    return singles[number].type;
  }

  /**
   * Writes a record; what lies between its components stays as it is. Allocates nothing.
   *
   * @throws NullPointerException if a record within it is null
   */
  void write(Record value, MemorySegment to, long at) {
    try {
      requireWhole(value);
      for (Single single : singles) {
        single.writer.invokeExact((Object) value, to, at);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private void requireWhole(Object value) throws Throwable {
    for (Component component : inner) {
      Object within = (Object) component.getter.invokeExact(value);
      if (within == null) {
        throw new NullPointerException(
            "component " + component.name + " of the record " + type.getSimpleName() + " is null");
      }
      if (component.inner != null && component.inner.inner.length > 0) {
        component.inner.requireWhole(within);
      }
    }
  }

  /**
   * {@return a record made of what lies in memory}
   *
   * @throws IllegalStateException if its constructor makes other numbers of these
   */
  Object read(MemorySegment from, long at) {
    try {
      Object made = make(from, at);
      MemorySegment again = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
      write((Record) made, again, 0);
      for (Single single : singles) {
        long end = single.offset + bytesOf(single.type);
        if (MemorySegment.mismatch(from, at + single.offset, at + end, again, single.offset, end)
            >= 0) {
          throw new IllegalStateException(
              "the constructor of the record "
                  + type.getSimpleName()
                  + " gives "
                  + single.name
                  + " another value than it is given: a kernel gets the record as it was passed,"
                  + " and calls no constructor");
        }
      }
      return made;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private Object make(MemorySegment from, long at) throws Throwable {
    Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      Component component = components.get(i);
      long place = at + component.offset;
      values[i] =
          component.inner == null
              ? number(component.type, from, place)
              : component.inner.make(from, place);
    }
    return constructor.invokeWithArguments(values);
  }

  /** The numbers, of which a boolean or a char is an int. */
  void numbers(MemorySegment from, long at, List<Object> to) {
    for (Single single : singles) {
      Object value = number(single.type, from, at + single.offset);
      to.add(
          switch (value) {
            case Boolean it -> it ? 1 : 0;
            case Character it -> (int) it;
            default -> value;
          });
    }
  }

  private static Object number(Class<?> type, MemorySegment from, long at) {
    return switch (type.getName()) {
      case "boolean" -> from.get(ValueLayout.JAVA_BYTE, at) != 0;
      case "byte" -> from.get(ValueLayout.JAVA_BYTE, at);
      case "short" -> from.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case "char" -> from.get(ValueLayout.JAVA_CHAR_UNALIGNED, at);
      case "int" -> from.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      case "long" -> from.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      case "float" -> from.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
      default -> from.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
    };
  }

  private static int bytesOf(Class<?> type) {
    return switch (type.getName()) {
      case "boolean", "byte" -> 1;
      case "short", "char" -> 2;
      case "int", "float" -> 4;
      default -> 8;
    };
  }

  private static RuntimeException unchecked(Throwable e) {
    return switch (e) {
      case RuntimeException it -> it;
      case Error it -> throw it;
      default -> new IllegalStateException(e);
    };
  }

  // --- what writes numbers
  // ------------------------------------------------------------------------------------------------

  private static final MethodHandle SHIFT =
      find("shift", MethodType.methodType(long.class, long.class, long.class));

  private static long shift(long at, long by) {
    return at + by;
  }

  private static MethodHandle writer(Class<?> type, long offset) {
    MethodHandle put =
        find(
            "put",
            MethodType.methodType(void.class, type, MemorySegment.class, long.class, long.class));
    return MethodHandles.insertArguments(put, 3, offset);
  }

  private static MethodHandle find(String name, MethodType type) {
    try {
      return LOOKUP.findStatic(RecordLayout.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static void put(boolean value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_BYTE, at + offset, (byte) (value ? 1 : 0));
  }

  private static void put(byte value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_BYTE, at + offset, value);
  }

  private static void put(short value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + offset, value);
  }

  private static void put(char value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_CHAR_UNALIGNED, at + offset, value);
  }

  private static void put(int value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_INT_UNALIGNED, at + offset, value);
  }

  private static void put(long value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_LONG_UNALIGNED, at + offset, value);
  }

  private static void put(float value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at + offset, value);
  }

  private static void put(double value, MemorySegment to, long at, long offset) {
    to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at + offset, value);
  }

  // --- reading a class
  // ----------------------------------------------------------------------------------------------------

  /** Reads the classes of records. */
  private static final class Reader {
    private final List<Class<?>> inside = new ArrayList<>();
    private int numbers;

    RecordLayout read(Class<?> type) {
      inside.add(type);
      RecordComponent[] all = type.getRecordComponents();
      if (all.length == 0) {
        throw new IllegalArgumentException(
            "the record " + type.getTypeName() + " has no components: a kernel takes no such one");
      }
      StructLayout layout = new StructLayout();
      List<Component> components = new ArrayList<>();
      for (RecordComponent component : all) {
        RecordLayout within = null;
        int size;
        if (component.getType().isRecord() && !inside.contains(component.getType())) {
          within = read(component.getType());
        } else if (!component.getType().isPrimitive()) {
          throw refused(type, component);
        } else if (++numbers > EntryParameter.MOST_BYTES) {
          throw new IllegalArgumentException(
              "the record "
                  + inside.getFirst().getTypeName()
                  + " has more than "
                  + EntryParameter.MOST_BYTES
                  + " numbers");
        }
        if (within == null) {
          size = bytesOf(component.getType());
        } else {
          size = within.alignment;
        }
        long offset = layout.add(within == null ? size : within.bytes, size);
        components.add(
            new Component(
                component.getName(), component.getType(), offset, getter(type, component), within));
      }
      inside.removeLast();
      return new RecordLayout(type, List.copyOf(components), constructor(type, all), layout);
    }

    private static IllegalArgumentException refused(Class<?> type, RecordComponent component) {
      return new IllegalArgumentException(
          "component "
              + component.getName()
              + " of the record "
              + type.getTypeName()
              + " is a "
              + component.getType().getTypeName()
              + ": a kernel takes records of numbers, booleans and such records; pass an array of"
              + " the device as a parameter of its own");
    }

    /** The component itself, not what a method of the record makes of it. */
    private static MethodHandle getter(Class<?> type, RecordComponent component) {
      MethodHandle getter;
      try {
        Field field = type.getDeclaredField(component.getName());
        field.setAccessible(true);
        getter = LOOKUP.unreflectGetter(field);
      } catch (ReflectiveOperationException | RuntimeException _) {
        try {
          getter = MethodHandles.publicLookup().unreflect(component.getAccessor());
        } catch (IllegalAccessException e) {
          throw closed(type, e);
        }
      }
      Class<?> result = component.getType().isRecord() ? Object.class : component.getType();
      return getter.asType(MethodType.methodType(result, Object.class));
    }

    private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        try {
          constructor.setAccessible(true);
          return LOOKUP.unreflectConstructor(constructor);
        } catch (IllegalAccessException | RuntimeException _) {
          return MethodHandles.publicLookup().unreflectConstructor(constructor);
        }
      } catch (NoSuchMethodException e) {
        throw new AssertionError(type + " is a record", e);
      } catch (IllegalAccessException e) {
        throw closed(type, e);
      }
    }

    private static IllegalArgumentException closed(Class<?> type, Exception why) {
      return new IllegalArgumentException(
          "the record "
              + type.getTypeName()
              + " cannot be read: make it public in an exported package, or open its package to"
              + " dev.stretto",
          why);
    }
  }
}
