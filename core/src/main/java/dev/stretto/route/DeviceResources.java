package dev.stretto.route;

import java.lang.foreign.Arena;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What goes with a device when that is closed. Guarded by the driver's lock. */
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
   * Keeps a resource in mind until it is released, so that closing the device releases it too.
   *
   * @return false if the device's resources have been released already, and this one has to be too
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

  /** The same for who has the lock: to take it again costs as much as all that is done here. */
  boolean adoptLocked(Resource resource) {
    lock.assertHeld();
    resources.add(resource);
    return !device.isReleasing();
  }

  void releasedLocked(Resource resource) {
    lock.assertHeld();
    resources.remove(resource);
  }

  /** The same as {@link #adopt} of another device's resource, which goes with either of the two. */
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
   * Has closing the device end the access to an arena before its memory is released.
   *
   * @param access of pinned memory
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

  /** {@return the access to arenas that closing the device ends} */
  List<Arena> accesses() {
    lock.assertHeld();
    return List.copyOf(accesses);
  }

  /** {@return what is to be released; what comes later is refused, or told to release itself} */
  List<Resource> beginReleasing() {
    synchronized (lock) {
      device.markReleasing();
      List<Resource> open = resources.all();
      open.addAll(guests);
      return open;
    }
  }
}
