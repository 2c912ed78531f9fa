package dev.stretto.misuse;

import dev.stretto.Device;
import dev.stretto.IpcEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Every public method and constructor of the packages that the module exports. */
final class PublicCalls {
  /** As {@code module-info.java} has them, and how often a call is drawn from each. */
  private enum Room {
    STRETTO("dev.stretto", 10),
    COLLECTIVE("dev.stretto.collective", 10),
    DIAGNOSIS("dev.stretto.diagnosis", 3),
    DRIVER("dev.stretto.driver", 1),
    FAULT("dev.stretto.fault", 1),
    FLOW("dev.stretto.flow", 6),
    KERNEL("dev.stretto.kernel", 1),
    MEMORY("dev.stretto.memory", 4),
    TIMELINE("dev.stretto.timeline", 6);

    private final String name;
    private final int weight;

    Room(String name, int weight) {
      this.name = name;
      this.weight = weight;
    }
  }

  /**
   * What is not called, and why: the contract of drivers has raw addresses whose ranges are checked
   * above it; {@code whileNonZero} with a condition that stays as it is, and {@code waitValue} for
   * a number that nobody writes, never end, on a GPU neither; {@code awaitPeers} waits for other
   * ranks, as its name says; how long a read or write takes is up to what the source or sink is
   * made of.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "dev.stretto.collective.Communicator.awaitPeers",
          "dev.stretto.driver.Driver",
          "dev.stretto.driver.DriverDevice",
          "dev.stretto.driver.Cooperation",
          "dev.stretto.driver.CopyList",
          "dev.stretto.driver.GraphPlan",
          "dev.stretto.driver.GraphWork",
          "dev.stretto.driver.HostClock",
          "dev.stretto.driver.HostBytes",
          "dev.stretto.driver.KernelTwin",
          "dev.stretto.driver.TensorLayout",
          "dev.stretto.flow.Sink.write",
          "dev.stretto.flow.Source.read",
          "dev.stretto.GraphBuilder.waitValue",
          "dev.stretto.GraphBuilder.whileNonZero",
          "dev.stretto.Stream.waitValue");

  /** A wait for a recording that nobody may ever make. */
  private static final List<Class<?>> WAITS_FOR_A_NUMBER = List.of(IpcEvent.class, long.class);

  /** Of the package of kernels, what the host calls. The rest is what kernels say. */
  private static final Set<String> HOST_SIDE =
      Set.of("CallShape", "DeviceKernel", "KernelImage", "KernelReference", "Parameter");

  private record OfClass(List<Executable> calls, int weight) {}

  private final List<OfClass> classes = new ArrayList<>();
  private final int weights;

  PublicCalls() {
    int sum = 0;
    for (Room room : Room.values()) {
      for (Class<?> type : publicClasses(room.name)) {
        List<Executable> calls = calls(type);
        if (!calls.isEmpty()) {
          int weight =
              room.weight * Math.min(calls.size(), type.isRecord() || type.isEnum() ? 2 : 40);
          classes.add(new OfClass(calls, weight));
          sum += weight;
        }
      }
    }
    weights = sum;
  }

  /** {@return how many there are} */
  int count() {
    return classes.stream().mapToInt(c -> c.calls.size()).sum();
  }

  /** {@return one of them} */
  Executable any(Random random) {
    int at = random.nextInt(weights);
    for (OfClass one : classes) {
      at -= one.weight;
      if (at < 0) {
        return one.calls.get(random.nextInt(one.calls.size()));
      }
    }
    throw new AssertionError(weights);
  }

  private static List<Executable> calls(Class<?> type) {
    List<Executable> calls = new ArrayList<>(List.of(type.getConstructors()));
    for (Method method : type.getMethods()) {
      if (method.getDeclaringClass().getName().startsWith("dev.stretto")
          && !method.isBridge()
          && !LEFT_OUT.contains(type.getName() + "." + method.getName())
          && !List.of(method.getParameterTypes()).equals(WAITS_FOR_A_NUMBER)) {
        calls.add(method);
      }
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      calls.removeIf(call -> !(call instanceof Method));
    }
    calls.sort(Comparator.comparing(Executable::toGenericString));
    AccessibleObject.setAccessible(calls.toArray(AccessibleObject[]::new), true);
    return calls;
  }

  private static List<Class<?>> publicClasses(String room) {
    try {
      Path place =
          Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(place)) {
        return publicClasses(room, place.resolve(room.replace('.', '/')));
      }
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        return publicClasses(room, jar.getPath("/" + room.replace('.', '/')));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Class<?>> publicClasses(String room, Path folder) throws IOException {
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          Class<?> type = load(room + "." + name.substring(0, name.length() - 6));
          if (isPublic(type) && !isLeftOut(type)) {
            classes.add(type);
          }
        }
      }
    }
    return classes;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Device.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isLeftOut(Class<?> type) {
    String outermost = type.getName().replaceFirst("[$].*", "");
    return LEFT_OUT.contains(outermost)
        || (outermost.startsWith(Room.KERNEL.name + ".")
            && !HOST_SIDE.contains(outermost.substring(Room.KERNEL.name.length() + 1)));
  }

  private static boolean isPublic(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (!Modifier.isPublic(at.getModifiers()) || at.isAnonymousClass() || at.isLocalClass()) {
        return false;
      }
    }
    return true;
  }
}
