package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.compiler.ir.Attribute;
import dev.stretto.compiler.ir.Block;
import dev.stretto.compiler.ir.Cond;
import dev.stretto.compiler.ir.Constant;
import dev.stretto.compiler.ir.Element;
import dev.stretto.compiler.ir.Function;
import dev.stretto.compiler.ir.Line;
import dev.stretto.compiler.ir.Op;
import dev.stretto.compiler.ir.OpCode;
import dev.stretto.compiler.ir.Type;
import dev.stretto.compiler.ir.Verifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** That an operation has the attribute that its code says. */
class VerifierTest {
  private static void verify(OpCode code, Type type, @Nullable Attribute attribute) {
    Line line = new Line("VerifierTest.java", "VerifierTest", "verify", 1, null);
    Block block = new Block();
    block.ops().add(new Op(code, type, List.of(Constant.of(1), Constant.of(2)), attribute, line));
    block.ops().add(new Op(OpCode.RETURN, Type.VOID, List.of(), null, line));
    Verifier.verify(new Function("verified", block));
  }

  @Test
  void anOperationHasTheAttributeThatItsCodeSays() {
    assertThatCode(() -> verify(OpCode.CMP, Type.BOOL, Cond.LT)).doesNotThrowAnyException();
    assertThatCode(() -> verify(OpCode.ADD, Type.INT, null)).doesNotThrowAnyException();
    assertThatCode(() -> verify(OpCode.ARRAY_GET, Type.REF, null)).doesNotThrowAnyException();
    assertThatCode(() -> verify(OpCode.ARRAY_GET, Type.INT, Element.I8)).doesNotThrowAnyException();
  }

  @Test
  void anAttributeOfAnotherKindOrAMissingOneIsAMistakeOfTheCompiler() {
    refuses(OpCode.CMP, Type.BOOL, Element.I32);
    refuses(OpCode.CMP, Type.BOOL, null);
    refuses(OpCode.ADD, Type.INT, Cond.LT);
    refuses(OpCode.NEW, Type.REF, new Attribute.Text("Pair"));
    refuses(OpCode.ARRAY_GET, Type.INT, new Attribute.Count(4));
  }

  private static void refuses(OpCode code, Type type, @Nullable Attribute attribute) {
    assertThatThrownBy(() -> verify(code, type, attribute))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("an operation has the wrong attribute: " + code + " " + attribute);
  }
}
