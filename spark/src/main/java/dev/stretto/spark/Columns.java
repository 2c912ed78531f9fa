package dev.stretto.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Names and types of the columns that a stage reads or writes. Immutable: each method returns one
 * column more.
 *
 * <pre>{@code
 * Columns in = Columns.none().floats("price").vectors("embedding", 768);
 * }</pre>
 */
public final class Columns implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final Columns NONE = new Columns(List.of());

  /** In the order in which the program named them. */
  private final ArrayList<DeviceColumn> columns;

  private Columns(List<DeviceColumn> columns) {
    this.columns = new ArrayList<>(columns);
  }

  /** {@return no columns, to begin with} */
  public static Columns none() {
    return NONE;
  }

  /**
   * {@return these columns and one of ints}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is a column of this name
   */
  public Columns ints(String name) {
    return with(name, ColumnKind.INT, 0);
  }

  /**
   * {@return these columns and one of longs}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is a column of this name
   */
  public Columns longs(String name) {
    return with(name, ColumnKind.LONG, 0);
  }

  /**
   * {@return these columns and one of floats}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is a column of this name
   */
  public Columns floats(String name) {
    return with(name, ColumnKind.FLOAT, 0);
  }

  /**
   * {@return these columns and one of doubles}
   *
   * @param name of the column
   * @throws IllegalArgumentException if there is a column of this name
   */
  public Columns doubles(String name) {
    return with(name, ColumnKind.DOUBLE, 0);
  }

  /**
   * {@return these columns and one of vectors of floats, which are arrays in Spark}
   *
   * @param name of the column
   * @param length of each vector, 1 to 1,048,576; an array of another length fails the task that
   *     finds it
   * @throws IllegalArgumentException if there is a column of this name, or the length is not in
   *     that range
   */
  public Columns vectors(String name, int length) {
    if (length < 1 || length > 1 << 20) {
      throw new IllegalArgumentException(
          "vectors of %d floats: they may have 1 to 1048576".formatted(length));
    }
    return with(name, ColumnKind.FLOAT, length);
  }

  private Columns with(String name, ColumnKind kind, int length) {
    Objects.requireNonNull(name, "name");
    if (columns.stream().anyMatch(each -> each.name().equals(name))) {
      throw new IllegalArgumentException("there is a column '" + name + "' already");
    }
    List<DeviceColumn> more = new ArrayList<>(columns);
    more.add(new DeviceColumn(name, kind, length));
    return new Columns(more);
  }

  List<DeviceColumn> all() {
    return columns;
  }

  /** {@return how many bytes a row has in all columns} */
  int rowBytes() {
    return Math.toIntExact(columns.stream().mapToLong(DeviceColumn::rowBytes).sum());
  }

  /**
   * {@return how many bytes a row has in the columns that lie before one} Those of larger elements
   * come first, so each is aligned, whatever the number of rows.
   */
  int bytesBefore(DeviceColumn column) {
    return inPlaces().stream()
        .takeWhile(each -> !each.equals(column))
        .mapToInt(DeviceColumn::rowBytes)
        .sum();
  }

  /** {@return the columns in the order of their places} */
  List<DeviceColumn> inPlaces() {
    return columns.stream()
        .sorted(Comparator.comparingInt((DeviceColumn column) -> column.kind().bytes()).reversed())
        .toList();
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
