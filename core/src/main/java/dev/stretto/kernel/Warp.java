// Generated from tools/families/Warp.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.WarpMeetings;
import dev.stretto.memory.GlobalArray;

/**
 * A warp, the 32 threads of a block that execute together, as seen by one of them, a <em>lane</em>:
 * lanes exchange values without memory.
 *
 * <p>A method that exchanges values waits until every participating lane has called it: all 32, or
 * those whose bits are set in {@code members} (lane 0 is the lowest bit), which must include the
 * caller. It does not wait for lanes that have returned, or that a block's last warp does not have;
 * they have no value to read. Participating lanes must call the same method with the same members.
 */
public final class Warp {
  static final int ALL = 0xffffffff;

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
   * Waits until all lanes have called it. Their earlier writes to memory are then visible to each
   * of them.
   */
  @Instruction(value = "bar.warp.sync 0xffffffff;", convergent = true)
  public void sync() {
    meetings().meet("sync", ALL, 0);
  }

  /**
   * Waits until some lanes have called it.
   *
   * @param members the lanes
   */
  @Instruction(value = "bar.warp.sync $0;", convergent = true)
  public void sync(int members) {
    meetings().meet("sync", members, 0);
  }

  /**
   * {@return the value of another lane}
   *
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffle(int value, int lane) {
    return (int) meetings().meet("shuffle", ALL, value).from(lane & 31);
  }

  /**
   * {@return the value of another lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffle(int members, int value, int lane) {
    return (int) meetings().meet("shuffle", members, value).from(lane & 31);
  }

  /**
   * {@return the value of another lane}
   *
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public float shuffle(float value, int lane) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffle", ALL, Float.floatToRawIntBits(value)).from(lane & 31));
  }

  /**
   * {@return the value of another lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $1, $2, 31, $0;", convergent = true)
  public float shuffle(int members, float value, int lane) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffle", members, Float.floatToRawIntBits(value)).from(lane & 31));
  }

  /**
   * {@return the value of another lane}
   *
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
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
   * {@return the value of another lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
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
   * {@return the value of another lane}
   *
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
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
   * {@return the value of another lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param lane the lane whose value to read, modulo 32
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
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far below, modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $0, $1, 0, 0xffffffff;", convergent = true)
  public int shuffleUp(int value, int delta) {
    return (int) meetings().meet("shuffleUp", ALL, value).from(up(delta));
  }

  /**
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far below, modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $1, $2, 0, $0;", convergent = true)
  public int shuffleUp(int members, int value, int delta) {
    return (int) meetings().meet("shuffleUp", members, value).from(up(delta));
  }

  /**
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far below, modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $0, $1, 0, 0xffffffff;", convergent = true)
  public float shuffleUp(float value, int delta) {
    return Float.intBitsToFloat(
        (int) meetings().meet("shuffleUp", ALL, Float.floatToRawIntBits(value)).from(up(delta)));
  }

  /**
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far below, modulo 32
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $1, $2, 0, $0;", convergent = true)
  public float shuffleUp(int members, float value, int delta) {
    return Float.intBitsToFloat(
        (int)
            meetings().meet("shuffleUp", members, Float.floatToRawIntBits(value)).from(up(delta)));
  }

  /**
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far below, modulo 32
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
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far below, modulo 32
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
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far below, modulo 32
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
   * {@return the value of the lane {@code delta} below; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far below, modulo 32
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
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far above, modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffleDown(int value, int delta) {
    return (int) meetings().meet("shuffleDown", ALL, value).from(down(delta));
  }

  /**
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far above, modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffleDown(int members, int value, int delta) {
    return (int) meetings().meet("shuffleDown", members, value).from(down(delta));
  }

  /**
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far above, modulo 32
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public float shuffleDown(float value, int delta) {
    return Float.intBitsToFloat(
        (int)
            meetings().meet("shuffleDown", ALL, Float.floatToRawIntBits(value)).from(down(delta)));
  }

  /**
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far above, modulo 32
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
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far above, modulo 32
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
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far above, modulo 32
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
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param value this lane's value
   * @param delta how far above, modulo 32
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
   * {@return the value of the lane {@code delta} above; the own value if there is no such lane}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param delta how far above, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $0, $1, 31, 0xffffffff;", convergent = true)
  public int shuffleXor(int value, int mask) {
    return (int) meetings().meet("shuffleXor", ALL, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $1, $2, 31, $0;", convergent = true)
  public int shuffleXor(int members, int value, int mask) {
    return (int) meetings().meet("shuffleXor", members, value).from(lane() ^ (mask & 31));
  }

  /**
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return the value of the lane with the number {@code lane() ^ mask}}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   * @param mask the bits of the own number to flip, modulo 32
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
   * {@return a mask of the lanes whose condition is true, lane 0 lowest}
   *
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.ballot.b32 $r, $0, 0xffffffff;", convergent = true)
  public int ballot(boolean condition) {
    return meetings().meet("ballot", ALL, condition ? 1 : 0).votes();
  }

  /**
   * {@return a mask of the lanes whose condition is true, lane 0 lowest}
   *
   * @param members the lanes that take part
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.ballot.b32 $r, $1, $0;", convergent = true)
  public int ballot(int members, boolean condition) {
    return meetings().meet("ballot", members, condition ? 1 : 0).votes();
  }

  /**
   * {@return whether any lane's condition is true}
   *
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.any.pred $r, $0, 0xffffffff;", convergent = true)
  public boolean any(boolean condition) {
    return meetings().meet("any", ALL, condition ? 1 : 0).votes() != 0;
  }

  /**
   * {@return whether any lane's condition is true}
   *
   * @param members the lanes that take part
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.any.pred $r, $1, $0;", convergent = true)
  public boolean any(int members, boolean condition) {
    return meetings().meet("any", members, condition ? 1 : 0).votes() != 0;
  }

  /**
   * {@return whether every lane's condition is true}
   *
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.all.pred $r, $0, 0xffffffff;", convergent = true)
  public boolean all(boolean condition) {
    return meetings().meet("all", ALL, condition ? 1 : 0).isUnanimous();
  }

  /**
   * {@return whether every lane's condition is true}
   *
   * @param members the lanes that take part
   * @param condition this lane's value
   */
  @Instruction(value = "vote.sync.all.pred $r, $1, $0;", convergent = true)
  public boolean all(int members, boolean condition) {
    return meetings().meet("all", members, condition ? 1 : 0).isUnanimous();
  }

