package dev.stretto.compiler.reach;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a place that accesses memory into the bytes that all threads together access there. */
final class Spread {
  /** Equally many bytes, at equal distances. */
  private record Step(long distance, long count) {}

  private final Touch touch;
  private final Circumstances known;

  private Spread(Touch touch, Circumstances known) {
    this.touch = touch;
    this.known = known;
  }

  /** {@return the bytes; null if no thread comes there} */
  static @Nullable Reached of(Touch touch, List<Node> nodes, Numbers numbers) {
    if (touch.offset() < 0) {
      return Reached.all(touch.argument(), touch.kind());
    }
    Circumstances known = new Circumstances(nodes, numbers);
    try {
      for (Guard guard : touch.guards()) {
        known.add(guard);
        if (known.mayWrap()) {
          return Reached.all(touch.argument(), touch.kind());
        }
        if (known.isImpossible()) {
          return null;
        }
      }
      return new Spread(touch, known).reached();
    } catch (ArithmeticException _) {
      return Reached.all(touch.argument(), touch.kind());
    }
  }

  private @Nullable Reached reached() {
    Form at = known.of(touch.offset());
    long bytes = known.limits(known.of(touch.bytes())).most();
    if (bytes <= 0) {
      return null;
    }
    List<Circumstances.Limited> limited = new ArrayList<>(known.limited());
    limited.sort(Comparator.comparingInt(it -> it.sum().size()));
    for (int i = 0; i < limited.size(); i++) {
      Form sum = limited.get(i).sum();
      Form instead = instead(sum, limited.get(i).limits());
      if (instead != null) {
        at = replaced(at, sum, instead);
        for (int j = i + 1; j < limited.size(); j++) {
          Circumstances.Limited later = limited.get(j);
          Form other = replaced(later.sum(), sum, instead);
          limited.set(j, new Circumstances.Limited(other, later.limits()));
        }
      }
    }
    Limits all = known.limits(at);
    if (known.mayWrap() || (all.most() < 0 && !all.isFinite())) {
      return Reached.all(touch.argument(), touch.kind());
    }
    long first = Math.max(0, all.least());
    if (!all.isFinite() || bytes >= Limits.INFINITE) {
      return Reached.rows(
          touch.argument(),
          touch.kind(),
          first,
          all.most() >= Limits.INFINITE || bytes >= Limits.INFINITE
              ? Long.MAX_VALUE
              : all.most() + bytes - first);
    }
    if (all.most() < 0) {
      return null;
    }
    Reached rows = rows(all.least(), bytes, steps(at));
    if (rows.offset() >= 0) {
      return rows;
    }
    return Reached.rows(touch.argument(), touch.kind(), 0, rows.end());
  }

  /** A variable in place of a sum that has limits; null if the sum has gaps. */
  private @Nullable Form instead(Form sum, Limits of) {
    Limits its = known.limits(sum).and(of);
    if (sum.isConstant() || its.isEmpty() || !its.isFinite() || !areFinite(sum)) {
      return null;
    }
    List<Step> steps = steps(sum);
    if (steps.size() > 1) {
      return null;
    }
    long distance = steps.isEmpty() ? 1 : steps.getFirst().distance();
    long origin = origin(sum);
    long least = origin + Math.ceilDiv(its.least() - origin, distance) * distance;
    long most = origin + Math.floorDiv(its.most() - origin, distance) * distance;
    int variable = known.variable(new Limits(0, (most - least) / distance));
    return Form.of(least).plus(Form.variable(variable), distance);
  }

  private boolean areFinite(Form sum) {
    for (int variable : sum.variables()) {
      if (!known.limitsOf(variable).isFinite()) {
        return false;
      }
    }
    return true;
  }

  /** The form with a sum replaced, if the sum's variables are in it only as part of the sum. */
  private static Form replaced(Form form, Form sum, Form instead) {
    long factor = form.factor(sum.variables()[0]);
    if (factor == 0 || factor % sum.factors()[0] != 0) {
      return form;
    }
    long times = factor / sum.factors()[0];
    for (int i = 1; i < sum.size(); i++) {
      if (form.factor(sum.variables()[i]) != times * sum.factors()[i]) {
        return form;
      }
    }
    return form.plus(sum, -times).plus(instead, times);
  }

  /** The sum where each variable is at the end that makes it least. */
  private long origin(Form sum) {
    long origin = sum.constant();
    for (int i = 0; i < sum.size(); i++) {
      Limits its = known.limitsOf(sum.variables()[i]);
      long factor = sum.factors()[i];
      origin =
          Math.addExact(origin, Math.multiplyExact(factor, factor > 0 ? its.least() : its.most()));
    }
    return origin;
  }

  /** The distances in a sum, ascending, as few as possible. */
  private List<Step> steps(Form sum) {
    Step[] steps = new Step[sum.size()];
    int count = 0;
    for (int i = 0; i < sum.size(); i++) {
      Limits its = known.limitsOf(sum.variables()[i]);
      long many = its.isFinite() ? its.most() - its.least() + 1 : Limits.INFINITE;
      if (many > 1) {
        steps[count++] = new Step(Math.abs(sum.factors()[i]), many);
      }
    }
    Arrays.sort(steps, 0, count, (a, b) -> Long.compare(a.distance, b.distance));
    int merged = 0;
    for (int i = 0; i < count; i++) {
      Step last = merged == 0 ? null : steps[merged - 1];
      if (last != null
          && steps[i].distance % last.distance == 0
          && steps[i].distance / last.distance <= last.count) {
        long further = Math.multiplyExact(steps[i].distance / last.distance, steps[i].count - 1);
        steps[merged - 1] = new Step(last.distance, Math.addExact(last.count, further));
      } else {
        steps[merged++] = steps[i];
      }
    }
    return List.of(Arrays.copyOf(steps, merged));
  }

  private Reached rows(long offset, long bytes, List<Step> steps) {
    long width = bytes;
    int next = 0;
    // What is closer than it is wide has no gaps; of more than two distances, the smallest are
    // taken as if they had none.
    while (next < steps.size() && (steps.get(next).distance <= width || steps.size() - next > 2)) {
      width += steps.get(next).distance * (steps.get(next).count - 1);
      next++;
    }
    if (next == steps.size()) {
      return Reached.rows(touch.argument(), touch.kind(), offset, width);
    }
    Step rows = steps.get(next);
    long span = rows.distance * (rows.count - 1) + width;
    if (next + 1 == steps.size()) {
      return new Reached(
          touch.argument(), touch.kind(), offset, width, rows.distance, rows.count, 0, 1);
    }
    Step planes = steps.get(next + 1);
    return planes.distance >= span
        ? new Reached(
            touch.argument(),
            touch.kind(),
            offset,
            width,
            rows.distance,
            rows.count,
            planes.distance,
            planes.count)
        : Reached.rows(
            touch.argument(), touch.kind(), offset, span + planes.distance * (planes.count - 1));
  }
}
