package dev.stretto.contract;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalFloats;
import java.util.Set;

/** Memory that is allocated and freed in the order of a stream, whose order is checked. */
class CheckedMemoryTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  /** Does something with an array that a stream has allocated. */
  private interface Use {
    void on(Stream stream, GlobalFloats array, Hands with);
  }

  private static void use(String name, Use use) {
    PROGRAMS.bad(
        name + " on another stream than the one that allocates it",
        with -> {
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          use.on(with.second, array, with);
        });
    PROGRAMS.bad(
        name + " on another stream that waited before the allocation",
        with -> {
          with.second.waitFor(with.first.record());
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          use.on(with.second, array, with);
        });
    PROGRAMS.good(
        name + " on the stream that allocates it",
        with -> {
          try (GlobalFloats array = with.first.allocateFloats(LENGTH)) {
            use.on(with.first, array, with);
          }
        });
    PROGRAMS.good(
        name + " on another stream that waits for the allocation",
        with -> {
          try (GlobalFloats array = with.first.allocateFloats(LENGTH)) {
            with.second.waitFor(with.first.record());
            use.on(with.second, array, with);
          }
        });
    PROGRAMS.good(
        name + " on another stream when the program knows of the allocation",
        with -> {
          try (GlobalFloats array = with.first.allocateFloats(LENGTH)) {
            with.first.await();
            use.on(with.second, array, with);
          }
        });
  }

  static {
    use("a fill of an array", (stream, array, with) -> stream.fill(array, 1));
    use("a copy into an array", (stream, array, with) -> stream.copy(with.host, array));
    use("a copy between arrays", (stream, array, with) -> stream.copy(with.b, array));
    use("a copy out of an array", (stream, array, with) -> stream.copy(array, with.other));
    PROGRAMS.good(
        "the memory of an array that was closed is another array's",
        with -> {
          for (int i = 0; i < 5; i++) {
            GlobalFloats array = with.first.allocateFloats(LENGTH);
            with.first.fill(array, i);
            with.second.waitFor(with.first.record());
            with.second.copy(array, with.b);
            array.close();
          }
        });
    PROGRAMS.good(
        "a stream that frees an array has waited for its last uses",
        with -> {
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          with.second.waitFor(with.first.record());
          with.second.copy(array, with.b);
          array.close();
          with.first.copy(with.b, with.other);
        });
    PROGRAMS.good(
        "so has another stream that frees it",
        with -> {
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          with.first.copy(array, with.b);
          with.third.free(array);
          with.third.copy(with.b, with.other);
        });
    PROGRAMS.bad(
        "a stream that frees an array has not waited for what came later",
        with -> {
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          with.second.waitFor(with.first.record());
          with.second.copy(array, with.b);
          array.close();
          with.second.fill(with.b, 1);
          with.first.copy(with.b, with.other);
        });
    PROGRAMS.bad(
        "a stream that does not free an array has waited for nothing",
        with -> {
          GlobalFloats array = with.first.allocateFloats(LENGTH);
          with.second.waitFor(with.first.record());
          with.second.copy(array, with.b);
          array.close();
          with.third.copy(with.b, with.other);
        });
  }

  CheckedMemoryTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