  /**
   * {@return a mask of the lanes with the same value as this one, lane 0 lowest}
   *
   * @param value this lane's value
   */
  @Instruction(value = "match.any.sync.b32 $r, $0, 0xffffffff;", convergent = true)
  public int matchAny(int value) {
    return meetings().meet("matchAny", ALL, value).same(lane());
  }

  /**
   * {@return a mask of the lanes with the same value as this one, lane 0 lowest}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(value = "match.any.sync.b32 $r, $1, $0;", convergent = true)
  public int matchAny(int members, int value) {
    return meetings().meet("matchAny", members, value).same(lane());
  }

  /**
   * {@return a mask of the lanes with the same value as this one, lane 0 lowest}
   *
   * @param value this lane's value
   */
  @Instruction(value = "match.any.sync.b64 $r, $0, 0xffffffff;", convergent = true)
  public int matchAny(long value) {
    return meetings().meet("matchAny of 64 bits", ALL, value).same(lane());
  }

  /**
   * {@return a mask of the lanes with the same value as this one, lane 0 lowest}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(value = "match.any.sync.b64 $r, $1, $0;", convergent = true)
  public int matchAny(int members, long value) {
    return meetings().meet("matchAny of 64 bits", members, value).same(lane());
  }

  /**
   * {@return the sum of the lanes' values, which wraps around}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.add.s32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "add.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceAdd(int value) {
    return meetings().meet("reduceAdd", ALL, value).reduce(Integer::sum);
  }

  /**
   * {@return the sum of the lanes' values, which wraps around}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.add.s32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "add.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceAdd(int members, int value) {
    return meetings().meet("reduceAdd", members, value).reduce(Integer::sum);
  }

  /**
   * {@return the smallest of the lanes' values}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.min.s32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0x7FFFFFFF;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "min.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceMin(int value) {
    return meetings().meet("reduceMin", ALL, value).reduce(Math::min);
  }

  /**
   * {@return the smallest of the lanes' values}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.min.s32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0x7FFFFFFF;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "min.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceMin(int members, int value) {
    return meetings().meet("reduceMin", members, value).reduce(Math::min);
  }

  /**
   * {@return the largest of the lanes' values}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.max.s32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0x80000000;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "max.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceMax(int value) {
    return meetings().meet("reduceMax", ALL, value).reduce(Math::max);
  }

  /**
   * {@return the largest of the lanes' values}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.max.s32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0x80000000;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "max.s32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceMax(int members, int value) {
    return meetings().meet("reduceMax", members, value).reduce(Math::max);
  }

  /**
   * {@return the bits that are set in all lanes' values}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.and.b32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0xFFFFFFFF;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "and.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceAnd(int value) {
    return meetings().meet("reduceAnd", ALL, value).reduce((a, b) -> a & b);
  }

  /**
   * {@return the bits that are set in all lanes' values}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.and.b32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0xFFFFFFFF;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "and.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceAnd(int members, int value) {
    return meetings().meet("reduceAnd", members, value).reduce((a, b) -> a & b);
  }

  /**
   * {@return the bits that are set in any lane's value}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.or.b32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "or.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceOr(int value) {
    return meetings().meet("reduceOr", ALL, value).reduce((a, b) -> a | b);
  }

  /**
   * {@return the bits that are set in any lane's value}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.or.b32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "or.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceOr(int members, int value) {
    return meetings().meet("reduceOr", members, value).reduce((a, b) -> a | b);
  }

  /**
   * {@return the bits that are set in an odd number of lanes' values}
   *
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.xor.b32 $r, $0, 0xffffffff;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $0;",
        "mov.b32 members, 0xffffffff;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "xor.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceXor(int value) {
    return meetings().meet("reduceXor", ALL, value).reduce((a, b) -> a ^ b);
  }

  /**
   * {@return the bits that are set in an odd number of lanes' values}
   *
   * @param members the lanes that take part
   * @param value this lane's value
   */
  @Instruction(
      value = "redux.sync.xor.b32 $r, $1, $0;",
      convergent = true,
      sm = 80,
      on75 = {
        "{",
        ".reg .b32 members, left, lane, bit, own, other, all;",
        ".reg .pred more;",
        "mov.b32 own, $1;",
        "mov.b32 members, $0;",
        "mov.b32 all, 0;",
        "mov.pred more, 1;",
        "vote.sync.ballot.b32 left, more, members;",
        "next:",
        "bfind.u32 lane, left;",
        "shfl.sync.idx.b32 other, own, lane, 31, members;",
        "xor.b32 all, all, other;",
        "shl.b32 bit, 1, lane;",
        "xor.b32 left, left, bit;",
        "setp.ne.s32 more, left, 0;",
        "@more bra next;",
        "mov.b32 $r, all;",
        "}"
      })
  public int reduceXor(int members, int value) {
    return meetings().meet("reduceXor", members, value).reduce((a, b) -> a ^ b);
  }

