package dev.stretto.junit;

import dev.stretto.driver.Cooperation;
import java.util.List;

/**
 * The control of a seeded device, whose allocations are the driver's.
 *
 * @param behind the driver's
 */
record CountedCooperation(Cooperation behind) implements Cooperation {
  @Override
  public void submit(Runnable task) {
    long begun = DriverAllocation.begin();
    try {
      behind.submit(task);
    } finally {
      DriverAllocation.end(begun);
    }
  }

  @Override
  public boolean step(long deadline) {
    long begun = DriverAllocation.begin();
    try {
      return behind.step(deadline);
    } finally {
      DriverAllocation.end(begun);
    }
  }

  @Override
  public boolean canStep() {
    return behind.canStep();
  }

  @Override
  public boolean isAtRest() {
    return behind.isAtRest();
  }

  @Override
  public boolean isLooking() {
    return behind.isLooking();
  }

  @Override
  public List<Long> takeNews() {
    long begun = DriverAllocation.begin();
    try {
      return behind.takeNews();
    } finally {
      DriverAllocation.end(begun);
    }
  }

  @Override
  public int pick(int count) {
    return behind.pick(count);
  }

  @Override
  public Use use() {
    return behind.use();
  }

  @Override
  public void disregardThisThread() {
    behind.disregardThisThread();
  }

  @Override
  public String describeStall() {
    return behind.describeStall();
  }
}
