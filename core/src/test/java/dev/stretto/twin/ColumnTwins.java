package dev.stretto.twin;

import static dev.stretto.twin.Scene.outcome;

import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;
import dev.stretto.memory.TensorMap.Element;
import dev.stretto.memory.TensorMap.Fill;
import dev.stretto.memory.TensorMap.Swizzle;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Columns of pixels, by which a convolution reads its input: which pixels a copy visits in images
 * of one to three dimensions, what lies outside, swizzles, columns that are written and added, and
 * maps at their limits: {@code semantics/columns.cuh}.
 */
final class ColumnTwins {
  private ColumnTwins() {}

  static List<Twin> twins() {
    return List.of(
        Twin.of("im2col-of-images-of-one-dimension", ColumnTwins::lines).onHopper(),
        Twin.of("im2col-of-images-of-two-dimensions", ColumnTwins::pictures).onHopper(),
        Twin.of("im2col-of-images-of-three-dimensions", ColumnTwins::volumes).onHopper(),
        Twin.of("im2col-that-begins-between-steps", ColumnTwins::offTheStep).onHopper(),
        Twin.of("im2col-swizzled", ColumnTwins::swizzled).onHopper(),
        Twin.of("im2col-filled-with-nan", ColumnTwins::nan).onHopper(),
        Twin.of("im2col-written", ColumnTwins::written).onHopper(),
        Twin.of("im2col-added", ColumnTwins::added).onHopper(),
        Twin.of("im2col-for-all-of-a-cluster", ColumnTwins::forCluster).onHopper(),
        Twin.of("im2col-maps-at-their-limits", ColumnTwins::limits).onHopper());
  }

  /** A batch of images, channels innermost, and a column of it. */
  private static final class Columns {
    long[] extents;
    int[] lower;
    int[] upper;
    int channels = 4;
    int pixels = 16;
    int[] steps = {};
    Swizzle swizzle = Swizzle.NONE;
    Element element = Element.INT32;
    Fill fill = Fill.ZERO;

    Columns(int[] lower, int[] upper, long... extents) {
      this.extents = extents;
      this.lower = lower;
      this.upper = upper;
    }

    int elements() {
      return (int) Arrays.stream(extents).reduce(1, (a, b) -> a * b);
    }

    TensorMap map(GlobalInts tensor) {
      return TensorMap.of(tensor)
          .element(element)
          .shape(extents)
          .im2col(channels, pixels)
          .lowerCorner(lower)
          .upperCorner(upper)
          .steps(steps)
          .swizzle(swizzle)
          .fill(fill)
          .build();
    }
  }

  /** A place in images of one dimension. */
  private static int[] at(int c, int w, int n, int ow) {
    return new int[] {c, w, 0, 0, n, ow, 0, 0};
  }

  private static int[] at(int c, int w, int h, int n, int ow, int oh) {
    return new int[] {c, w, h, 0, n, ow, oh, 0};
  }

  private static int[] at(int... all) {
    return all;
  }

  private static Columns line(int lower, int upper, int step) {
    Columns of = new Columns(new int[] {lower}, new int[] {upper}, 8, 9, 3);
    of.steps = new int[] {1, step, 1};
    return of;
  }

  private static Columns line(int lower, int upper) {
    return line(lower, upper, 1);
  }

  private static int[] corner(int... places) {
    return places;
  }

  private static Columns picture(int[] lower, int[] upper, int across, int down) {
    Columns of = new Columns(lower, upper, 8, 5, 4, 2);
    of.steps = new int[] {1, across, down, 1};
    of.pixels = 24;
    return of;
  }

  private static Columns picture(int[] lower, int[] upper) {
    return picture(lower, upper, 1, 1);
  }

  // --- columns that are read
  // -------------------------------------------------------------------------------------------

  /** The number of a pixel: a point outside, n for NaN, with an unexpected channel. */
  private static String pixelOf(int value, int channel) {
    if (value == 0) {
      return ".";
    }
    if (value == 0x7ff77ff7) {
      return "n";
    }
    String text = "" + (value - 1) / 1000;
    int found = (value - 1) % 1000;
    return found == channel ? text : text + ":" + found;
  }

