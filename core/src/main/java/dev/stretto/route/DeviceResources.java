package dev.stretto.route;

import java.lang.foreign.Arena;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The resources that are released with a device when it is closed. Guarded by the driver's lock.
 */
public final class DeviceResources {
  private final DeviceState device;
  private final DriverLock lock;
  private final OpenResources resources = new OpenResources();
  private final Set<Resource> guests = new LinkedHashSet<>();
  private final Set<Arena> accesses = new LinkedHashSet<>();

  DeviceResources(DeviceState device) {
    this.device = device;
    this.lock = device.lock;
  }

  /**
   * Remembers a resource until it is released, so that closing the device also releases it.
   *
   * @return false if the device's resources have been released already, so that the caller has to
   *     release this one
   */
  boolean adopt(Resource resource) {
    synchronized (lock) {
      return adoptLocked(resource);
    }
  }

  void released(Resource resource) {
    synchronized (lock) {
      releasedLocked(resource);
    }
  }

  /** {@return how many resources there are to release} */
  public int count() {
    synchronized (lock) {
      return resources.count();
    }
  }

  /** The same for a caller that holds the lock: taking it again costs as much as all the rest. */
  boolean adoptLocked(Resource resource) {
    lock.assertHeld();
    resources.add(resource);
    return !device.isReleasing();
  }

  void releasedLocked(Resource resource) {
    lock.assertHeld();
    resources.remove(resource);
  }

  /**
   * Like {@link #adopt}, for a resource of another device that is released with either of the two.
   */
  boolean adoptGuest(Resource resource) {
    synchronized (lock) {
      boolean _ = guests.add(resource);
      return !device.isReleasing();
    }
  }

  void releasedGuest(Resource resource) {
    synchronized (lock) {
      boolean _ = guests.remove(resource);
    }
  }

  /**
   * Makes the device, when it is closed, end the access to an arena before its memory is released.
   *
   * @param access the arena of pinned memory
   */
  public void guard(Arena access) {
    synchronized (lock) {
      device.requireUsable();
      accesses.add(access);
    }
  }

  /**
   * Ends {@link #guard}, after the arena was closed.
   *
   * @param access the arena
   */
  public void unguard(Arena access) {
    synchronized (lock) {
      accesses.remove(access);
    }
  }

  /** {@return the arenas whose access ends when the device is closed} */
  List<Arena> accesses() {
    lock.assertHeld();
    return List.copyOf(accesses);
  }

  /**
   * {@return the resources to release} Later resources are refused, or their owners have to release
   * them.
   */
  List<Resource> beginReleasing() {
    synchronized (lock) {
      device.markReleasing();
      List<Resource> open = resources.all();
      open.addAll(guests);
      return open;
    }
  }
}
