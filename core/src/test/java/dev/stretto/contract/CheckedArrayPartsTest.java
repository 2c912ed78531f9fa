package dev.stretto.contract;

import java.util.Set;

/** Copies of parts of arrays: only the elements of the part are accesses. */
class CheckedArrayPartsTest extends CheckedPrograms {
  private static final Programs PROGRAMS = new Programs();

  static {
    PROGRAMS.good(
        "two parts of one array out from two streams",
        with -> {
          with.first.copy(with.a.slice(0, 32), with.host, 0, 32);
          with.second.copy(with.b.slice(0, 32), with.host, 32, 32);
        });
    PROGRAMS.bad(
        "two parts of one array out from two streams, which share an element",
        with -> {
          with.first.copy(with.a.slice(0, 32), with.host, 0, 32);
          with.second.copy(with.b.slice(0, 32), with.host, 31, 32);
        });
    PROGRAMS.good(
        "a part in, while another one is written",
        with -> {
          with.first.copy(with.host, 32, 32, with.a.slice(0, 32));
          with.second.copy(with.b.slice(0, 32), with.host, 0, 32);
        });
    PROGRAMS.bad(
        "a part in, of which one element is written",
        with -> {
          with.first.copy(with.host, 32, 32, with.a.slice(0, 32));
          with.second.copy(with.b.slice(0, 32), with.host, 1, 32);
        });
    PROGRAMS.bad(
        "two parts to the same array of the device",
        with -> {
          with.first.copy(with.host, 0, 32, with.a.slice(0, 32));
          with.second.copy(with.host, 32, 32, with.a.slice(31, 32));
        });
    PROGRAMS.good(
        "a part out behind the stream that reads it",
        with -> {
          with.first.copy(with.host, 5, 32, with.a.slice(0, 32));
          with.second.waitFor(with.first.record());
          with.second.copy(with.b.slice(0, 32), with.host, 5, 32);
        });
    PROGRAMS.good(
        "the program writes a part after the copy was awaited",
        with -> {
          with.first.copy(with.host, 5, 32, with.a.slice(0, 32)).await();
          with.host[5] = 7;
        });
    PROGRAMS.good(
        "a part in as halfs, while another one is written",
        with -> {
          with.first.copy(with.host, 32, 32, with.device.allocateHalfs(32));
          with.second.copy(with.b.slice(0, 32), with.host, 0, 32);
        });
    PROGRAMS.bad(
        "a part in as bfloats, of which one element is written",
        with -> {
          with.first.copy(with.host, 32, 32, with.device.allocateBfloats(32));
          with.second.copy(with.b.slice(0, 32), with.host, 1, 32);
        });
    PROGRAMS.bad(
        "halfs out to a part that another stream reads",
        with -> {
          with.first.copy(with.host, 0, 32, with.a.slice(0, 32));
          with.second.copy(with.device.allocateHalfs(8), with.host, 24, 8);
        });
  }

  CheckedArrayPartsTest() {
    super(PROGRAMS);
  }

  static Set<String> bad() {
    return PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return PROGRAMS.good.keySet();
  }
}