  /** Prints the pixels that arrive, by their first channel, and the hash of all. */
  private static void say(Scene scene, String key, Columns of, int[] at) {
    Stream stream = scene.stream();
    GlobalInts tensor = scene.ints(of.elements());
    GlobalInts out = scene.ints(1024);
    GlobalInts place = scene.ints(8);
    stream.copy(at, place);
    stream.copy(values(of), tensor);
    TensorMap map = of.map(tensor);
    int ints = map.sharedBytes() / 4;
    stream.launch(
        Scene.ONE,
        ColumnTwinKernels::read,
        map,
        out,
        place,
        map.dimensions(),
        ints,
        map.boxBytes());
    stream.await();
    int[] found = Scene.read(out);
    int[] all = new int[of.pixels * of.channels];
    StringBuilder text = new StringBuilder();
    for (int pixel = 0; pixel < of.pixels; pixel++) {
      for (int c = 0; c < of.channels; c++) {
        int from = map.swizzle().place(pixel * map.rowPitch() + 4 * c) / 4;
        all[pixel * of.channels + c] = found[from];
      }
      text.append(pixel == 0 ? "" : " ").append(pixelOf(all[pixel * of.channels], at[0]));
    }
    scene.say(key, text);
    scene.say(key + "-all", Arrays.hashCode(all));
  }

  private static int[] values(Columns of) {
    int channels = (int) of.extents[0];
    return IntStream.range(0, of.elements())
        .map(i -> i / channels * 1000 + i % channels + 1)
        .toArray();
  }

  private static void lines(Scene scene) {
    say(scene, "plain", line(0, 0), at(0, 0, 0, 0));
    say(scene, "from-within", line(0, 0), at(0, 5, 1, 0));
    say(scene, "padded-in-front", line(-1, -1), at(0, -1, 0, 0));
    say(scene, "padded-on-both-sides", line(-2, 2), at(0, -2, 0, 0));
    say(scene, "padded-from-behind", line(-2, 2), at(0, 10, 0, 0));
    say(scene, "inner", line(1, -3), at(0, 2, 0, 0));
    say(scene, "all-in-front", line(-12, -10), at(0, -12, 0, 0));
    say(scene, "one-pixel-wide", line(4, -4), at(0, 4, 0, 0));
    say(scene, "offset-1", line(-1, -1), at(0, -1, 0, 1));
    say(scene, "offset-2", line(-1, -1), at(0, 3, 1, 2));
    say(scene, "offset-9", line(-1, -1), at(0, -1, 0, 9));
    say(scene, "offset-300", line(-1, -1), at(0, -1, 0, 300));
    say(scene, "offset-65535", line(-1, -1), at(0, -1, 0, 65535));
    say(scene, "step-2", line(-1, -1, 2), at(0, -1, 0, 0));
    say(scene, "step-2-that-ends-early", line(-1, 0, 2), at(0, -1, 0, 1));
    say(scene, "step-3-from-within", line(-1, 1, 3), at(0, 5, 0, 1));
    say(scene, "step-8", line(0, 0, 8), at(0, 8, 0, 0));
    say(scene, "over-the-last-image", line(0, 0), at(0, 3, 2, 0));
    say(scene, "behind-the-last-image", line(0, 0), at(0, 3, 3, 0));
    say(scene, "before-the-first-image", line(0, 0), at(0, 3, -1, 0));
    say(scene, "channel-4", line(0, 0), at(4, 0, 0, 0));
    say(scene, "channel-8-outside", line(0, 0), at(8, 0, 0, 0));
    say(scene, "channel-4-in-front", line(0, 0), at(-4, 0, 0, 0));
  }

  private static void pictures(Scene scene) {
    int[] zero = corner(0, 0);
    int[] padded = corner(-1, -1);
    say(scene, "plain", picture(zero, zero), at(0, 0, 0, 0, 0, 0));
    say(scene, "over-the-image", picture(zero, zero), at(0, 3, 2, 0, 0, 0));
    say(scene, "corners-that-differ", picture(corner(-1, 0), corner(0, -2)), at(0, -1, 0, 0, 0, 0));
    say(
        scene,
        "corners-that-differ-otherwise",
        picture(corner(0, -2), corner(-1, 1)),
        at(0, 2, -2, 0, 0, 0));
    say(scene, "filter-of-3-by-3-first", picture(padded, padded), at(0, -1, -1, 0, 0, 0));
    say(scene, "filter-of-3-by-3-last", picture(padded, padded), at(0, 1, 1, 0, 2, 2));
    say(
        scene,
        "filter-of-3-by-2-dilated",
        picture(corner(-1, 0), corner(-3, -1)),
        at(4, 0, 1, 0, 2, 1));
    say(scene, "offsets-255", picture(padded, padded), at(0, -1, -1, 0, 255, 255));
    say(scene, "offset-down-only", picture(padded, padded), at(0, -1, -1, 0, 0, 3));
    say(scene, "steps-2-and-1", picture(padded, padded, 2, 1), at(0, -1, 0, 0, 1, 1));
    say(scene, "steps-1-and-2", picture(padded, padded, 1, 2), at(0, 1, 1, 0, 0, 1));
    say(scene, "steps-3-and-2", picture(padded, corner(1, 1), 3, 2), at(0, 2, 1, 0, 1, 0));
    say(scene, "last-pixel-of-all", picture(zero, zero), at(0, 4, 3, 1, 0, 0));
    say(scene, "behind-the-last-image", picture(zero, zero), at(0, 1, 1, 2, 0, 0));
    say(scene, "before-the-first-image", picture(zero, zero), at(0, 2, 3, -1, 0, 0));
  }

