package dev.stretto.route;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources that are released with a device when it is closed, in the order in which they were
 * opened. The links of this list are in the resources themselves, so that frequent allocations and
 * frees of memory allocate nothing here. Guarded by the driver's lock.
 */
final class OpenResources {
  private @Nullable Resource first;
  private @Nullable Resource last;
  private int count;

  OpenResources() {}

  /** Appends a resource, unless it is in the list. A resource can be in only one list. */
  void add(Resource resource) {
    if (isHere(resource)) {
      return;
    }
    if (resource.listedIn != null) {
      throw new IllegalStateException(resource.describe() + " belongs to another device");
    }
    resource.listedIn = this;
    count++;
    Resource before = last;
    resource.listedBefore = before;
    last = resource;
    if (before == null) {
      first = resource;
    } else {
      before.listedBehind = resource;
    }
  }

  /** {@return how many there are} */
  int count() {
    return count;
  }

  /** Removes a resource, if it is in the list. */
  void remove(Resource resource) {
    if (!isHere(resource)) {
      return;
    }
    resource.listedIn = null;
    count--;
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

  @SuppressWarnings("ReferenceEquality") // compares the identity of the list, not its contents
  private boolean isHere(Resource resource) {
    return resource.listedIn == this;
  }

  /** {@return a snapshot of all resources} */
  List<Resource> all() {
    List<Resource> all = new ArrayList<>();
    for (Resource next = first; next != null; next = next.listedBehind) {
      all.add(next);
    }
    return all;
  }
}
