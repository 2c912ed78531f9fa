package dev.stretto.driver.cuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stretto.driver.DriverException;

/**
 * The kernel that sets the conditions of graphs: its single thread reads an int and passes it to
 * the driver. It calls {@code cudaGraphSetConditional}, which is in no library of the toolkit: the
 * driver itself links it in when it loads a module.
 */
final class Conditions {
  private static final String ENTRY = "stretto_condition";

  private static final String PTX =
      """
      .version 7.0
      .target sm_52
      .address_size 64
      .extern .func cudaGraphSetConditional
      (
        .param .b64 cudaGraphSetConditional_param_0,
        .param .b32 cudaGraphSetConditional_param_1
      )
      ;
      .visible .entry stretto_condition(
        .param .u64 handle,
        .param .u64 condition
      )
      {
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [handle];
        ld.param.u64 %rd2, [condition];
        cvta.to.global.u64 %rd3, %rd2;
        ld.volatile.global.u32 %r1, [%rd3];
        {
          .param .b64 param0;
          st.param.b64 [param0+0], %rd1;
          .param .b32 param1;
          st.param.b32 [param1+0], %r1;
          call.uni cudaGraphSetConditional, (param0, param1);
        }
        ret;
      }
      """;

  private final Modules modules;
  private long module;
  private long function;

  Conditions(Modules modules) {
    this.modules = modules;
  }

  /** {@return the kernel} Its parameters are the driver's handle and the int's address. */
  synchronized long kernel() {
    Context.assertMayBlock("loading the kernel of conditions");
    if (function == 0) {
      long loaded = modules.load(PTX.getBytes(UTF_8));
      try {
        function = modules.function(loaded, ENTRY);
      } catch (DriverException e) {
        modules.unload(loaded);
        throw e;
      }
      module = loaded;
    }
    return function;
  }

  /** Unloads the kernel. No graph may still use it. */
  synchronized void close() {
    if (module != 0) {
      modules.unload(module);
      module = 0;
      function = 0;
    }
  }
}
