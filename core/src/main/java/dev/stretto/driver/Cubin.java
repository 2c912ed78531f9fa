package dev.stretto.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks the structure of a cubin, which is an ELF file: where its tables, sections and segments
 * lie, which kernels it holds, and how much shared memory they declare. A driver takes the address
 * of an image without its length and follows the offsets in it, so an image with offsets beyond its
 * end may crash the process. The driver itself checks the contents of the sections.
 */
public final class Cubin {
  private static final int ELF = 0x464C457F;
  private static final int FAT_BINARY = 0xBA55ED50;
  private static final int FAT_HEADER_BYTES = 16;

  private static final int HEADER_BYTES = 64;
  private static final int SECTION_BYTES = 64;
  private static final int SEGMENT_BYTES = 56;
  private static final int SYMBOL_BYTES = 24;
  private static final int CLASS_64 = 2;
  private static final int LITTLE_ENDIAN = 1;
  private static final int CUDA = 190;

  private static final int SYMBOLS = 2;
  private static final int STRINGS = 3;
  private static final int WITH_ADDENDS = 4;
  private static final int WITHOUT_ADDENDS = 9;
  private static final int NOTHING = 8;
  private static final int FIRST_RESERVED = 0xFF00;

  private static final String KERNEL = ".text.";
  private static final String SHARED = ".nv.shared.";

  /** More than any device has. The device's own limit is checked when a kernel is launched. */
  private static final long MOST_SHARED_BYTES = 1 << 20;

  /** A limit for memory that is declared but not in the file. */
  private static final long MOST_DECLARED_BYTES = 1L << 47;

  private record Section(int name, int type, long offset, long size, int link, int info, long of) {}

  /** Thrown and caught within this class. */
  private static final class Flaw extends Exception {
    private static final long serialVersionUID = 1L;

    Flaw(String what) {
      super(what, null, false, false);
    }
  }

  private final ByteBuffer bytes;
  private final List<Section> sections = new ArrayList<>();
  private final Map<String, Long> kernels = new LinkedHashMap<>();

