package dev.stretto.contract;

import dev.stretto.agent.Watching;
import java.lang.invoke.MethodHandles;
import java.util.Set;

/** What Java code does with the host ends of copies, seen as the agent sees it. */
class WatchedAccessesTest extends CheckedPrograms {
  static {
    Watching.load(MethodHandles.lookup(), "WatchedPrograms", "WatchedPrograms$Sorting");
  }

  WatchedAccessesTest() {
    super(WatchedPrograms.PROGRAMS);
  }

  @Override
  String written() {
    return WatchedPrograms.class.getName();
  }

  static Set<String> bad() {
    return WatchedPrograms.PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return WatchedPrograms.PROGRAMS.good.keySet();
  }
}