  /**
   * {@return the sum of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public long reduceAdd(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the smallest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public long reduceMin(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the largest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public long reduceMax(long value) {
    long result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the sum of all 32 lanes' values, added up in pairs: the same on every lane}
   *
   * @param value this lane's value
   */
  public float reduceAdd(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the smallest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public float reduceMin(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the largest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public float reduceMax(float value) {
    float result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the sum of all 32 lanes' values, added up in pairs: the same on every lane}
   *
   * @param value this lane's value
   */
  public double reduceAdd(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = result + shuffleXor(result, distance);
    }
    return result;
  }

  /**
   * {@return the smallest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public double reduceMin(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.min(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return the largest of all 32 lanes' values}
   *
   * @param value this lane's value
   */
  public double reduceMax(double value) {
    double result = value;
    for (int distance = 16; distance > 0; distance >>= 1) {
      result = Math.max(result, shuffleXor(result, distance));
    }
    return result;
  }

  /**
   * {@return a mask of lanes that execute together with this one, including it, lane 0 lowest} The
   * device chooses the other lanes: nothing may depend on them. On a virtual device the lane is
   * alone.
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

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(value = "shfl.sync.idx.b32 $r, $1, $2, $3, $0;", convergent = true)
  int shuffleWithin(int members, int value, int lane, int clamp) {
    return (int) meetings().meet("shuffle of lanes", members, value).from(at(clamp, lane));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.idx.b32 low, low, $2, $3, $0;",
        "shfl.sync.idx.b32 high, high, $2, $3, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  long shuffleWithin(int members, long value, int lane, int clamp) {
    return meetings().meet("shuffle of 64 bits of lanes", members, value).from(at(clamp, lane));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(value = "shfl.sync.up.b32 $r, $1, $2, $3, $0;", convergent = true)
  int shuffleUpWithin(int members, int value, int delta, int clamp) {
    return (int) meetings().meet("shuffleUp of lanes", members, value).from(up(clamp, delta));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.up.b32 low, low, $2, $3, $0;",
        "shfl.sync.up.b32 high, high, $2, $3, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  long shuffleUpWithin(int members, long value, int delta, int clamp) {
    return meetings().meet("shuffleUp of 64 bits of lanes", members, value).from(up(clamp, delta));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(value = "shfl.sync.down.b32 $r, $1, $2, $3, $0;", convergent = true)
  int shuffleDownWithin(int members, int value, int delta, int clamp) {
    return (int) meetings().meet("shuffleDown of lanes", members, value).from(down(clamp, delta));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.down.b32 low, low, $2, $3, $0;",
        "shfl.sync.down.b32 high, high, $2, $3, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  long shuffleDownWithin(int members, long value, int delta, int clamp) {
    return meetings()
        .meet("shuffleDown of 64 bits of lanes", members, value)
        .from(down(clamp, delta));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(value = "shfl.sync.bfly.b32 $r, $1, $2, $3, $0;", convergent = true)
  int shuffleXorWithin(int members, int value, int mask, int clamp) {
    return (int) meetings().meet("shuffleXor of lanes", members, value).from(flipped(clamp, mask));
  }

  /**
   * The same within a segment of the warp, for {@link Tile}.
   *
   * @param clamp the lane's segment and its last lane, as the instruction takes them
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 low, high;",
        "mov.b64 {low, high}, $1;",
        "shfl.sync.bfly.b32 low, low, $2, $3, $0;",
        "shfl.sync.bfly.b32 high, high, $2, $3, $0;",
        "mov.b64 $r, {low, high};",
        "}"
      },
      convergent = true)
  long shuffleXorWithin(int members, long value, int mask, int clamp) {
    return meetings()
        .meet("shuffleXor of 64 bits of lanes", members, value)
        .from(flipped(clamp, mask));
  }

  /**
   * {@return the part of the warp that the thread belongs to: the lanes 0 to {@code lanes - 1}, the
   * next ones, and so on}
   *
   * @param lanes how many lanes a part has: 2, 4, 8, 16 or 32
   */
  public Tile tile(@Const int lanes) {
    CopyNotes.require(
        lanes >= 2 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
        "a tile whose number of lanes is not 2, 4, 8, 16 or 32",
        "make it one of these");
    CopyPromises.wholeTiles(block, lanes);
    return new Tile(block, this, lanes);
  }

  private int up(int delta) {
    int source = lane() - (delta & 31);
    return source < 0 ? lane() : source;
  }

  private int down(int delta) {
    int source = lane() + (delta & 31);
    return source > 31 ? lane() : source;
  }

  /** The same as {@link #sync(int)}; left out where the lanes have met already. */
  @Instruction(value = "bar.warp.sync $0;", convergent = true)
  void meet(int members) {
    sync(members);
  }

  /** Lets lanes leave their pipeline together: they meet, and no lane does anything else. */
  @Instruction(value = "bar.warp.sync $0;", convergent = true)
  void quit(int members) {
    meetings().meet("quit", members, 0);
  }

  private int at(int clamp, int lane) {
    int segment = clamp >> 8;
    return (lane() & segment) | (lane & 31 & ~segment);
  }

  private int up(int clamp, int delta) {
    int source = lane() - (delta & 31);
    return source < (lane() & (clamp >> 8)) ? lane() : source;
  }

  private int down(int clamp, int delta) {
    int source = lane() + (delta & 31);
    return source > (lane() | (31 & ~(clamp >> 8))) ? lane() : source;
  }

  private int flipped(int clamp, int mask) {
    return lane() ^ (mask & 31 & ~(clamp >> 8));
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

  /** {@return the thread's number in its warp, as {@link #lane()}} */
  public int threadRank() {
    return lane();
  }

  /**
   * {@return a pipeline of this warp, in which each of its lanes produces and consumes} All lanes
   * make it together, and wait for each other. They also wait for each other, as at {@link
   * #sync()}, in {@link Pipeline#producerCommit()} and {@link Pipeline#consumerRelease()}, so that
   * one arrives for all, and have to call {@link Pipeline#quit()} together.
   *
   * @param stages how many, 1 or more
   * @param warps how many warps of the block have one at most: each takes {@link Pipeline#bytes} of
   *     shared memory
   */
  public Pipeline pipeline(@Const int stages, @Const int warps) {
    CopyPromises.stages(stages);
    Pipeline made =
        Pipeline.ofAll(
            memory(stages, warps), stages, lane(), size(), PipelineLanes.of(this, ALL, 32, lane()));
    sync();
    return made;
  }

  /**
   * {@return a pipeline of this warp, in which some lanes produce and the others consume} All lanes
   * make it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   * @param warps how many warps of the block have one at most: each takes {@link Pipeline#bytes} of
   *     shared memory
   * @param producer whether this lane produces; at least one does, and at least one does not
   */
  public Pipeline pipeline(@Const int stages, @Const int warps, boolean producer) {
    CopyPromises.stages(stages);
    int producers = Integer.bitCount(ballot(producer));
    Pipeline made =
        Pipeline.ofRoles(memory(stages, warps), stages, lane(), size(), this, producers, producer);
    sync();
    return made;
  }

  private PipelineMemory memory(int stages, int warps) {
    return PipelineMemory.of(
        block.sharedBytes(Pipeline.bytes(stages) * warps), stages, index(), warps);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. The
   * copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for.
   * Same as {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an alignment
   * of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
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
   * until then the content of the destination is undefined, and the source must not change.
   * Depending on the alignment, they become {@code cp.async} of 16, 8 or 4 bytes per thread, or
   * plain loads and stores if it is below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
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
    CopyNotes.beginsInWarp(to, toIndex, from, fromIndex, count);
    CopyLowering.chunksToShared(
        lane(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
    StoreGroups.commit(CopyNotes.capability());
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. A
   * thread that waits for the current phase of the barrier sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param barrier the barrier that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, barrier);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. A
   * thread that waits for the current phase of the barrier sees them. With an alignment of 16 or
   * more, on compute capability 9.0, one thread begins a bulk copy; otherwise the copies become
   * {@code cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is
   * below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param barrier the barrier that the copies complete on
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
    CopyNotes.beginsInWarp(to, toIndex, from, fromIndex, count);
    barrier.copy(lane(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. A
   * thread that waits for the stage being produced sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param pipeline the pipeline that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, pipeline);
  }

  /**
   * Begins to copy elements to shared memory; all lanes of the warp call it and share the work. A
   * thread that waits for the stage being produced sees them. With an alignment of 16 or more, on
   * compute capability 9.0, one thread begins a bulk copy; otherwise the copies become {@code
   * cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is below
   * 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
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
    CopyNotes.beginsInWarp(to, toIndex, from, fromIndex, count);
    pipeline.copy(lane(), size(), 32, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Begins to copy elements to global memory; all lanes of the warp call it and share the work.
   * Same as {@link #memcpyAsync(GlobalArray, long, SharedArray, int, int, int)} with an alignment
   * of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to, long toIndex, SharedArray from, int fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to global memory; all lanes of the warp call it and share the work. The
   * copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for;
   * until then the content of the destination is undefined, and the source must not change. A
   * kernel that ends without a wait completes them.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * <p>Its group is counted by the instructions of {@link PtxCopies} and {@link PtxBulkCopies} too.
   * PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk".
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
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
    CopyNotes.beginsInWarp(from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(lane(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    CopyLowering.toGlobal(
        CopyNotes.capability(),
        bulk,
        lane(),
        size(),
        to,
        toIndex,
        from,
        fromIndex,
        count,
        alignment,
        CopyLowering.GROUP);
  }

  /**
   * Begins to copy elements to global memory; all lanes of the warp call it and share the work. A
   * thread that waits for the stage being produced sees them; until then the content of the
   * destination is undefined, and the source must not change. The thread that begins a bulk copy
   * arrives at the stage's barrier when it waits for that stage itself; if it is a producer only,
   * its {@link Pipeline#producerCommit()} waits until the copy is complete.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
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
      @Const int alignment,
      Pipeline pipeline) {
    CopyNotes.beginsInWarp(from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(lane(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    pipeline.copyToGlobal(bulk, lane(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all groups of {@code memcpyAsync} copies, and then for the other lanes. */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    StoreGroups.await(CopyNotes.capability(), 0);
    sync();
  }

  /**
   * Waits for all groups of {@code memcpyAsync} copies but the newest ones, and then for the other
   * lanes.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    StoreGroups.await(CopyNotes.capability(), groups);
    sync();
  }
}
