package dev.stretto.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.ir.Trap;
import dev.stretto.compiler.ptx.FaultSite;
import dev.stretto.compiler.ptx.PtxText;
import java.util.List;
import org.junit.jupiter.api.Test;

class PtxLinesTest {
  private static final String BEGIN =
      ".version 8.0\n\n.visible .entry k(\n)\n{\n\t.reg .b32 %r<2>;\n";

  private static List<PtxLines.Line> lines(String body, FaultSite... faults) {
    return PtxLines.of(
        new PtxText(BEGIN + "\n" + body + "}\n", "k", List.of(faults), 0, 0), "K.java");
  }

  private static PtxLines.Line line(String file, int number, String... ptx) {
    return new PtxLines.Line(new PtxLines.Place(file, number), List.of(ptx));
  }

  @Test
  void aLineThatComesBackIsOneLine() {
    assertThat(
            lines(
                """
                	ld.param.b32 %r1, [param0];
                	// Other.java:9
                	mov.u32 %r0, %tid.x;
                	// K.java:7
                	add.s32 %r0, %r0, 1;
                	// K.java:3
                	add.s32 %r0, %r0, 2;
                	// K.java:7
                	add.s32 %r0, %r0, 3;
                	ret;
                """))
        .containsExactly(
            line("K.java", 0, "ld.param.b32 %r1, [param0];"),
            line("K.java", 3, "add.s32 %r0, %r0, 2;"),
            line("K.java", 7, "add.s32 %r0, %r0, 1;", "add.s32 %r0, %r0, 3;", "ret;"),
            line("Other.java", 9, "mov.u32 %r0, %tid.x;"));
  }

  @Test
  void aLabelStandsBeforeTheInstructionBehindIt() {
    assertThat(
            lines(
                """
                	// K.java:1
                	@%p1 bra $L2;
                $L1:
                $L2:
                	// K.java:2
                	ret;
                """))
        .containsExactly(
            line("K.java", 1, "@%p1 bra $L2;"), line("K.java", 2, "$L1:", "$L2:", "ret;"));
  }

  @Test
  void whatStandsBehindAKernelBelongsToWhereItIsJumpedFrom() {
    FaultSite site = new FaultSite(new Trap(Trap.Kind.INDEX, ""), "K.java", 1, "K.k");
    assertThat(
            lines(
                """
                	// K.java:1
                	@!%p0 bra $F0;
                	@%p1 bra $E0;
                	// K.java:2
                	ret;
                $E0:
                	mov.b32 %r0, %r1;
                	bra $L1;
                $F0:
                	mov.u32 %r0, 0;
                	bra $FAIL;
                $FAIL:
                	trap;
                """,
                site))
        .containsExactly(
            line("K.java", 0, "$FAIL:", "trap;"),
            line(
                "K.java",
                1,
                "@!%p0 bra $F0;",
                "@%p1 bra $E0;",
                "$E0:",
                "mov.b32 %r0, %r1;",
                "bra $L1;",
                "$F0:",
                "mov.u32 %r0, 0;",
                "bra $FAIL;"),
            line("K.java", 2, "ret;"));
  }
}
