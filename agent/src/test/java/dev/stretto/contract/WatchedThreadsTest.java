package dev.stretto.contract;

import dev.stretto.agent.Watching;
import java.lang.invoke.MethodHandles;
import java.util.Set;

/** What one thread hands over to another one, and what it does not. */
class WatchedThreadsTest extends CheckedPrograms {
  static {
    Watching.load(
        MethodHandles.lookup(),
        "WatchedThreads$Guarded",
        "WatchedThreads$Filling",
        "WatchedThreads$1",
        "WatchedThreads$2",
        "WatchedThreads$3",
        "WatchedThreads$4",
        "WatchedThreads$5",
        "WatchedThreads$6",
        "WatchedThreads"); // the last, since the JVM loads the others to verify it
  }

  WatchedThreadsTest() {
    super(WatchedThreads.PROGRAMS);
  }

  @Override
  String written() {
    return WatchedThreads.class.getName();
  }

  static Set<String> bad() {
    return WatchedThreads.PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return WatchedThreads.PROGRAMS.good.keySet();
  }
}
