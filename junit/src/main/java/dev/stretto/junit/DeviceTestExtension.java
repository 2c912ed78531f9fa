package dev.stretto.junit;

import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes the runs of a {@link DeviceTest}. */
final class DeviceTestExtension implements TestTemplateInvocationContextProvider {
  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), DeviceTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    DeviceTest test =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), DeviceTest.class)
            .orElseThrow();
    Plan plan = new Plan(test, new Parameters(context));
    // The runs with faults are known when the first run is over, so each is made when it is due.
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(plan, 0), false);
  }
}