  private static Columns volume(int[] lower, int[] upper) {
    Columns of = new Columns(lower, upper, 4, 3, 2, 3, 2);
    of.pixels = 40;
    return of;
  }

  private static void volumes(Scene scene) {
    int[] zero = corner(0, 0, 0);
    say(scene, "plain", volume(zero, zero), at(0, 0, 0, 0, 0, 0, 0, 0));
    say(scene, "from-within", volume(zero, zero), at(0, 2, 1, 1, 0, 0, 0, 0));
    Columns differing = volume(corner(-1, 0, -2), corner(0, -1, -1));
    say(scene, "corners-that-differ", differing, at(0, -1, 0, -2, 0, 0, 0, 0));
    say(scene, "offsets", differing, at(0, -1, 0, -2, 0, 1, 1, 2));
    say(scene, "offsets-31", differing, at(0, -1, 0, -2, 0, 31, 31, 31));
    say(scene, "offset-along-the-depth", differing, at(0, 1, 0, 0, 0, 0, 0, 1));
    Columns stepping = volume(corner(-1, -1, -1), corner(1, 1, 1));
    stepping.steps = new int[] {1, 2, 1, 3, 1};
    say(scene, "steps-2-1-3", stepping, at(0, -1, -1, -1, 0, 0, 0, 0));
    say(scene, "steps-2-1-3-from-within", stepping, at(0, 1, 2, 2, 0, 1, 0, 0));
  }

  private static void offTheStep(Scene scene) {
    int[] zero = corner(0, 0);
    int[] padded = corner(-1, -1);
    say(scene, "of-lines", line(-1, 0, 2), at(0, 0, 0, 0));
    say(scene, "of-lines-last", line(0, 0, 4), at(0, 7, 0, 0));
    say(scene, "across", picture(padded, zero, 2, 1), at(0, 0, -1, 0, 0, 0));
    say(scene, "down", picture(padded, zero, 1, 2), at(0, -1, 0, 0, 0, 0));
    say(scene, "both", picture(zero, zero, 3, 2), at(0, 1, 1, 0, 0, 0));
  }

  private static void swizzled(Scene scene) {
    for (Swizzle swizzle : List.of(Swizzle.BYTES_32, Swizzle.BYTES_64, Swizzle.BYTES_128)) {
      for (int channels = 4; 4 * channels <= swizzle.span(); channels *= 2) {
        Columns of = picture(corner(-1, -1), corner(-1, -1));
        of.extents[0] = 32;
        of.channels = channels;
        of.swizzle = swizzle;
        String key = "span-" + swizzle.span() + "-pixels-of-" + 4 * channels;
        say(scene, key, of, at(0, -1, 0, 0, 1, 1));
      }
    }
  }

  private static void nan(Scene scene) {
    Columns of = picture(corner(-1, -1), corner(-1, -1));
    of.element = Element.FLOAT32;
    of.fill = Fill.NAN;
    say(scene, "first", of, at(0, -1, -1, 0, 0, 0));
    say(scene, "last", of, at(0, -1, -1, 0, 2, 2));
    say(scene, "over-the-last-image", of, at(0, 0, 2, 1, 1, 1));
    say(scene, "channels-outside", of, at(8, 0, 0, 0, 0, 0));
  }

  // --- columns that are written
  // ----------------------------------------------------------------------------------------

