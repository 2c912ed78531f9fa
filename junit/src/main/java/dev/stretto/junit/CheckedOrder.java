package dev.stretto.junit;

import dev.stretto.Device;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Opens devices whose order is checked. A device reads the property when it opens, so it is set
 * just then.
 */
final class CheckedOrder {
  private static final String PROPERTY = "dev.stretto.order";

  private CheckedOrder() {}

  static synchronized List<Device> open(Order order, Supplier<List<Device>> opening) {
    String before = System.getProperty(PROPERTY);
    System.setProperty(PROPERTY, order.name().toLowerCase(Locale.ROOT));
    try {
      return opening.get();
    } finally {
      if (before == null) {
        System.clearProperty(PROPERTY);
      } else {
        System.setProperty(PROPERTY, before);
      }
    }
  }
}
