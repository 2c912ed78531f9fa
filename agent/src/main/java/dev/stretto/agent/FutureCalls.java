package dev.stretto.agent;

import static dev.stretto.agent.HandingCalls.before;
import static dev.stretto.agent.HandingCalls.behind;
import static dev.stretto.agent.HandingCalls.hooks;

import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The methods of results that come later. */
final class FutureCalls {
  private FutureCalls() {}

  /**
   * {@return what a call hands over}
   *
   * @param tasks the places of its tasks
   */
  static Handing of(Call call, Map<Integer, String> tasks) {
    if (HandingCalls.isConstructor(call)) {
      return new Handing(List.of(), tasks);
    }
    return switch (call.name()) {
      case "complete",
          "completeExceptionally",
          "obtrudeValue",
          "obtrudeException",
          "cancel",
          "run" ->
          hooks(before("completes", 0));
      case "completedFuture", "failedFuture", "completedStage", "failedStage" ->
          hooks(Hook.ofThreads("madeComplete", Hook.When.WITH_RESULT));
      default -> makesFuture(call) ? made(call, tasks) : taken(call);
    };
  }

  private static boolean makesFuture(Call call) {
    String result = Supertypes.nameOf(call.type().returnType());
    return result.endsWith("CompletableFuture") || result.endsWith("CompletionStage");
  }

  private static Handing taken(Call call) {
    return call.isStatic() ? hooks(behind("called")) : hooks(behind("takesResult", 0));
  }

  /** A result of tasks comes when they are done; one without tasks when the others have come. */
  private static Handing made(Call call, Map<Integer, String> tasks) {
    List<Integer> futures = new ArrayList<>();
    if (!call.isStatic()) {
      futures.add(0);
    }
    for (int i = 0; i < call.type().parameterCount(); i++) {
      ClassDesc type = call.type().parameterType(i);
      ClassDesc each = type.isArray() ? type.componentType() : type;
      String name = Supertypes.nameOf(each);
      if (name.endsWith("CompletableFuture") || name.endsWith("CompletionStage")) {
        futures.add(i + call.firstParameter());
      }
    }
    List<Hook> all = new ArrayList<>();
    for (int task : tasks.keySet()) {
      for (int future : futures) {
        all.add(before("comesBehind", task, future));
      }
    }
    for (int from : tasks.isEmpty() ? futures : tasks.keySet()) {
      all.add(Hook.ofThreads("made", Hook.When.WITH_RESULT, from));
    }
    return new Handing(all, tasks);
  }
}
