package dev.stretto.contract;

import dev.stretto.agent.Watching;
import java.lang.invoke.MethodHandles;
import java.util.Set;

/** Waits, right and wrong ones, before Java code touches the host end of an operation. */
class WatchedEdgesTest extends CheckedPrograms {
  static {
    Watching.load(MethodHandles.lookup(), "WatchedEdges");
  }

  WatchedEdgesTest() {
    super(WatchedEdges.PROGRAMS);
  }

  @Override
  String written() {
    return WatchedEdges.class.getName();
  }

  static Set<String> bad() {
    return WatchedEdges.PROGRAMS.bad.keySet();
  }

  static Set<String> good() {
    return WatchedEdges.PROGRAMS.good.keySet();
  }
}
