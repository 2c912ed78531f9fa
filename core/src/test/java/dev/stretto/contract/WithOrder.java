package dev.stretto.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The devices of a test are opened with this order, whatever order the suite runs under: {@code
 * checked} where the test is about races, {@code off} where it has one on purpose, or counts what
 * operations cost.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(WithOrder.Property.class)
@interface WithOrder {
  /** {@return the value of {@code dev.stretto.order} while the test runs} */
  String value();

  /** Sets the property before the test opens its devices, which is when it is read. */
  final class Property implements BeforeEachCallback, AfterEachCallback {
    private static final String ORDER = "dev.stretto.order";
    private static final ExtensionContext.Namespace KEPT =
        ExtensionContext.Namespace.create(WithOrder.class);

    @Override
    public void beforeEach(ExtensionContext context) {
      String before = System.getProperty(ORDER);
      if (before != null) {
        context.getStore(KEPT).put(ORDER, before);
      }
      System.setProperty(ORDER, wanted(context));
    }

    private static String wanted(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), WithOrder.class)
          .or(
              () ->
                  AnnotationSupport.findAnnotation(context.getRequiredTestClass(), WithOrder.class))
          .orElseThrow()
          .value();
    }

    @Override
    public void afterEach(ExtensionContext context) {
      String before = context.getStore(KEPT).get(ORDER, String.class);
      if (before == null) {
        System.clearProperty(ORDER);
      } else {
        System.setProperty(ORDER, before);
      }
    }
  }
}
