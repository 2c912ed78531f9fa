package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes with a device when that is closed, in the order in which it was opened. The links are
 * the resources' own, so that memory which comes and goes all the time allocates nothing here.
 * Guarded by the driver's lock.
 */
final class OpenResources {
  private @Nullable Resource first;
  private @Nullable Resource last;

  OpenResources() {}

  /** Appends a resource, unless it is there. It can be in one list only. */
  void add(Resource resource) {
    if (isHere(resource)) {
      return;
    }
    if (resource.listedIn != null) {
      throw new IllegalStateException(resource.describe() + " goes with another device");
    }
    resource.listedIn = this;
    Resource before = last;
    resource.listedBefore = before;
    last = resource;
    if (before == null) {
      first = resource;
    } else {
      before.listedBehind = resource;
    }
  }

  /** Takes a resource out, if it is there. */
  void remove(Resource resource) {
    if (!isHere(resource)) {
      return;
    }
    resource.listedIn = null;
    Resource before = resource.listedBefore;
    Resource behind = resource.listedBehind;
    resource.listedBefore = null;
    resource.listedBehind = null;
    if (before == null) {
      first = behind;
    } else {
      before.listedBehind = behind;
    }
    if (behind == null) {
      last = before;
    } else {
      behind.listedBefore = before;
    }
  }

  @SuppressWarnings("ReferenceEquality") // which list it is, not what is in it
  private boolean isHere(Resource resource) {
    return resource.listedIn == this;
  }

  /** {@return all of them, as they are now} */
  List<Resource> all() {
    List<Resource> all = new ArrayList<>();
    for (Resource next = first; next != null; next = next.listedBehind) {
      all.add(next);
    }
    return all;
  }
}