  /** Prints, for each pixel of the tensor, which pixel of the column came there, and the hash. */
  private static void sayWritten(Scene scene, String key, Columns of, boolean adds, int[] at) {
    Stream stream = scene.stream();
    GlobalInts tensor = scene.ints(of.elements());
    stream.launch(
        Scene.ONE,
        ColumnTwinKernels::write,
        of.map(tensor),
        of.extents.length,
        adds,
        of.channels * of.pixels,
        at[0],
        at[1],
        at[2],
        at[4]);
    stream.await();
    int[] found = Scene.read(tensor);
    StringBuilder text = new StringBuilder();
    for (int i = at[0]; i < found.length; i += (int) of.extents[0]) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(found[i] == 0 ? "." : "" + (found[i] - 100_000) / of.channels);
    }
    scene.say(key, text);
    scene.say(key + "-all", Arrays.hashCode(found));
  }

  private static void written(Scene scene) {
    int[] zero = corner(0, 0);
    sayWritten(scene, "line", line(0, 0), false, at(0, 5, 0, 0));
    sayWritten(scene, "line-over-the-last-image", line(0, 0), false, at(4, 5, 2, 0));
    sayWritten(scene, "line-with-inner-corners", line(1, -2), false, at(0, 3, 0, 0));
    sayWritten(scene, "line-with-step-2", line(0, 0, 2), false, at(0, 2, 0, 0));
    sayWritten(scene, "picture", picture(zero, zero), false, at(0, 3, 2, 0, 0, 0));
    sayWritten(
        scene,
        "picture-with-corners",
        picture(corner(1, 0), corner(0, -1)),
        false,
        at(0, 1, 1, 0, 0, 0));
    sayWritten(scene, "picture-with-steps", picture(zero, zero, 2, 3), false, at(0, 2, 0, 0, 0, 0));
    sayWritten(scene, "picture-outside", picture(zero, zero), false, at(0, 0, 0, 2, 0, 0));
  }

  private static void added(Scene scene) {
    int[] zero = corner(0, 0);
    sayWritten(scene, "line", line(0, 0), true, at(0, 5, 1, 0));
    sayWritten(scene, "picture", picture(zero, zero), true, at(4, 3, 2, 0, 0, 0));
    sayWritten(
        scene,
        "picture-with-corners",
        picture(corner(1, 0), corner(0, -1)),
        true,
        at(0, 1, 1, 0, 0, 0));
  }

  private static void forCluster(Scene scene) {
    Stream stream = scene.stream();
    Columns of = picture(corner(-1, -1), corner(-1, -1));
    GlobalInts tensor = scene.ints(of.elements());
    GlobalInts out = scene.ints(2 * 96);
    stream.copy(values(of), tensor);
    Grid grid = Grid.of(2, 32).withCluster(2, 1, 1);
    stream.launch(grid, ColumnTwinKernels::multicast, of.map(tensor), out);
    stream.await();
    scene.say("stored", Arrays.hashCode(Scene.read(out)));
  }

  // --- maps
  // ------------------------------------------------------------------------------------------------------------

  private static void sayMap(Scene scene, String key, Columns of) {
    GlobalInts tensor = scene.ints(of.elements());
    scene.say(key, outcome(() -> of.map(tensor), IllegalArgumentException.class));
    tensor.close();
  }

  private static void limits(Scene scene) {
    sayMap(scene, "line-lower--32768", line(-32768, 0));
    sayMap(scene, "line-lower--32769", line(-32769, 0));
    sayMap(scene, "line-upper-32767", line(0, 32767));
    sayMap(scene, "line-upper-32768", line(0, 32768));
    int[] zero = corner(0, 0);
    sayMap(scene, "picture-lower--128", picture(corner(0, -128), zero));
    sayMap(scene, "picture-lower--129", picture(corner(0, -129), zero));
    sayMap(scene, "picture-upper-127", picture(zero, corner(127, 0)));
    sayMap(scene, "picture-upper-128", picture(zero, corner(128, 0)));
    sayMap(
        scene, "volume-16-and-15", new Columns(corner(0, 0, -16), corner(15, 0, 0), 4, 3, 2, 3, 2));
    sayMap(
        scene, "volume-lower--17", new Columns(corner(0, 0, -17), corner(15, 0, 0), 4, 3, 2, 3, 2));
    sayMap(scene, "volume-upper-16", new Columns(corner(0, 0, 0), corner(16, 0, 0), 4, 3, 2, 3, 2));
    sayMap(scene, "box-of-one-pixel", line(4, -4));
    sayMap(scene, "box-of-no-pixel", line(5, -4));
    sayMap(scene, "box-of-less-than-none", line(6, -4));
    sayMap(scene, "two-dimensions", new Columns(corner(0), corner(0), 8, 9));
    for (int channels : new int[] {0, 4, 6, 256, 260}) {
      Columns of = line(0, 0);
      of.extents[0] = 512;
      of.channels = channels;
      sayMap(scene, "channels-" + channels, of);
    }
    for (int pixels : new int[] {0, 1, 7, 1024, 1025}) {
      Columns of = line(0, 0);
      of.pixels = pixels;
      sayMap(scene, "pixels-" + pixels, of);
    }
    for (int step : new int[] {0, 8, 9}) {
      sayMap(scene, "step-" + step, line(0, 0, step));
    }
    Columns swizzled = line(0, 0);
    swizzled.channels = 8;
    swizzled.swizzle = Swizzle.BYTES_32;
    sayMap(scene, "channels-as-long-as-the-swizzle", swizzled);
    swizzled.extents[0] = 16;
    swizzled.channels = 12;
    sayMap(scene, "channels-longer-than-the-swizzle", swizzled);
    Columns nan = line(0, 0);
    nan.fill = Fill.NAN;
    sayMap(scene, "nan-of-ints", nan);
  }
}
