package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import dev.stretto.Device;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A debugger stops in a kernel on a virtual device, in what it calls, and in a callback. */
@Timeout(100)
class DebuggerTest {
  /** Where it stops: the method, and the variable that is read there. */
  private static final Map<String, String> STOPS =
      Map.of("kernel", "rank", "twice", "doubled", "callback", "said");

  private final Map<String, List<Integer>> seen = new TreeMap<>();

  @Test
  void breakpointsInKernelsWhatTheyCallAndCallbacksStopAndTheProgramGoesOn() throws Exception {
    VirtualMachine machine = launch();
    ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(DebuggedProgram.class.getName());
    prepared.enable();
    boolean connected = true;
    while (connected) {
      EventSet events = machine.eventQueue().remove();
      for (Event event : events) {
        switch (event) {
          case ClassPrepareEvent of -> stopIn(machine, of.referenceType());
          case BreakpointEvent stop -> read(stop);
          case VMDisconnectEvent _ -> connected = false;
          default -> {}
        }
      }
      if (connected) {
        resume(events);
      }
    }
    assertThat(
            new String(machine.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("called back with 42", "the first is 62");
    assertThat(machine.process().waitFor()).isZero();
    assertThat(seen.keySet()).isEqualTo(STOPS.keySet());
    assertThat(seen.get("kernel")).hasSize(32).doesNotHaveDuplicates();
    assertThat(seen.get("twice")).hasSize(32).contains(62, 0);
    assertThat(seen.get("callback")).containsExactly(42);
  }

  private static void resume(EventSet events) {
    try {
      events.resume();
    } catch (VMDisconnectedException _) {
      // The queue says so next.
    }
  }

  private static VirtualMachine launch() throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(DebuggedProgram.class.getName());
    String classes = place(DebuggedProgram.class) + File.pathSeparator + place(Device.class);
    arguments.get("options").setValue("-cp \"" + classes + "\"");
    return connector.launch(arguments);
  }

  private static String place(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Has the program stop at the last line that does something of each of the methods. */
  private static void stopIn(VirtualMachine machine, ReferenceType program)
      throws AbsentInformationException {
    for (String name : STOPS.keySet()) {
      Method method = program.methodsByName(name).getFirst();
      List<Location> lines = method.allLineLocations();
      // A method that returns nothing has the closing brace as its last line.
      int last = lines.size() - (name.equals("twice") ? 1 : 2);
      machine.eventRequestManager().createBreakpointRequest(lines.get(last)).enable();
    }
  }

  private void read(BreakpointEvent stop)
      throws IncompatibleThreadStateException, AbsentInformationException {
    StackFrame frame = stop.thread().frame(0);
    String method = stop.location().method().name();
    IntegerValue value =
        (IntegerValue) frame.getValue(frame.visibleVariableByName(STOPS.get(method)));
    seen.computeIfAbsent(method, _ -> new ArrayList<>()).add(value.value());
  }
}
