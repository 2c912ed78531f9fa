package dev.stretto.enqueue;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.KernelTwin;
import dev.stretto.driver.LaunchShape;
import dev.stretto.route.DeviceForm;
import dev.stretto.rows.Conversion;
import dev.stretto.rows.HostRows;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * The kernels that convert floats on a device as the host's threads do, to the same bits, also of
 * what is not a number.
 */
record FormKernels(Conversion conversion) implements DeviceForm {
  /** What makes the element {@code $e} of the float {@code $x}, whose bits are {@code $b}. */
  private static final String TO_BFLOAT =
      """
      mov.b32 $b, $x;
      and.b32 $t, $b, 0x7fffffff;
      setp.gt.u32 $p, $t, 0x7f800000;
      shr.u32 $h, $b, 16;
      or.b32 $t, $h, 0x40;
      and.b32 $e, $h, 1;
      add.u32 $e, $e, 0x7fff;
      add.u32 $e, $e, $b;
      shr.u32 $e, $e, 16;
      selp.b32 $e, $t, $e, $p;
      """;

  private static final String TO_HALF =
      """
      cvt.rn.f16.f32 $s, $x;
      cvt.u32.u16 $e, $s;
      mov.b32 $b, $x;
      shr.u32 $t, $b, 16;
      and.b32 $t, $t, 0x8000;
      bfe.u32 $h, $b, 13, 10;
      or.b32 $t, $t, $h;
      or.b32 $t, $t, 0x7e00;
      and.b32 $b, $b, 0x7fffffff;
      setp.gt.u32 $p, $b, 0x7f800000;
      selp.b32 $e, $t, $e, $p;
      """;

  private static final String TO_BYTE =
      """
      mul.rn.f32 $x, $x, $scale;
      cvt.rni.s32.f32 $e, $x;
      max.s32 $e, $e, -128;
      min.s32 $e, $e, 127;
      and.b32 $e, $e, 255;
      """;

  /** The group's number, its place in its row, and the addresses of its elements. */
  private static final String KERNEL =
      """
      .visible .entry NAME(
        .param .u64 dst, .param .u64 src, .param .u32 width, .param .u32 count,
        .param .u64 pitch, .param .f32 scale
      )
      {
        .reg .pred $p, $q;
        .reg .b16 $s;
        .reg .b32 $b, $e, $h, $t, $i, $n, $w, $row, $column, $p0, $p1;
        .reg .b64 $from, $to, $pitch, $at;
        .reg .f32 $x, $scale, $x0, $x1, $x2, $x3;
        mov.u32 $i, %ctaid.x;
        mov.u32 $n, %tid.x;
        mad.lo.u32 $i, $i, THREADS, $n;
        ld.param.u32 $n, [count];
        setp.ge.u32 $q, $i, $n;
        @$q ret;
        ld.param.u32 $w, [width];
        div.u32 $row, $i, $w;
        mul.lo.u32 $column, $row, $w;
        sub.u32 $column, $i, $column;
        ld.param.u64 $from, [src];
        ld.param.u64 $to, [dst];
        ld.param.u64 $pitch, [pitch];
        ld.param.f32 $scale, [scale];
        mul.wide.u32 $at, $i, READ;
        add.u64 $from, $from, $at;
        cvt.u64.u32 $at, $row;
        mad.lo.u64 $to, $at, $pitch, $to;
        mul.wide.u32 $at, $column, WRITTEN;
        add.u64 $to, $to, $at;
      BODY
        ret;
      }
      """;

  private static final String IMAGE = image(1) + image(GROUP).substring(head().length());

  private static String head() {
    return ".version 7.0\n.target sm_52\n.address_size 64\n";
  }

  private static String image(int group) {
    StringBuilder all = new StringBuilder(head());
    for (Conversion.Element element : Conversion.Element.values()) {
      all.append(
          KERNEL
              .replace("NAME", entry(element, group))
              .replace("THREADS", Integer.toString(THREADS))
              .replace("READ", Integer.toString(group * Float.BYTES))
              .replace("WRITTEN", Integer.toString(group * element.bytes()))
              .replace("BODY\n", group == 1 ? one(element) : several(element)));
    }
    return all.toString();
  }

