package dev.stretto.kernels;

import dev.stretto.Device;
import java.util.stream.Stream;

/** The devices that tests run on: virtual ones that check the order, and a GPU if there is one. */
public final class Devices {
  private static final int SEEDS = Integer.getInteger("stretto.seeds", 2);

  private Devices() {}

  /** {@return names for {@link Device#open(String)}} */
  public static Stream<String> names() {
    Stream<String> seeded =
        Stream.iterate(1, seed -> seed + 1)
            .limit(SEEDS)
            .map(seed -> "virtual:h200,order=checked,seed=" + seed);
    return Stream.of(Stream.of("virtual:h200,order=checked"), seeded, gpus()).flatMap(it -> it);
  }

  /** {@return the same with one seed, for kernels that take long on a virtual device} */
  public static Stream<String> few() {
    return names().filter(name -> !name.contains("seed=") || name.endsWith("seed=1"));
  }

  /** {@return the same without seeds, unless the build is thorough} */
  public static Stream<String> one() {
    boolean thorough = Boolean.getBoolean("stretto.thorough");
    return names().filter(name -> thorough || !name.contains("seed="));
  }

  private static Stream<String> gpus() {
    return Device.all().stream()
        .filter(device -> !device.driver().equals("virtual"))
        .limit(1)
        .map(_ -> "cuda:0");
  }
}
