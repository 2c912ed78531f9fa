package dev.stretto.kernel;

/**
 * The PTX that does on compute capability 7.5 what newer devices have instructions for.
 *
 * <p>A barrier object there is a word of 64 bits: the arrivals that each phase needs in the lower
 * half, those that the current phase still lacks in the upper one, and the parity of the current
 * phase in the highest bit. An arrival exchanges the word by compare and swap, so that the last one
 * of a phase also begins the next phase. It releases what the thread has written, and acquires what
 * those before it have; a wait acquires the word. This is how libcu++ makes a {@code cuda::barrier}
 * there, whose arrivals are additions.
 */
final class Turing {
  /** Makes a barrier with a number of arrivals, parameter 2. */
  static final String MAKE_BARRIER =
      """
      {
      .reg .b64 word;
      mov.b64 word, {$2, $2};
      st.shared.b64 [$0[1]], word;
      }\
      """;

  /** Opens a scope that sets {@code count} and {@code drop} for {@link #ARRIVE}. */
  static final String BEGIN_ARRIVAL =
      """
      {
      .reg .pred last, more;
      .reg .b32 count, drop, needed, lacking, next, rest;
      .reg .b64 old, new, found;\
      """;

  /** Arrives, and leaves the word as it was before in {@code old}. */
  static final String ARRIVE =
      """
      ld.volatile.shared.b64 found, [$0[1]];
      again:
      mov.b64 old, found;
      mov.b64 {needed, lacking}, old;
      sub.s32 needed, needed, drop;
      sub.s32 lacking, lacking, count;
      and.b32 rest, lacking, 0x7FFFFFFF;
      setp.eq.s32 last, rest, 0;
      xor.b32 next, lacking, 0x80000000;
      or.b32 next, next, needed;
      selp.b32 lacking, next, lacking, last;
      mov.b64 new, {needed, lacking};
      atom.acq_rel.cta.shared.cas.b64 found, [$0[1]], old, new;
      setp.ne.s64 more, found, old;
      @more bra again;\
      """;

  /** Whether the phase of a state, parameter 2, has ended: the parity is another one. */
  static final String TEST =
      """
      ld.acquire.cta.shared.b64 word, [$0[1]];
      xor.b64 word, word, $2;
      setp.lt.s64 $r, word, 0;\
      """;

  /** Whether the phase of a parity, parameter 2, has ended. */
  static final String TEST_PARITY =
      """
      ld.acquire.cta.shared.b64 word, [$0[1]];
      shr.u64 word, word, 63;
      cvt.u32.u64 phase, word;
      setp.ne.s32 $r, phase, $2;\
      """;

  /** Prepares a copy of as many bytes as parameter 4 says. */
  static final String COPY_SOME =
      """
      .reg .b64 from;
      .reg .b32 to, at, value;
      .reg .pred more, given;
      mov.b64 from, $&2[3?4];
      mov.b32 to, $&0[1];
      mov.b32 at, 0;\
      """;

  /** Copies the next byte, or stores 0 if no byte is left. */
  static final String COPY_BYTE =
      """
      setp.lt.s32 given, at, $4;
      mov.b32 value, 0;
      @given ld.global.u8 value, [from];
      st.shared.u8 [to], value;
      add.s64 from, from, 1;
      add.s32 to, to, 1;
      add.s32 at, at, 1;\
      """;

  /** Two floats, rounded to binary16. */
  static final String PAIR_OF_F16 =
      """
      {
      .reg .b16 high, low;
      cvt.rn.f16.f32 high, $0;
      cvt.rn.f16.f32 low, $1;
      mov.b32 $r, {low, high};
      }\
      """;

  /** Two floats, rounded to bfloat16. */
  static final String PAIR_OF_BF16 =
      """
      {
      .reg .b32 high, low, up;
      .reg .pred number;
      mov.b32 high, $0;
      bfe.u32 up, high, 16, 1;
      add.s32 up, up, 0x7FFF;
      add.s32 high, high, up;
      setp.num.f32 number, $0, $0;
      selp.b32 high, high, 0x7FFF0000, number;
      mov.b32 low, $1;
      bfe.u32 up, low, 16, 1;
      add.s32 up, up, 0x7FFF;
      add.s32 low, low, up;
      setp.num.f32 number, $1, $1;
      selp.b32 low, low, 0x7FFF0000, number;
      shr.u32 low, low, 16;
      and.b32 high, high, 0xFFFF0000;
      or.b32 $r, high, low;
      }\
      """;

  /** The halves of two pairs as floats: the lower ones a and c, the upper ones b and d. */
  static final String HALVES =
      """
      {
      .reg .b32 x, y;
      .reg .b16 none, half, other;
      .reg .f32 a, b, c, d;
      shl.b32 x, $0, 16;
      mov.b32 {none, half}, x;
      cvt.f32.f16 a, half;
      mov.b32 {none, half}, $0;
      cvt.f32.f16 b, half;
      shl.b32 y, $1, 16;
      mov.b32 {none, half}, y;
      cvt.f32.f16 c, half;
      mov.b32 {none, half}, $1;
      cvt.f32.f16 d, half;\
      """;

  /** The pair of the floats a and b. */
  static final String JOINED_HALVES =
      """
      cvt.rn.f16.f32 half, a;
      cvt.rn.f16.f32 other, b;
      mov.b32 $r, {half, other};
      }\
      """;

  private Turing() {}
}
