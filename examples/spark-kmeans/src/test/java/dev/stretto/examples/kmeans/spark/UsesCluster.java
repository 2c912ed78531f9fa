package dev.stretto.examples.kmeans.spark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The tests of the class use {@link Cluster#shared()}, which stops after all tests. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(UsesCluster.Ending.class)
@interface UsesCluster {
  /** Stops the cluster before the process ends: Spark's own hook may be too late for that. */
  final class Ending implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      Object _ =
          context
              .getRoot()
              .getStore(ExtensionContext.Namespace.GLOBAL)
              .computeIfAbsent(Cluster.class, _ -> (AutoCloseable) Cluster::stop);
    }
  }
}
