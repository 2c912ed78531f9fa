package dev.stretto;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphWork;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.ForeignPart;
import dev.stretto.route.GraphGuest;
import dev.stretto.route.LateWork;
import dev.stretto.route.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of another library, or of a communicator, that has become a node. */
final class CapturedCall extends ForeignPart {
  private final @Nullable GraphGuest<?, ?> guest;

  private CapturedCall(
      DeviceRuntime engine, GraphWork.@Nullable Captured work, @Nullable GraphGuest<?, ?> guest) {
    super(engine, work);
    this.guest = guest;
  }

  /**
   * {@return what a library has enqueued}
   *
   * @param work enqueues it now
   * @param guest told of the launches, or null
   */
  static CapturedCall of(DeviceRuntime engine, LateWork work, @Nullable GraphGuest<?, ?> guest) {
    GraphWork.Captured captured;
    try {
      captured = ForeignPart.capture(engine, work);
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.LOST || e.kind() == DriverException.Kind.OUT_OF_MEMORY) {
        throw engine.raised(e);
      }
      RuntimeException refusal =
          Capture.refused(
              "what another library has enqueued cannot be part of a graph: %s. Nothing in it may wait for the device, ask about it, use another stream without joining it again, or allocate memory in the order of the stream; do the call before or after the launch"
                  .formatted(e.getMessage()));
      refusal.initCause(e);
      throw refusal;
    }
    return adopted(new CapturedCall(engine, captured, guest));
  }

  /** {@return the place in a graph of work that host threads do} */
  static CapturedCall onHost(DeviceRuntime engine, @Nullable GraphGuest<?, ?> guest) {
    return adopted(new CapturedCall(engine, null, guest));
  }

  private static CapturedCall adopted(CapturedCall made) {
    made.adopt();
    return made;
  }

  /** {@return those that have to know of a graph's launches, in the order of their nodes} */
  static List<GraphGuest<?, ?>> guests(Collection<Resource> used) {
    List<GraphGuest<?, ?>> guests = new ArrayList<>(0);
    for (Resource resource : used) {
      if (resource instanceof CapturedCall call && call.guest != null) {
        guests.add(call.guest);
      }
    }
    return guests;
  }

  @Override
  protected void over() {
    if (guest != null) {
      guest.released();
    }
  }
}
