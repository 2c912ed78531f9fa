package dev.stretto.junit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes devices that stand before those of a driver. Their class is generated from the contract, so
 * that each call is passed on, those that the contract gets later too, and that none allocates
 * anything outside of what is counted as the driver's: a proxy puts its arguments into an array.
 */
final class DriverTaps {
  private static final ClassDesc TAPS = desc(DriverTaps.class);
  private static final ClassDesc CALLS = desc(DriverCalls.class);
  private static final ClassDesc DEVICE = desc(DriverDevice.class);
  private static final ClassDesc ALLOCATION = desc(DriverAllocation.class);
  private static final ClassDesc OPTIONAL = desc(Optional.class);
  private static final ClassDesc TAP = ClassDesc.of("dev.stretto.junit.GeneratedTap");
  private static final String BEHIND = "behind";

  private static final MethodHandle NEW = generate();

  private DriverTaps() {}

  /** What stands before a device knows which. */
  interface Tap {
    /** {@return the driver's device} */
    DriverDevice behind();
  }

  /** {@return what stands before a device} */
  static DriverDevice before(DriverDevice device, @Nullable DriverCalls calls) {
    try {
      return (DriverDevice) NEW.invokeExact(device, calls);
    } catch (Throwable e) {
      throw new IllegalStateException("the generated constructor only keeps its arguments", e);
    }
  }

  // --- what the generated code calls ------------------------------------------------------------

  static void before(@Nullable DriverCalls calls, String name) {
    if (calls != null) {
      calls.before(name);
    }
  }

  /** {@return the driver's own device} A driver does not know what stands before another one. */
  static DriverDevice untapped(DriverDevice device) {
    return device instanceof Tap tap ? tap.behind() : device;
  }

  /** {@return a plan whose work of other devices is that of the driver's own devices} */
  static GraphPlan untapped(GraphPlan plan) {
    return plan.with(
        plan.steps().stream().map(step -> untapped(step.work())).toArray(GraphWork[]::new));
  }

  /** {@return the same for one step's work} The bodies of a step have none of other devices. */
  static GraphWork untapped(GraphWork work) {
    return switch (work) {
      case GraphWork.Elsewhere(DriverDevice device, GraphWork its) ->
          new GraphWork.Elsewhere(untapped(device), its);
      case GraphWork.Off(GraphWork its) -> new GraphWork.Off(untapped(its));
      default -> work;
    };
  }

  static Optional<Cooperation> counted(Optional<Cooperation> cooperation) {
    return cooperation.map(CountedCooperation::new);
  }

  /**
   * {@return whether the device wants the lines of launches} A GPU does not, and to find them
   * allocates.
   */
  static boolean asOnAGpu(boolean wanted) {
    return wanted && !DriverAllocation.isMeasured();
  }

  // --- generating -------------------------------------------------------------------------------

  private static MethodHandle generate() {
    byte[] bytes = ClassFile.of().build(TAP, DriverTaps::generate);
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
      MethodType constructor =
          MethodType.methodType(void.class, DriverDevice.class, DriverCalls.class);
      return lookup
          .findConstructor(lookup.lookupClass(), constructor)
          .asType(constructor.changeReturnType(DriverDevice.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void generate(ClassBuilder type) {
    int field = ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL;
    type.withFlags(ClassFile.ACC_FINAL)
        .withInterfaceSymbols(DEVICE, desc(Tap.class))
        .withField(BEHIND, DEVICE, field)
        .withField("calls", CALLS, field)
        .withMethodBody(
            INIT_NAME,
            MethodTypeDesc.of(CD_void, DEVICE, CALLS),
            0,
            code ->
                code.aload(0)
                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                    .aload(0)
                    .aload(1)
                    .putfield(TAP, BEHIND, DEVICE)
                    .aload(0)
                    .aload(2)
                    .putfield(TAP, "calls", CALLS)
                    .return_())
        .withMethodBody(
            BEHIND,
            MethodTypeDesc.of(DEVICE),
            ClassFile.ACC_PUBLIC,
            code -> code.aload(0).getfield(TAP, BEHIND, DEVICE).areturn());
    for (Method method : DriverDevice.class.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers())) {
        type.withMethodBody(
            method.getName(), type(method), ClassFile.ACC_PUBLIC, code -> passOn(code, method));
      }
    }
  }

  /** A call: told of, passed on, and what it allocates counted, however it ends. */
  private static void passOn(CodeBuilder code, Method method) {
    TypeKind result = TypeKind.from(method.getReturnType());
    int mark = code.allocateLocal(TypeKind.LONG);
    code.invokestatic(ALLOCATION, "begin", MethodTypeDesc.of(CD_long)).lstore(mark);
    code.trying(
        body -> {
          body.aload(0).getfield(TAP, "calls", CALLS).ldc(method.getName());
          body.invokestatic(TAPS, "before", MethodTypeDesc.of(CD_void, CALLS, CD_String));
          body.aload(0).getfield(TAP, BEHIND, DEVICE);
          loadParameters(body, method);
          body.invokeinterface(DEVICE, method.getName(), type(method));
          switch (method.getName()) {
            case "cooperation" ->
                body.invokestatic(TAPS, "counted", MethodTypeDesc.of(OPTIONAL, OPTIONAL));
            case "namesFaultingLaunch" ->
                body.invokestatic(TAPS, "asOnAGpu", MethodTypeDesc.of(CD_boolean, CD_boolean));
            default -> {}
          }
          end(body, mark);
          body.return_(result);
        },
        handlers ->
            handlers.catchingAll(
                handler -> {
                  int thrown = handler.allocateLocal(TypeKind.REFERENCE);
                  handler.astore(thrown);
                  end(handler, mark);
                  handler.aload(thrown).athrow();
                }));
  }

  private static void loadParameters(CodeBuilder code, Method method) {
    for (int i = 0; i < method.getParameterCount(); i++) {
      Class<?> type = method.getParameterTypes()[i];
      code.loadLocal(TypeKind.from(type), code.parameterSlot(i));
      if (type == DriverDevice.class || type == GraphPlan.class || type == GraphWork.class) {
        code.invokestatic(TAPS, "untapped", MethodTypeDesc.of(desc(type), desc(type)));
      }
    }
  }

  private static void end(CodeBuilder code, int mark) {
    code.lload(mark).invokestatic(ALLOCATION, "end", MethodTypeDesc.of(CD_void, CD_long));
  }

  private static MethodTypeDesc type(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .describeConstable()
        .orElseThrow();
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
