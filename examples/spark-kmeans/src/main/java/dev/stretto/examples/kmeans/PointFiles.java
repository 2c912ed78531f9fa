package dev.stretto.examples.kmeans;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of points, which are numbered through.
 *
 * @param width the coordinates of a point
 * @param files in their order
 */
public record PointFiles(int width, List<PointFile> files) implements Serializable {
  /**
   * @throws IllegalArgumentException if a file ends within a point, or there are no points
   */
  public PointFiles {
    Centres.requireSizes(width, 1);
    files = List.copyOf(files);
    for (PointFile file : files) {
      if (file.bytes() % (4L * width) != 0) {
        throw new IllegalArgumentException(
            "%s has %d bytes, which are no whole points of %d floats"
                .formatted(file.name(), file.bytes(), width));
      }
    }
    if (files.stream().mapToLong(PointFile::bytes).sum() == 0) {
      throw new IllegalArgumentException("there are no points in " + files.size() + " files");
    }
  }

  /**
   * {@return files of this machine}
   *
   * @param width the coordinates of a point
   * @param names of files
   * @throws IllegalArgumentException if one does not exist, ends within a point, or there are none
   */
  public static PointFiles local(int width, List<String> names) {
    List<PointFile> files = new ArrayList<>();
    for (String name : names) {
      try {
        files.add(new PointFile(name, Files.size(Path.of(name))));
      } catch (NoSuchFileException e) {
        throw new IllegalArgumentException(name + " does not exist", e);
      } catch (IOException e) {
        throw new UncheckedIOException(name + " cannot be read", e);
      }
    }
    return new PointFiles(width, files);
  }

  /** {@return how many points there are} */
  public long points() {
    return bytes() / pointBytes();
  }

  /** {@return how many bytes there are} */
  public long bytes() {
    return files.stream().mapToLong(PointFile::bytes).sum();
  }

  /** {@return the bytes of a point} */
  public int pointBytes() {
    return Float.BYTES * width;
  }

  /**
   * {@return the points of one of several processes: as many as the others have, or one less}
   *
   * @param rank its number, from 0 on
   * @param size how many processes there are
   */
  public List<PointPart> share(int rank, int size) {
    return between(begin(rank, size), begin(rank + 1, size));
  }

  private long begin(int rank, int size) {
    long each = points() / size;
    return each * rank + Math.min(rank, points() % size);
  }

  /** {@return the points from a number to another one} */
  private List<PointPart> between(long from, long to) {
    List<PointPart> parts = new ArrayList<>();
    long begin = 0;
    for (PointFile file : files) {
      long end = begin + file.bytes() / pointBytes();
      long first = Math.max(from, begin);
      long last = Math.min(to, end);
      if (first < last) {
        parts.add(
            new PointPart(
                file.name(), (first - begin) * pointBytes(), (last - first) * pointBytes(), first));
      }
      begin = end;
    }
    return parts;
  }

  /**
   * {@return so many points at the same distance from each other, to begin with}
   *
   * @param count how many
   * @throws IllegalArgumentException if there are fewer points
   */
  public List<PointPart> spread(int count) {
    Centres.requireSizes(width, count);
    if (points() < count) {
      throw new IllegalArgumentException(
          "%d centres of %d points: there must be as many points".formatted(count, points()));
    }
    List<PointPart> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = points() / count * i + points() % count * i / count;
      parts.addAll(between(number, number + 1));
    }
    return parts;
  }

  /** {@return where a point is, in words} */
  public String place(long point) {
    PointPart part = between(point, point + 1).getFirst();
    return "record %d of %s".formatted(part.position() / pointBytes(), part.name());
  }
}