  private static String one(Conversion.Element element) {
    String store =
        element.bytes() == 1
            ? "cvt.u16.u32 $s, $e;\nst.global.u8 [$to], $s;\n"
            : "cvt.u16.u32 $s, $e;\nst.global.u16 [$to], $s;\n";
    return "ld.global.f32 $x, [$from];\n" + convert(element) + store;
  }

  private static String several(Conversion.Element element) {
    StringBuilder all = new StringBuilder("ld.global.v4.f32 {$x0, $x1, $x2, $x3}, [$from];\n");
    int inWord = Integer.BYTES / element.bytes();
    for (int i = 0; i < GROUP; i++) {
      String word = "$p" + i / inWord;
      int shift = i % inWord * 8 * element.bytes();
      all.append("mov.f32 $x, $x").append(i).append(";\n").append(convert(element));
      all.append(
          shift == 0
              ? "mov.b32 " + word + ", $e;\n"
              : "shl.b32 $e, $e, " + shift + ";\nor.b32 " + word + ", " + word + ", $e;\n");
    }
    return all.append(
            inWord == GROUP
                ? "st.global.b32 [$to], $p0;\n"
                : "st.global.v2.b32 [$to], {$p0, $p1};\n")
        .toString();
  }

  private static String convert(Conversion.Element element) {
    return switch (element) {
      case BFLOAT -> TO_BFLOAT;
      case HALF -> TO_HALF;
      case BYTE -> TO_BYTE;
    };
  }

  private static String entry(Conversion.Element element, int group) {
    return "stretto_to_" + element.name().toLowerCase(Locale.ROOT) + "_" + group;
  }

  @Override
  public String image() {
    return IMAGE;
  }

  @Override
  public String entry(int group) {
    return entry(conversion.element(), group);
  }

  @Override
  public KernelTwin twin(int group) {
    return new Twin(conversion.element(), group);
  }

  @Override
  public int hostBytes() {
    return Float.BYTES;
  }

  @Override
  public int deviceBytes() {
    return conversion.element().bytes();
  }

  @Override
  public float scale() {
    return conversion.scale();
  }

  /** What a block does, with the code of the host's threads. */
  private record Twin(Conversion.Element element, int group) implements KernelTwin {
    private static final long SRC = 8;
    private static final long WIDTH = 16;
    private static final long COUNT = 20;
    private static final long PITCH = 24;
    private static final long SCALE = 32;

    @Override
    public void run(
        LaunchShape shape, long first, long last, MemorySegment parameters, DeviceMemory memory) {
      Conversion conversion = new Conversion(element, parameters.get(JAVA_FLOAT, SCALE));
      MemorySegment from = memory.at(parameters.get(JAVA_LONG, SRC));
      MemorySegment to = memory.at(parameters.get(JAVA_LONG, 0));
      long width = (long) group * parameters.get(JAVA_INT, WIDTH);
      long end = Math.min(last * shape.blockX(), parameters.get(JAVA_INT, COUNT)) * group;
      for (long i = first * shape.blockX() * group; i < end; ) {
        long part = Math.min(end - i, width - i % width);
        MemorySegment floats = from.asSlice(i * Float.BYTES, part * Float.BYTES);
        long at = i / width * parameters.get(JAVA_LONG, PITCH) + i % width * element.bytes();
        HostRows row = conversion.of(HostRows.of(floats, floats.byteSize()));
        row.read(0, to.asSlice(at, part * element.bytes()));
        i += part;
      }
    }

    @Override
    public long nanos(LaunchShape shape, MemorySegment parameters, Machine machine) {
      long elements = (long) group * parameters.get(JAVA_INT, COUNT);
      return (long)
          (elements * (Float.BYTES + element.bytes()) / machine.memoryBytesPerSecond() * 1e9);
    }
  }
}
