package dev.stretto.flow;

import dev.stretto.Grid;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelImage;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import java.util.Random;

/** A stage whose work can be checked: it adds one to every byte. */
final class AddOne {
  /** Adds one to every byte; made by hand, as nvcc would for {@code if (i < n) y[i] = x[i] + 1}. */
  private static final String PTX =
      """
      .version 7.0
      .target sm_80
      .address_size 64
      .visible .entry addOne(.param .u64 x, .param .u64 y, .param .u64 n) {
        .reg .pred %p;
        .reg .b16 %h;
        .reg .b32 %r<4>;
        .reg .b64 %d<8>;
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mul.wide.u32 %d1, %r1, %r2;
        cvt.u64.u32 %d2, %r3;
        add.u64 %d1, %d1, %d2;
        ld.param.u64 %d3, [n];
        setp.ge.u64 %p, %d1, %d3;
        @%p bra DONE;
        ld.param.u64 %d4, [x];
        ld.param.u64 %d5, [y];
        cvta.to.global.u64 %d4, %d4;
        cvta.to.global.u64 %d5, %d5;
        add.u64 %d4, %d4, %d1;
        add.u64 %d5, %d5, %d1;
        ld.global.u8 %h, [%d4];
        add.u16 %h, %h, 1;
        st.global.u8 [%d5], %h;
      DONE:
        ret;
      }
      """;

  static final DeviceKernel ADD_ONE =
      DeviceKernel.of(KernelImage.ofPtx(PTX), "addOne", AddOne.class, "addOne");

  static final Stage STAGE =
      (stream, chunk) ->
          stream.launch(
              Grid.covering(chunk.byteSize(), 256),
              ADD_ONE,
              chunk.in(),
              chunk.out(),
              chunk.byteSize());

  private AddOne() {}

  static void addOne(ThreadBlock block, GlobalBytes x, GlobalBytes y, long n) {
    long i = block.globalIndexX();
    if (i < n) {
      y.set(i, (byte) (x.get(i) + 1));
    }
  }

  static byte[] random(int bytes) {
    byte[] data = new byte[bytes];
    new Random(bytes).nextBytes(data);
    return data;
  }

  static byte[] plusOne(byte[] data) {
    byte[] expected = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
      expected[i] = (byte) (data[i] + 1);
    }
    return expected;
  }
}
