package dev.stretto.misuse;

import dev.stretto.Device;
import dev.stretto.driver.Driver;
import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.kernel.KernelMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** Arguments of calls, legal and odd ones. */
final class Values {
  private static final long[] LONGS = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    16,
    64,
    100,
    1000,
    1024,
    4096,
    16_384,
    65_536,
    100_000,
    -1,
    -4,
    Integer.MAX_VALUE,
    1L << 40,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MIN_VALUE
  };
  private static final double[] DOUBLES = {
    0, 1, -1, 0.5, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE
  };
  private static final Duration[] DURATIONS = {
    Duration.ZERO,
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofNanos(-1),
    Duration.ofSeconds(Long.MIN_VALUE),
    Duration.ofSeconds(20)
  };
  private static final String[] STRINGS = {
    "",
    " ",
    "upload",
    "add",
    "%s %n %",
    "\u0000\ud800",
    "virtual:a100,memory=4194304,pinned=67108864",
    "virtual:h200,seed=5,memory=4194304,pinned=65536",
    "virtual:h200,seed=1,seed=2",
    "cuda:0",
    "cuda:-1",
    "virtual:x",
    ":",
    "misuse".repeat(400)
  };

  private final Holdings holdings;
  private final HostMemories memories;
  private final MisuseThread thread;

  Values(Holdings holdings, HostMemories memories, MisuseThread thread) {
    this.holdings = holdings;
    this.memories = memories;
    this.thread = thread;
  }

  /** {@return a value of a type, or null} */
  Object of(Class<?> type, Type generic, Random random) {
    if (type.isPrimitive()) {
      return primitive(type, random);
    }
    if (random.nextInt(30) == 0) {
      return null;
    }
    if (type.isArray()) {
      return array(type.componentType(), random);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    if (type == List.class || type == Collection.class || type == Iterable.class) {
      return list(generic, random);
    }
    Object known = ofJdk(type, random);
    if (known != null) {
      return known;
    }
    if (KernelMethod.class.isAssignableFrom(type)) {
      KernelMethod kernel = MisuseKernels.any(random);
      if (type.isInstance(kernel)) {
        return kernel;
      }
      return ProgramCode.canImplement(type) ? ProgramCode.of(type, random, thread) : kernel;
    }
    Object held = holdings.any(type, random).orElse(null);
    return ProgramCode.canImplement(type) && (held == null || random.nextInt(3) == 0)
        ? ProgramCode.of(type, random, thread)
        : held;
  }

  private Object ofJdk(Class<?> type, Random random) {
    if (type == MemorySegment.class) {
      return memories.any(random);
    } else if (type == Arena.class) {
      return random.nextInt(4) > 0
          ? memories.anyArena(random)
          : holdings.any(type, random).orElse(null);
    } else if (type == Path.class) {
      return memories.anyPath(random);
    } else if (type == String.class) {
      return STRINGS[random.nextInt(STRINGS.length)];
    } else if (type == Duration.class) {
      return DURATIONS[random.nextInt(DURATIONS.length)];
    } else if (type == Class.class) {
      return random.nextBoolean() ? MisuseKernels.class : Object.class;
    } else if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(random.nextInt(100));
    } else if (type == Driver.class) {
      return new VirtualDriver(VirtualConfig.parse("memory=1048576,pinned=67108864"));
    } else if (type == UnaryOperator.class) {
      return layer(random);
    } else if (type == Throwable.class) {
      return Planned.any(random);
    } else if (type == StackTraceElement.class) {
      return new StackTraceElement("A", "b", "A.java", 1);
    } else if (Number.class.isAssignableFrom(type) || type == Object.class) {
      return object(type, random);
    }
    return null;
  }

  /** What a program puts above a driver; only {@link dev.stretto.Device#openAll} takes one. */
  private static UnaryOperator<Driver> layer(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> UnaryOperator.identity();
      case 1 -> _ -> null;
      default ->
          _ -> {
            throw Planned.<RuntimeException>sneak(Planned.any(random));
          };
    };
  }

  private Object object(Class<?> type, Random random) {
    Object one =
        switch (random.nextInt(type == Number.class ? 3 : 7)) {
          case 0 -> (int) number(random);
          case 1 -> number(random);
          case 2 -> (float) number(random);
          case 3 -> "text";
          case 4 -> memories.any(random);
          default -> holdings.any(dev.stretto.memory.GlobalInts.class, random).orElse(null);
        };
    return type.isInstance(one) ? one : null;
  }

  private List<Object> list(Type generic, Random random) {
    Type element =
        generic instanceof ParameterizedType of ? of.getActualTypeArguments()[0] : Object.class;
    List<Object> list = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      list.add(of(erased(element), element, random));
    }
    return random.nextBoolean() ? list : Collections.unmodifiableList(list);
  }

  private static Class<?> erased(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType of -> erased(of.getRawType());
      case WildcardType wild -> erased(wild.getUpperBounds()[0]);
      default -> Object.class;
    };
  }

  private Object array(Class<?> component, Random random) {
    int[] lengths = {0, 1, 2, 3};
    int[] longer = {0, 1, 16, 100, 1000, 4096};
    int length =
        component.isPrimitive() && component != boolean.class
            ? longer[random.nextInt(longer.length)]
            : lengths[random.nextInt(lengths.length)];
    Object array = Array.newInstance(component, length);
    if (!component.isPrimitive() || length < 4) {
      for (int i = 0; i < length; i++) {
        Array.set(array, i, of(component, component, random));
      }
    }
    return array;
  }

  private static Object primitive(Class<?> type, Random random) {
    long number = number(random);
    if (type == int.class) {
      return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type == long.class) {
      return number;
    } else if (type == short.class) {
      return (short) number;
    } else if (type == byte.class) {
      return (byte) number;
    } else if (type == char.class) {
      return (char) number;
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == float.class) {
      return (float) DOUBLES[random.nextInt(DOUBLES.length)];
    }
    return DOUBLES[random.nextInt(DOUBLES.length)];
  }

  private static long number(Random random) {
    return random.nextInt(3) == 0 ? random.nextInt(300) : LONGS[random.nextInt(LONGS.length)];
  }

  /** {@return a device that works, if there is one} */
  Device device(Random random) {
    for (int i = 0; i < 8; i++) {
      Device device = (Device) holdings.any(Device.class, random).orElse(null);
      if (device != null && device.isOpen() && !device.isLost()) {
        return device;
      }
    }
    return null;
  }
}
