package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.Mutations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ModuleImageTest {
  private static ModuleImage load(String ptx) {
    return ModuleImage.load(ptx.getBytes(StandardCharsets.UTF_8));
  }

  private static DriverException refused(String ptx) {
    DriverException e = catchThrowableOfType(DriverException.class, () -> load(ptx));
    assertThat(e.kind()).isEqualTo(DriverException.Kind.BAD_IMAGE);
    assertThat(e.code()).isEqualTo(218);
    assertThat(e).hasMessageContaining("ptxas fatal   : Ptx assembly aborted due to errors");
    return e;
  }

  @Test
  void ptxIsLoadedWithAndWithoutAClosingZero() {
    load(Rig.PTX).entry("body");
    load(Rig.PTX + "\0").entry("body");
    load("// a comment { with a brace\n/* .entry no( */\n" + Rig.PTX).entry("body");
  }

  @Test
  void aMissingVersionIsReportedWithItsLine() {
    assertThat(refused("\n\n.target sm_80\n.entry a() {}"))
        .hasMessageContaining(
            "ptxas application ptx input, line 3; error   : Missing .version directive");
    assertThat(refused("")).hasMessageContaining("line 1; error   : Missing .version directive");
  }

  @Test
  void aMissingTargetIsReportedWithItsLine() {
    assertThat(refused(".version 8.0\n.address_size 64\n"))
        .hasMessageContaining("ptxas application ptx input, line 2; error   : Missing .target");
    assertThat(refused(".version 8.0\n\n"))
        .hasMessageContaining("ptxas application ptx input, line 3; error   : Missing .target");
  }

  @Test
  void unbalancedBracesAreReportedWithTheirLines() {
    assertThat(refused(".version 8.0\n.target sm_80\n.entry a()\n{ ret; }\n}\n"))
        .hasMessageContaining(
            "ptxas application ptx input, line 5; error   : Parsing error near '}': syntax error");
    assertThat(refused(".version 8.0\n.target sm_80\n.entry a()\n{ { ret; }\n"))
        .hasMessageContaining("line 4; error   : Parsing error near '{': it is never closed");
  }

  @Test
  void anEntryThatIsDefinedTwiceIsReported() {
    assertThat(refused(Rig.PTX + "\n.entry body() {}\n"))
        .hasMessageContaining("line 6; error   : Duplicate definition of function 'body'");
  }

  @Test
  void whatIsNeitherTextNorElfIsNoImage() {
    DriverException e =
        catchThrowableOfType(
            DriverException.class, () -> ModuleImage.load(new byte[] {(byte) 0xC3, 0x28}));
    assertThat(e.kind()).isEqualTo(DriverException.Kind.BAD_IMAGE);
    assertThat(e.code()).isEqualTo(200);
  }

  @Test
  void aCubinHasItsEntriesAndTheirSharedMemory() throws IOException {
    ModuleImage image = ModuleImage.load(Mutations.cubin());
    assertThat(image.entry("add").sharedBytes()).isEqualTo(256);
    assertThat(image.entry("idle").sharedBytes()).isZero();
    assertThatThrownBy(() -> image.entry("nobody")).hasMessageContaining("has no entry 'nobody'");
  }

  @Test
  void aCubinThatIsCutOffIsNoImage() {
    DriverException e =
        catchThrowableOfType(
            DriverException.class, () -> ModuleImage.load(new byte[] {0x7F, 'E', 'L', 'F', 2, 1}));
    assertThat(e.kind()).isEqualTo(DriverException.Kind.BAD_IMAGE);
    assertThat(e).hasMessageContaining("6 bytes that are not a whole cubin: the header is cut off");
  }

  @Test
  void anEntryThatIsNotThereIsNotFound() {
    assertThatThrownBy(() -> load(Rig.PTX).entry("nobody"))
        .isInstanceOfSatisfying(
            DriverException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(DriverException.Kind.BAD_IMAGE);
              assertThat(e.code()).isEqualTo(500);
            })
        .hasMessageContaining("has no entry 'nobody'; it has [body]");
  }

  @Test
  void staticSharedMemoryAndTheMostThreadsAreRead() {
    ModuleImage image =
        load(
            """
            .version 8.0
            .target sm_80
            .shared .align 4 .b8 outside[64];
            .extern .shared .align 16 .b8 dynamic[];
            .visible .entry one() .maxntid 64, 2, 1 { .shared .f32 tile[16][17]; ret; }
            .visible .entry two() { .shared .align 8 .b64 barrier; ret; }
            """);
    assertThat(image.entry("one").sharedBytes()).isEqualTo(64 + 4 * 16 * 17);
    assertThat(image.entry("one").maxThreadsPerBlock()).isEqualTo(128);
    assertThat(image.entry("two").sharedBytes()).isEqualTo(64 + 8);
    assertThat(image.entry("two").maxThreadsPerBlock()).isEqualTo(1024);
  }

  @Test
  void tooMuchStaticSharedMemoryIsRefusedAsTheAssemblerDoes() {
    String head = ".version 8.0\n.target sm_80\n";
    assertThat(refused(head + ".entry two() { .shared .align 4 .b8 t[50000]; ret; }"))
        .hasMessageContaining(
            "line 3; error   : Entry function 'two' uses too much shared data (0xc350 bytes, 0xc000"
                + " max)");
    assertThat(refused(head + ".entry two() { .shared .b8 t[46341][46341]; ret; }"))
        .hasMessageContaining("uses too much shared data (0x40000000 bytes");
    // What an entry does not use, the assembler leaves out: no more is known than that it is there.
    ModuleImage outside = load(head + ".shared .b8 t[46341][46341];\n.entry two() { ret; }");
    assertThat(outside.entry("two").sharedBytes()).isEqualTo(1 << 30);
  }

  @Test
  void numbersThatNoRegisterHoldsAreRefused() {
    String head = ".version 8.0\n.target sm_80\n";
    String many = "9".repeat(30);
    for (String wrong :
        new String[] {
          ".shared .b8 t[" + many + "];\n.entry two() { ret; }",
          ".shared .b" + many + " t;\n.entry two() { ret; }",
          ".entry two() .maxntid 1, " + many + " { ret; }"
        }) {
      assertThat(refused(head + wrong)).hasMessageContaining("line 3; error   : Constant overflow");
    }
    load(head + ".shared .b8 t[" + "0".repeat(30) + "4];\n.entry two() { ret; }").entry("two");
  }

  @Test
  void aCommentThatDoesNotEndIsReportedWithItsLine() {
    assertThat(refused(Rig.PTX + "\n/* and so on"))
        .hasMessageContaining("line 6; error   : Parsing error near '': unexpected EOF");
  }

  @Test
  void anUnloadedModuleTakesItsKernelsAlong() {
    try (Rig rig = new Rig("")) {
      long module = rig.device.loadModule(Rig.PTX.getBytes(StandardCharsets.UTF_8));
      long other = rig.kernel(() -> {});
      rig.device.unloadModule(module);
      assertThatThrownBy(() -> rig.device.unloadModule(module)).hasMessageContaining("no module");
      rig.device.functionProperties(other);
      assertThatThrownBy(() -> rig.device.functionProperties(module))
          .hasMessageContaining("no function");
    }
  }
}