  private Cubin(byte[] image) {
    this.bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * {@return whether an image begins like machine code, a cubin or a fat binary, rather than PTX
   * text}
   *
   * @param image its bytes
   */
  public static boolean isMachineCode(byte[] image) {
    int magic = magic(image);
    return magic == ELF || magic == FAT_BINARY;
  }

  private static int magic(byte[] image) {
    return Objects.requireNonNull(image, "image").length < Integer.BYTES
        ? 0
        : ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  /**
   * {@return the static shared memory of each kernel in a cubin, in bytes, by the kernel's name;
   * empty for a fat binary, which only the driver reads}
   *
   * @param image its bytes, for which {@link #isMachineCode} is true
   * @throws IllegalArgumentException if a table, section or segment does not lie within the image,
   *     or the image is not a cubin for another reason; the message says what is wrong and where
   */
  public static Map<String, Long> kernels(byte[] image) {
    Cubin cubin = new Cubin(Objects.requireNonNull(image, "image"));
    try {
      if (magic(image) == FAT_BINARY) {
        cubin.fatBinary();
      } else {
        cubin.read();
      }
    } catch (Flaw e) {
      throw new IllegalArgumentException(
          "%d bytes that are not a whole cubin: %s".formatted(image.length, e.getMessage()), e);
    }
    return Map.copyOf(cubin.kernels);
  }

  private void fatBinary() throws Flaw {
    require(bytes.limit() >= FAT_HEADER_BYTES, "the header is cut off");
    int header = Short.toUnsignedInt(bytes.getShort(6));
    long size = bytes.getLong(8);
    require(header >= FAT_HEADER_BYTES, "a header of %d bytes", header);
    within("the fat binary", header, size);
  }

  private void read() throws Flaw {
    require(bytes.limit() >= HEADER_BYTES, "the header is cut off");
    require(
        bytes.get(4) == CLASS_64 && bytes.get(5) == LITTLE_ENDIAN,
        "the file is not a 64-bit little-endian one");
    require(u16(18) == CUDA, "the machine is %d, but CUDA is %d", u16(18), CUDA);
    table("segments", bytes.getLong(32), u16(54), SEGMENT_BYTES, u16(56));
    table("sections", bytes.getLong(40), u16(58), SECTION_BYTES, u16(60));
    require(u16(60) > 0, "it has no sections");
    readSegments((int) bytes.getLong(32), u16(56));
    readSections((int) bytes.getLong(40), u16(60));
    Section names = named("the names of sections", u16(62));
    Map<String, Long> shared = new LinkedHashMap<>();
    for (int i = 1; i < sections.size(); i++) {
      Section section = sections.get(i);
      check(i, section);
      String name = text("section " + i, names, section.name());
      if (name.startsWith(KERNEL)) {
        kernels.put(name.substring(KERNEL.length()), 0L);
      } else if (name.startsWith(SHARED)) {
        require(
            section.size() >= 0 && section.size() <= MOST_SHARED_BYTES,
            "%s has %d bytes, more than the shared memory of any device",
            name,
            section.size());
        shared.put(name.substring(SHARED.length()), section.size());
      }
    }
    kernels.replaceAll((kernel, none) -> shared.getOrDefault(kernel, none));
  }

  private void readSegments(int at, int count) throws Flaw {
    for (int i = 0; i < count; i++) {
      int segment = at + i * SEGMENT_BYTES;
      within("segment " + i, bytes.getLong(segment + 8), bytes.getLong(segment + 32));
    }
  }

  private void readSections(int at, int count) {
    for (int i = 0; i < count; i++) {
      int section = at + i * SECTION_BYTES;
      sections.add(
          new Section(
              bytes.getInt(section),
              bytes.getInt(section + 4),
              bytes.getLong(section + 24),
              bytes.getLong(section + 32),
              bytes.getInt(section + 40),
              bytes.getInt(section + 44),
              bytes.getLong(section + 56)));
    }
  }

  private void check(int number, Section section) throws Flaw {
    String what = "section " + number;
    if (section.type() == NOTHING) {
      require(
          section.size() >= 0 && section.size() <= MOST_DECLARED_BYTES,
          "%s declares %d bytes of memory",
          what,
          section.size());
      return;
    }
    within(what, section.offset(), section.size());
    switch (section.type()) {
      case STRINGS ->
          require(
              section.size() == 0 || byteAt(section, section.size() - 1) == 0,
              "%s holds text without an end",
              what);
      case SYMBOLS -> checkSymbols(what, section);
      case WITHOUT_ADDENDS -> checkRelocations(what, section, 16);
      case WITH_ADDENDS -> checkRelocations(what, section, 24);
      default -> {
        // The driver checks it.
      }
    }
  }

  private void checkSymbols(String what, Section section) throws Flaw {
    entries(what, section, SYMBOL_BYTES);
    Section names = named("the names of " + what, section.link());
    for (long at = 0; at < section.size(); at += SYMBOL_BYTES) {
      int symbol = (int) (section.offset() + at);
      String which = "symbol %d of %s".formatted(at / SYMBOL_BYTES, what);
      within(which, names, Integer.toUnsignedLong(bytes.getInt(symbol)));
      int in = u16(symbol + 6);
      require(in < sections.size() || in >= FIRST_RESERVED, "%s is in section %d", which, in);
    }
  }

  private void checkRelocations(String what, Section section, int entryBytes) throws Flaw {
    entries(what, section, entryBytes);
    Section symbols = section("the symbols of " + what, section.link());
    Section target = section("the target of " + what, section.info());
    for (long at = 0; at < section.size(); at += entryBytes) {
      int entry = (int) (section.offset() + at);
      String which = "entry %d of %s".formatted(at / entryBytes, what);
      within(which, target, bytes.getLong(entry));
      within(which, symbols, (bytes.getLong(entry + 8) >>> 32) * SYMBOL_BYTES);
    }
  }

  private void table(String what, long offset, int entryBytes, int expectedBytes, int count)
      throws Flaw {
    if (count > 0) {
      require(entryBytes == expectedBytes, "%s of %d bytes each", what, entryBytes);
      within("the table of " + what, offset, (long) count * entryBytes);
    }
  }

  private static void entries(String what, Section section, int entryBytes) throws Flaw {
    require(
        section.of() == entryBytes && section.size() % entryBytes == 0,
        "%s has %d bytes in entries of %d",
        what,
        section.size(),
        section.of());
  }

  private Section section(String what, int number) throws Flaw {
    require(number >= 0 && number < sections.size(), "%s are in section %d", what, number);
    return sections.get(number);
  }

  /** {@return a section of text, checked to lie within the image} */
  private Section named(String what, int number) throws Flaw {
    Section names = section(what, number);
    require(names.type() == STRINGS, "%s are in section %d, which is not text", what, number);
    within(what, names.offset(), names.size());
    require(names.size() > 0 && byteAt(names, names.size() - 1) == 0, "%s have no end", what);
    return names;
  }

  private String text(String what, Section names, int at) throws Flaw {
    within("the name of " + what, names, Integer.toUnsignedLong(at));
    int start = (int) names.offset() + at;
    int end = start;
    while (bytes.get(end) != 0) {
      end++;
    }
    return StandardCharsets.UTF_8.decode(bytes.slice(start, end - start)).toString();
  }

  private void within(String what, long offset, long size) throws Flaw {
    require(
        offset >= 0 && size >= 0 && offset <= bytes.limit() && size <= bytes.limit() - offset,
        "%s, %d bytes at %d, is not within the image",
        what,
        size,
        offset);
  }

  private static void within(String what, Section section, long at) throws Flaw {
    require(at >= 0 && at < section.size(), "%s is at %d of %d bytes", what, at, section.size());
  }

  private byte byteAt(Section section, long at) {
    return bytes.get((int) (section.offset() + at));
  }

  private int u16(int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would add a dependency
  private static void require(boolean right, String what, Object... values) throws Flaw {
    if (!right) {
      throw new Flaw(what.formatted(values));
    }
  }
}
