package dev.stretto.schedule;

import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.Choices;
import dev.stretto.driver.virtual.OpName;
import java.util.ArrayList;
import java.util.List;

/** Draws a trace: a column for each stream, and a line for each turn. */
final class Picture {
  private static final int WIDEST = 40;

  private Picture() {}

  /**
   * Draws it.
   *
   * @param marked operations that get lines of their own
   */
  static String of(List<Choice> choices, List<OpName> marked) {
    List<List<Choice>> turns = turns(choices, marked);
    for (OpName each : marked) {
      if (choices.stream().noneMatch(choice -> choice.op().equals(each))) {
        turns.add(List.of(new Choice(each, null)));
      }
    }
    List<String> streams = turns.stream().map(Picture::stream).distinct().toList();
    List<String> cells = turns.stream().map(turn -> cell(turn, choices, marked)).toList();
    int[] widths = widths(streams, turns, cells);
    StringBuilder picture = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      picture.append(padded(streams.get(column), widths[column]));
    }
    picture.append('\n');
    for (int i = 0; i < cells.size(); i++) {
      int turn = streams.indexOf(stream(turns.get(i)));
      for (int column = 0; column < widths.length; column++) {
        picture.append(padded(column == turn ? cells.get(i) : "|", widths[column]));
      }
      picture.append('\n');
    }
    return picture.toString().replaceAll(" +\n", "\n");
  }

  private static int[] widths(List<String> streams, List<List<Choice>> turns, List<String> cells) {
    int[] widths = streams.stream().mapToInt(stream -> stream.length() + 2).toArray();
    for (int i = 0; i < cells.size(); i++) {
      int column = streams.indexOf(stream(turns.get(i)));
      int width = Math.min(WIDEST, cells.get(i).length() + 2);
      widths[column] = Math.max(widths[column], width);
    }
    return widths;
  }

  private static String stream(List<Choice> turn) {
    return turn.getFirst().op().stream();
  }

  private static List<List<Choice>> turns(List<Choice> choices, List<OpName> marked) {
    List<List<Choice>> turns = new ArrayList<>();
    for (Choice choice : choices) {
      if (turns.isEmpty() || !continues(turns.getLast().getFirst(), choice, marked)) {
        turns.add(new ArrayList<>());
      }
      turns.getLast().add(choice);
    }
    return turns;
  }

  private static boolean continues(Choice first, Choice next, List<OpName> marked) {
    boolean isMarked = marked.contains(first.op()) || marked.contains(next.op());
    return isMarked ? first.op().equals(next.op()) : first.op().stream().equals(next.op().stream());
  }

  private static String cell(List<Choice> turn, List<Choice> happened, List<OpName> marked) {
    String cell = Choices.print(turn).replace(stream(turn) + ".", "");
    boolean isMarked = marked.contains(turn.getFirst().op());
    return (isMarked ? "> " : "")
        + cell
        + (happened.contains(turn.getFirst()) ? "" : ", which has not happened");
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
