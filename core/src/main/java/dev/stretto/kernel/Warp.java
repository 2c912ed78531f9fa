// Generated from tools/families/Warp.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.WarpMeetings;
import dev.stretto.memory.GlobalArray;

/**
 * The 32 threads of a block that execute together, as one of them, a <em>lane</em>, sees them:
 * lanes exchange values without memory.
 *
 * <p>Whatever exchanges values waits until every lane that takes part is there: all 32, or those
 * whose bits are set in {@code members} (lane 0 is the lowest), among which the caller has to be.
 * Lanes that have returned, or that a block's last warp does not have, are not waited for; they
 * have no value to read. Lanes that take part have to call the same method with the same members.
 */
public final class Warp {
  private static final int ALL = 0xffffffff;

  private final ThreadBlock block;

  Warp(ThreadBlock block) {
    this.block = block;
  }

  /** {@return the thread's number in its warp, 0 to 31} */
  @Instruction(value = "mov.u32 $r, %laneid;", pure = true)
  public int lane() {
    return block.threadRank() % 32;
  }

  /** {@return the warp's number in its block} */
  @Instruction(
      value = {
        "{",
        ".reg .b32 rank, size, place;",
        "mov.u32 rank, %tid.z;",
        "mov.u32 size, %ntid.y;",
        "mov.u32 place, %tid.y;",
        "mad.lo.s32 rank, rank, size, place;",
        "mov.u32 size, %ntid.x;",
        "mov.u32 place, %tid.x;",
        "mad.lo.s32 rank, rank, size, place;",
        "shr.u32 $r, rank, 5;",
        "}"
      },
      pure = true)
  public int index() {
    return block.threadRank() / 32;
  }

  /**
   * Waits until all lanes are here. What they did to memory before is then visible to each of them.
   */
  @Instruction(value = "bar.warp.sync 0xffffffff;", convergent = true)
  public void sync() {
    meetings().meet("sync", ALL, 0);
  }

