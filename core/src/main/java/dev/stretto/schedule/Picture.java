package dev.stretto.schedule;

import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.Choices;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Draws a trace: a column for each stream, and a line for each turn. */
final class Picture {
  private static final int WIDEST = 32;

  private Picture() {}

  static String of(List<Choice> choices) {
    List<String> streams =
        new ArrayList<>(
            new LinkedHashSet<>(choices.stream().map(choice -> choice.op().stream()).toList()));
    List<List<Choice>> turns = turns(choices);
    int width =
        Math.min(
            WIDEST,
            1
                + Math.max(
                    streams.stream().mapToInt(String::length).max().orElse(0),
                    turns.stream().mapToInt(turn -> cell(turn).length()).max().orElse(0)));
    StringBuilder picture = new StringBuilder();
    streams.forEach(stream -> picture.append(padded(stream, width)));
    picture.append('\n');
    for (List<Choice> turn : turns) {
      int column = streams.indexOf(turn.getFirst().op().stream());
      picture.append((padded("|", width)).repeat(column));
      picture.append(padded(cell(turn), width));
      picture.append(padded("|", width).repeat(streams.size() - column - 1));
      picture.append('\n');
    }
    return picture.toString().replaceAll(" +\n", "\n");
  }

  private static List<List<Choice>> turns(List<Choice> choices) {
    List<List<Choice>> turns = new ArrayList<>();
    for (Choice choice : choices) {
      if (turns.isEmpty()
          || !turns.getLast().getFirst().op().stream().equals(choice.op().stream())) {
        turns.add(new ArrayList<>());
      }
      turns.getLast().add(choice);
    }
    return turns;
  }

  private static String cell(List<Choice> turn) {
    String stream = turn.getFirst().op().stream() + ".";
    return Choices.print(turn).replace(stream, "");
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
