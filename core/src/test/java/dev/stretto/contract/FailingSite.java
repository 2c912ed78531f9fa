package dev.stretto.contract;

import dev.stretto.contract.DriverTap.Call;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;

/**
 * One call of the driver that is made to fail.
 *
 * @param call which
 * @param site the lines of Stretto that make it, the nearest first
 * @param occurrence which of those made there, from 1 on
 * @param kind how it fails
 */
record FailingSite(Call call, String site, int occurrence, Kind kind) {
  /** What the messages of injected errors begin with. */
  static final String INJECTED = "injected";

  DriverException error() {
    int code =
        switch (kind) {
          case OUT_OF_MEMORY, OUT_OF_HOST_MEMORY -> 2;
          case INVALID -> 1;
          case BAD_IMAGE -> 200;
          case LOST -> 700;
          default -> 999;
        };
    return new DriverException(kind, code, INJECTED + " into " + call + ", " + kind);
  }

  @Override
  public String toString() {
    return "%s, %s, number %d at %s".formatted(call, kind, occurrence, site);
  }
}