  /**
   * Waits until some lanes are here.
   *
   * @param members which
   */
  @Instruction(value = "bar.warp.sync $0;", convergent = true)
  public void sync(int members) {
    meetings().meet("sync", members, 0);
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffle(int value, int lane) {
    return (int) meetings().meet("shuffle", ALL, value).from(lane & 31);
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffle(int members, int value, int lane) {
    return (int) meetings().meet("shuffle", members, value).from(lane & 31);
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public float shuffle(float value, int lane) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffle", ALL, Float.floatToRawIntBits(value)).from(lane & 31));
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $1, $2, 31, $0;", convergent = true)
  public float shuffle(int members, float value, int lane) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffle", members, Float.floatToRawIntBits(value)).from(lane & 31));
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.idx.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.idx.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffle(long value, int lane) {
    return meetings().meet("shuffle of 64 bits", ALL, value).from(lane & 31);
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.idx.b32 low, low, $2, 31, $0;",
        "shfl.sync.idx.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffle(int members, long value, int lane) {
    return meetings().meet("shuffle of 64 bits", members, value).from(lane & 31);
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.idx.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.idx.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffle(double value, int lane) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffle of 64 bits", ALL, Double.doubleToRawLongBits(value))
            .from(lane & 31));
  }

  /**
   * {@return the value that another lane passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param lane whose value; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.idx.b32 low, low, $2, 31, $0;",
        "shfl.sync.idx.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffle(int members, double value, int lane) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffle of 64 bits", members, Double.doubleToRawLongBits(value))
            .from(lane & 31));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $0, $1, 0, 0xffffffff;", convergent = true)
  public int shuffleUp(int value, int delta) {
    return (int) meetings().meet("shuffleUp", ALL, value).from(up(delta));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $1, $2, 0, $0;", convergent = true)
  public int shuffleUp(int members, int value, int delta) {
    return (int) meetings().meet("shuffleUp", members, value).from(up(delta));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $0, $1, 0, 0xffffffff;", convergent = true)
  public float shuffleUp(float value, int delta) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffleUp", ALL, Float.floatToRawIntBits(value)).from(up(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $1, $2, 0, $0;", convergent = true)
  public float shuffleUp(int members, float value, int delta) {
    return Float.intBitsToFloat(
        (int)
            meetings().meet("shuffleUp", members, Float.floatToRawIntBits(value)).from(up(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.up.b32 low, low, $1, 0, 0xffffffff;",
        "shfl.sync.up.b32 high, high, $1, 0, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleUp(long value, int delta) {
    return meetings().meet("shuffleUp of 64 bits", ALL, value).from(up(delta));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.up.b32 low, low, $2, 0, $0;",
        "shfl.sync.up.b32 high, high, $2, 0, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleUp(int members, long value, int delta) {
    return meetings().meet("shuffleUp of 64 bits", members, value).from(up(delta));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.up.b32 low, low, $1, 0, 0xffffffff;",
        "shfl.sync.up.b32 high, high, $1, 0, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleUp(double value, int delta) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleUp of 64 bits", ALL, Double.doubleToRawLongBits(value))
            .from(up(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} below passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far below; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.up.b32 low, low, $2, 0, $0;",
        "shfl.sync.up.b32 high, high, $2, 0, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleUp(int members, double value, int delta) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleUp of 64 bits", members, Double.doubleToRawLongBits(value))
            .from(up(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffleDown(int value, int delta) {
    return (int) meetings().meet("shuffleDown", ALL, value).from(down(delta));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffleDown(int members, int value, int delta) {
    return (int) meetings().meet("shuffleDown", members, value).from(down(delta));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public float shuffleDown(float value, int delta) {
    return Float.intBitsToFloat(
        (int)
            meetings().meet("shuffleDown", ALL, Float.floatToRawIntBits(value)).from(down(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $1, $2, 31, $0;", convergent = true)
  public float shuffleDown(int members, float value, int delta) {
    return Float.intBitsToFloat(
        (int)
            meetings()
                .meet("shuffleDown", members, Float.floatToRawIntBits(value))
                .from(down(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.down.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.down.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleDown(long value, int delta) {
    return meetings().meet("shuffleDown of 64 bits", ALL, value).from(down(delta));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.down.b32 low, low, $2, 31, $0;",
        "shfl.sync.down.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleDown(int members, long value, int delta) {
    return meetings().meet("shuffleDown of 64 bits", members, value).from(down(delta));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.down.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.down.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleDown(double value, int delta) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleDown of 64 bits", ALL, Double.doubleToRawLongBits(value))
            .from(down(delta)));
  }

  /**
   * {@return the value that the lane {@code delta} above passes; where there is none, the own one}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param delta how far above; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.down.b32 low, low, $2, 31, $0;",
        "shfl.sync.down.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleDown(int members, double value, int delta) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleDown of 64 bits", members, Double.doubleToRawLongBits(value))
            .from(down(delta)));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffleXor(int value, int mask) {
    return (int) meetings().meet("shuffleXor", ALL, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffleXor(int members, int value, int mask) {
    return (int) meetings().meet("shuffleXor", members, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public float shuffleXor(float value, int mask) {
    return Float.intBitsToFloat(
        (int)
            meetings()
                .meet("shuffleXor", ALL, Float.floatToRawIntBits(value))
                .from(lane() ^ (mask & 31)));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $1, $2, 31, $0;", convergent = true)
  public float shuffleXor(int members, float value, int mask) {
    return Float.intBitsToFloat(
        (int)
            meetings()
                .meet("shuffleXor", members, Float.floatToRawIntBits(value))
                .from(lane() ^ (mask & 31)));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.bfly.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.bfly.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleXor(long value, int mask) {
    return meetings().meet("shuffleXor of 64 bits", ALL, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.bfly.b32 low, low, $2, 31, $0;",
        "shfl.sync.bfly.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public long shuffleXor(int members, long value, int mask) {
    return meetings().meet("shuffleXor of 64 bits", members, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $0;",
        "shfl.sync.bfly.b32 low, low, $1, 31, 0xffffffff;",
        "shfl.sync.bfly.b32 high, high, $1, 31, 0xffffffff;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleXor(double value, int mask) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleXor of 64 bits", ALL, Double.doubleToRawLongBits(value))
            .from(lane() ^ (mask & 31)));
  }

  /**
   * {@return the value that the lane with the number {@code lane() ^ mask} passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   * @param mask which bits of the own number are turned; taken modulo 32
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.bfly.b32 low, low, $2, 31, $0;",
        "shfl.sync.bfly.b32 high, high, $2, 31, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  public double shuffleXor(int members, double value, int mask) {
    return Double.longBitsToDouble(
        meetings()
            .meet("shuffleXor of 64 bits", members, Double.doubleToRawLongBits(value))
            .from(lane() ^ (mask & 31)));
  }

  /**
   * {@return the lanes that pass true, lane 0 lowest}
   *
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.ballot.b32 $r, $0, 0xffffffff;", convergent = true)
  public int ballot(boolean condition) {
    return meetings().meet("ballot", ALL, condition ? 1 : 0).votes();
  }

  /**
   * {@return the lanes that pass true, lane 0 lowest}
   *
   * @param members which lanes take part
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.ballot.b32 $r, $1, $0;", convergent = true)
  public int ballot(int members, boolean condition) {
    return meetings().meet("ballot", members, condition ? 1 : 0).votes();
  }

  /**
   * {@return whether some lane passes true}
   *
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.any.pred $r, $0, 0xffffffff;", convergent = true)
  public boolean any(boolean condition) {
    return meetings().meet("any", ALL, condition ? 1 : 0).votes() != 0;
  }

  /**
   * {@return whether some lane passes true}
   *
   * @param members which lanes take part
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.any.pred $r, $1, $0;", convergent = true)
  public boolean any(int members, boolean condition) {
    return meetings().meet("any", members, condition ? 1 : 0).votes() != 0;
  }

  /**
   * {@return whether every lane passes true}
   *
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.all.pred $r, $0, 0xffffffff;", convergent = true)
  public boolean all(boolean condition) {
    return meetings().meet("all", ALL, condition ? 1 : 0).isUnanimous();
  }

  /**
   * {@return whether every lane passes true}
   *
   * @param members which lanes take part
   * @param condition what this lane passes
   */
  @Instruction(value = "vote.sync.all.pred $r, $1, $0;", convergent = true)
  public boolean all(int members, boolean condition) {
    return meetings().meet("all", members, condition ? 1 : 0).isUnanimous();
  }

  /**
   * {@return the lanes that pass the same value as this one, lane 0 lowest}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "match.any.sync.b32 $r, $0, 0xffffffff;", convergent = true)
  public int matchAny(int value) {
    return meetings().meet("matchAny", ALL, value).same(lane());
  }

  /**
   * {@return the lanes that pass the same value as this one, lane 0 lowest}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "match.any.sync.b32 $r, $1, $0;", convergent = true)
  public int matchAny(int members, int value) {
    return meetings().meet("matchAny", members, value).same(lane());
  }

  /**
   * {@return the lanes that pass the same value as this one, lane 0 lowest}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "match.any.sync.b64 $r, $0, 0xffffffff;", convergent = true)
  public int matchAny(long value) {
    return meetings().meet("matchAny of 64 bits", ALL, value).same(lane());
  }

  /**
   * {@return the lanes that pass the same value as this one, lane 0 lowest}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "match.any.sync.b64 $r, $1, $0;", convergent = true)
  public int matchAny(int members, long value) {
    return meetings().meet("matchAny of 64 bits", members, value).same(lane());
  }

  /**
   * {@return the sum of what the lanes pass, which wraps around}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.add.s32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceAdd(int value) {
    return meetings().meet("reduceAdd", ALL, value).reduce(Integer::sum);
  }

  /**
   * {@return the sum of what the lanes pass, which wraps around}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.add.s32 $r, $1, $0;", convergent = true)
  public int reduceAdd(int members, int value) {
    return meetings().meet("reduceAdd", members, value).reduce(Integer::sum);
  }

  /**
   * {@return the least of what the lanes pass}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.min.s32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceMin(int value) {
    return meetings().meet("reduceMin", ALL, value).reduce(Math::min);
  }

  /**
   * {@return the least of what the lanes pass}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.min.s32 $r, $1, $0;", convergent = true)
  public int reduceMin(int members, int value) {
    return meetings().meet("reduceMin", members, value).reduce(Math::min);
  }

  /**
   * {@return the greatest of what the lanes pass}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.max.s32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceMax(int value) {
    return meetings().meet("reduceMax", ALL, value).reduce(Math::max);
  }

  /**
   * {@return the greatest of what the lanes pass}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.max.s32 $r, $1, $0;", convergent = true)
  public int reduceMax(int members, int value) {
    return meetings().meet("reduceMax", members, value).reduce(Math::max);
  }

  /**
   * {@return the bits that all lanes pass}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.and.b32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceAnd(int value) {
    return meetings().meet("reduceAnd", ALL, value).reduce((a, b) -> a & b);
  }

  /**
   * {@return the bits that all lanes pass}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.and.b32 $r, $1, $0;", convergent = true)
  public int reduceAnd(int members, int value) {
    return meetings().meet("reduceAnd", members, value).reduce((a, b) -> a & b);
  }

  /**
   * {@return the bits that some lane passes}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.or.b32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceOr(int value) {
    return meetings().meet("reduceOr", ALL, value).reduce((a, b) -> a | b);
  }

  /**
   * {@return the bits that some lane passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.or.b32 $r, $1, $0;", convergent = true)
  public int reduceOr(int members, int value) {
    return meetings().meet("reduceOr", members, value).reduce((a, b) -> a | b);
  }

  /**
   * {@return the bits that an odd number of lanes passes}
   *
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.xor.b32 $r, $0, 0xffffffff;", convergent = true)
  public int reduceXor(int value) {
    return meetings().meet("reduceXor", ALL, value).reduce((a, b) -> a ^ b);
  }

  /**
   * {@return the bits that an odd number of lanes passes}
   *
   * @param members which lanes take part
   * @param value what this lane passes
   */
  @Instruction(value = "redux.sync.xor.b32 $r, $1, $0;", convergent = true)
  public int reduceXor(int members, int value) {
    return meetings().meet("reduceXor", members, value).reduce((a, b) -> a ^ b);
  }

  /**
   * {@return the sum of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public long reduceAdd(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the least of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public long reduceMin(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the greatest of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public long reduceMax(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the sum of what all 32 lanes pass, added up in pairs: the same on every lane}
   *
   * @param value what this lane passes
   */
  public float reduceAdd(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the least of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public float reduceMin(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the greatest of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public float reduceMax(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the sum of what all 32 lanes pass, added up in pairs: the same on every lane}
   *
   * @param value what this lane passes
   */
  public double reduceAdd(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the least of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public double reduceMin(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the greatest of what all 32 lanes pass}
   *
   * @param value what this lane passes
   */
  public double reduceMax(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return lanes that execute together with this one, which is among them; lane 0 lowest} Which
   * others are is up to the device: nothing may depend on it. A virtual device says that the lane
   * is alone.
   */
  @Instruction(value = "activemask.b32 $r;", convergent = true)
  public int activeMask() {
    return 1 << lane();
  }

  /** {@return true on one lane, false on the others; needs compute capability 9.0} */
  @Instruction(value = "elect.sync _|$r, 0xffffffff;", convergent = true, sm = 90)
  public boolean elect() {
    return meetings().meet("elect", ALL, 0).first() == lane();
  }

  private int up(int delta) {
    int source = lane() - (delta & 31);
    return source < 0 ? lane() : source;
  }

  private int down(int delta) {
    int source = lane() + (delta & 31);
    return source > 31 ? lane() : source;
  }

  private WarpMeetings meetings() {
    return block.thread("an exchange between lanes").meetings();
  }

  // --- asynchronous copies
  // ----------------------------------------------------------------------------------------------------

  /** {@return how many lanes the warp has: 32, or fewer in a block's last warp} */
  @Instruction(
      value = {
        "{",
        ".reg .b32 rank, size, place, all;",
        "mov.u32 rank, %tid.z;",
        "mov.u32 size, %ntid.y;",
        "mov.u32 place, %tid.y;",
        "mad.lo.s32 rank, rank, size, place;",
        "mov.u32 all, %ntid.z;",
        "mul.lo.s32 all, all, size;",
        "mov.u32 size, %ntid.x;",
        "mov.u32 place, %tid.x;",
        "mad.lo.s32 rank, rank, size, place;",
        "mul.lo.s32 all, all, size;",
        "and.b32 rank, rank, -32;",
        "sub.s32 all, all, rank;",
        "min.s32 $r, all, 32;",
        "}"
      },
      pure = true)
  public int size() {
    return Math.min(32, block.size() - block.threadRank() / 32 * 32);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. The
   * copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for.
   * As {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an alignment of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. The
   * copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for;
   * until then what the destination holds is undefined, and the source must not change. What they
   * become depends on the alignment: {@code cp.async} of 16, 8 or 4 bytes a thread, or plain loads
   * and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment) {
    if (CopyNotes.areTold()) {
      block.thread("memcpyAsync").warpCopies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    CopyLowering.chunksToShared(
        lane(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work;
   * whoever waits for the current phase of the barrier has them. As {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param barrier on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, barrier);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work;
   * whoever waits for the current phase of the barrier has them. With an alignment of 16 or more
   * one thread has a bulk copy done on compute capability 9.0; otherwise they are {@code cp.async}
   * of 16, 8 or 4 bytes a thread, or plain loads and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @param barrier on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Barrier barrier) {
    if (CopyNotes.areTold()) {
      block.thread("memcpyAsync").warpCopies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    barrier.copy(lane(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work;
   * whoever waits for the stage that is being produced has them. As {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param pipeline on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, pipeline);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work;
   * whoever waits for the stage that is being produced has them. With an alignment of 16 or more
   * one thread has a bulk copy done on compute capability 9.0; otherwise they are {@code cp.async}
   * of 16, 8 or 4 bytes a thread, or plain loads and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @param pipeline on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    if (CopyNotes.areTold()) {
      block.thread("memcpyAsync").warpCopies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    pipeline.copy(lane(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Copies elements to global memory, synchronously: all lanes of the warp call it and share the
   * work, and each thread has stored its part when this returns.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment) {
    if (CopyNotes.areTold()) {
      block.thread("memcpyAsync").warpCopies().begins(from.span(), fromIndex, to, toIndex, count);
    }
    CopyLowering.toGlobal(lane(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all groups of copies of {@code memcpyAsync}, and then for the other lanes. */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    sync();
  }

  /**
   * Waits for all groups of copies of {@code memcpyAsync} but the newest ones, and then for the
   * other lanes.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    sync();
  }
}
