package dev.stretto.timeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Writes what there is to tell of the operations of a page, a column for each property: a hundred
 * thousand operations are some megabytes then, and a browser reads them at once. A column is a list
 * of numbers, or one number that all have; the page takes one that is missing for zeros.
 */
final class PageColumns {
  private final List<Span> spans;
  private final JsonText json;

  PageColumns(List<Span> spans, JsonText json) {
    this.spans = spans;
    this.json = json;
  }

  /** Writes a column of numbers. */
  PageColumns numbers(String name, ToLongFunction<Span> of) {
    json.name(name);
    write(spans.stream().mapToLong(of).toArray());
    return this;
  }

  /** Writes a column of numbers that mostly grow, as the difference of each to the one before. */
  PageColumns steps(String name, ToLongFunction<Span> of) {
    long before = 0;
    json.name(name).beginArray();
    for (Span span : spans) {
      long number = of.applyAsLong(span);
      json.value(number - before);
      before = number;
    }
    json.endArray();
    return this;
  }

  /** Writes a column of texts, each of them once, unless all are empty. */
  PageColumns texts(String name, Function<Span, String> of) {
    Map<String, Integer> known = new LinkedHashMap<>();
    long[] indices =
        spans.stream()
            .mapToLong(span -> known.computeIfAbsent(of.apply(span), _ -> known.size()))
            .toArray();
    if (known.keySet().stream().allMatch(String::isEmpty)) {
      return this;
    }
    json.name(name).beginObject().name("list").beginArray();
    known.keySet().forEach(json::value);
    json.endArray().name("index");
    write(indices);
    json.endObject();
    return this;
  }

  private void write(long[] numbers) {
    boolean isSame = true;
    for (long number : numbers) {
      isSame &= number == numbers[0];
    }
    if (isSame) {
      json.value(numbers.length == 0 ? 0 : numbers[0]);
      return;
    }
    json.beginArray();
    for (long number : numbers) {
      json.value(number);
    }
    json.endArray();
  }
}
