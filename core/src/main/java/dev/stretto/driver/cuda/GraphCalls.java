package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * Calls about graphs. Calls that add or change nodes, and launches, are made with the context
 * current.
 */
final class GraphCalls {
  private static final MethodHandle CREATE = Binder.bind("cuGraphCreate", JAVA_LONG, JAVA_INT);
  private static final MethodHandle DESTROY = Binder.bind("cuGraphDestroy", JAVA_LONG);
  private static final MethodHandle ADD_KERNEL = bindAdding("cuGraphAddKernelNode");
  private static final MethodHandle ADD_COPY =
      Binder.bind(
          "cuGraphAddMemcpyNode", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ADD_FILL =
      Binder.bind(
          "cuGraphAddMemsetNode", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ADD_RECORD = bindAdding("cuGraphAddEventRecordNode");
  private static final MethodHandle ADD_WAIT = bindAdding("cuGraphAddEventWaitNode");
  private static final MethodHandle ADD_VALUES = bindAdding("cuGraphAddBatchMemOpNode");
  private static final MethodHandle ADD_EMPTY =
      Binder.bind("cuGraphAddEmptyNode", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ADD_CHILD = bindAdding("cuGraphAddChildGraphNode");
  private static final MethodHandle COUNT =
      Binder.bind("cuGraphGetNodes", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle BEGIN_CAPTURE =
      Binder.bind("cuStreamBeginCapture", JAVA_LONG, JAVA_INT);
  private static final MethodHandle END_CAPTURE =
      Binder.bind("cuStreamEndCapture", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ADD_NODE =
      Binder.bindOptional(
          "cuGraphAddNode",
          12_030,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle CONDITION =
      Binder.bindOptional(
          "cuGraphConditionalHandleCreate",
          12_030,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT);
  private static final MethodHandle SET_ATTRIBUTE =
      Binder.bind("cuGraphKernelNodeSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle INSTANTIATE =
      Binder.bind("cuGraphInstantiateWithFlags", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle EXEC_DESTROY = Binder.bind("cuGraphExecDestroy", JAVA_LONG);
  private static final MethodHandle SET_KERNEL =
      Binder.bind("cuGraphExecKernelNodeSetParams", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_COPY =
      Binder.bind("cuGraphExecMemcpyNodeSetParams", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_FILL =
      Binder.bind("cuGraphExecMemsetNodeSetParams", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_VALUES =
      Binder.bind("cuGraphExecBatchMemOpNodeSetParams", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_RECORD =
      Binder.bind("cuGraphExecEventRecordNodeSetEvent", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_WAIT =
      Binder.bind("cuGraphExecEventWaitNodeSetEvent", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SET_ENABLED =
      Binder.bind("cuGraphNodeSetEnabled", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle UPLOAD = Binder.bind("cuGraphUpload", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle LAUNCH = Binder.bind("cuGraphLaunch", JAVA_LONG, JAVA_LONG);

  private GraphCalls() {}

  /** Binds all functions now, by initializing this class. */
  static void bindAll() {}

  private static MethodHandle bindAdding(String name) {
    return Binder.bind(name, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  }

  /** Writes the graph. */
  static int create(long graph) {
    try {
      return (int) CREATE.invokeExact(graph, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int destroy(long graph) {
    try {
      return (int) DESTROY.invokeExact(graph);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node; reads a {@code CUDA_KERNEL_NODE_PARAMS_v2}. */
  static int addKernel(long node, long graph, long after, long count, long parameters) {
    try {
      return (int) ADD_KERNEL.invokeExact(node, graph, after, count, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node; reads a {@code CUDA_MEMCPY3D}. */
  static int addCopy(long node, long graph, long after, long count, long copy, long context) {
    try {
      return (int) ADD_COPY.invokeExact(node, graph, after, count, copy, context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node; reads a {@code CUDA_MEMSET_NODE_PARAMS}. */
  static int addFill(long node, long graph, long after, long count, long fill, long context) {
    try {
      return (int) ADD_FILL.invokeExact(node, graph, after, count, fill, context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node. */
  static int addRecord(long node, long graph, long after, long count, long event) {
    try {
      return (int) ADD_RECORD.invokeExact(node, graph, after, count, event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node. */
  static int addWait(long node, long graph, long after, long count, long event) {
    try {
      return (int) ADD_WAIT.invokeExact(node, graph, after, count, event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node; reads a {@code CUDA_BATCH_MEM_OP_NODE_PARAMS}. */
  static int addValues(long node, long graph, long after, long count, long parameters) {
    try {
      return (int) ADD_VALUES.invokeExact(node, graph, after, count, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node. */
  static int addEmpty(long node, long graph, long after, long count) {
    try {
      return (int) ADD_EMPTY.invokeExact(node, graph, after, count);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node, which gets a copy of another graph. */
  static int addChild(long node, long graph, long after, long count, long child) {
    try {
      return (int) ADD_CHILD.invokeExact(node, graph, after, count, child);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes how many nodes a graph has. */
  static int count(long graph, long count) {
    try {
      return (int) COUNT.invokeExact(graph, 0L, count);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** From now on, what is enqueued on the stream becomes a graph. */
  static int beginCapture(long stream, int mode) {
    try {
      return (int) BEGIN_CAPTURE.invokeExact(stream, mode);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the graph. The capture is over, whatever the result. */
  static int endCapture(long stream, long graph) {
    try {
      return (int) END_CAPTURE.invokeExact(stream, graph);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the node; reads a {@code CUgraphNodeParams}, and writes its outputs there. */
  static int addNode(long node, long graph, long after, long count, long parameters) {
    try {
      return (int) ADD_NODE.invokeExact(node, graph, after, 0L, count, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the handle of a condition without an initial value. */
  static int createCondition(long handle, long graph, long context) {
    try {
      return (int) CONDITION.invokeExact(handle, graph, context, 0, 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Reads a {@code CUkernelNodeAttrValue}. */
  static int setAttribute(long node, int attribute, long value) {
    try {
      return (int) SET_ATTRIBUTE.invokeExact(node, attribute, value);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  /** Writes the executable graph. */
  static int instantiate(long exec, long graph) {
    try {
      return (int) INSTANTIATE.invokeExact(exec, graph, 0L);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int destroyExec(long exec) {
    try {
      return (int) EXEC_DESTROY.invokeExact(exec);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setKernel(long exec, long node, long parameters) {
    try {
      return (int) SET_KERNEL.invokeExact(exec, node, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setCopy(long exec, long node, long copy, long context) {
    try {
      return (int) SET_COPY.invokeExact(exec, node, copy, context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setFill(long exec, long node, long fill, long context) {
    try {
      return (int) SET_FILL.invokeExact(exec, node, fill, context);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setValues(long exec, long node, long parameters) {
    try {
      return (int) SET_VALUES.invokeExact(exec, node, parameters);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setRecord(long exec, long node, long event) {
    try {
      return (int) SET_RECORD.invokeExact(exec, node, event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setWait(long exec, long node, long event) {
    try {
      return (int) SET_WAIT.invokeExact(exec, node, event);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int setEnabled(long exec, long node, boolean enabled) {
    try {
      return (int) SET_ENABLED.invokeExact(exec, node, enabled ? 1 : 0);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int upload(long exec, long stream) {
    try {
      return (int) UPLOAD.invokeExact(exec, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  static int launch(long exec, long stream) {
    try {
      return (int) LAUNCH.invokeExact(exec, stream);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }
}
