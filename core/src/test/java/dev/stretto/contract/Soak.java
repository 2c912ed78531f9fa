package dev.stretto.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test that takes minutes or hours, and runs when it is asked for: {@code mvn -pl core verify
 * -Dgroups=soak}, or the console launcher with {@code --include-tag soak -Dstretto.soak=true}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("soak")
@ExtendWith(Soak.OnDemand.class)
@interface Soak {
  /** Looks for the demand. */
  final class OnDemand implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      boolean asked =
          System.getProperty("groups", "").contains("soak")
              || System.getProperties().stringPropertyNames().stream()
                  .anyMatch(name -> name.startsWith("stretto.soak"));
      return asked
          ? ConditionEvaluationResult.enabled("asked for")
          : ConditionEvaluationResult.disabled("takes long: -Dgroups=soak or -Dstretto.soak=true");
    }
  }
}
