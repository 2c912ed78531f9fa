package dev.stretto.contract;

/** Accesses of programs to the host ends of copies. */
final class WatchedPrograms {
  static final CheckedPrograms.Programs PROGRAMS = new CheckedPrograms.Programs();

  static {
    PROGRAMS.bad(
        "an element of what a copy still fills",
        with -> {
          with.first.copy(with.a, with.host);
          float _ = with.host[3];
        });
    PROGRAMS.good(
        "the same behind a wait",
        with -> {
          with.first.copy(with.a, with.host).await();
          float _ = with.host[3];
        });
  }

  private WatchedPrograms() {}
}
