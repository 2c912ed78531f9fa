package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * A queue of stages that lets a block's threads copy several stages ahead of the computation:
 * producers acquire a stage, begin its copies and commit it; consumers wait for the oldest stage,
 * compute with it and release it. The equivalent of {@code
 * cuda::pipeline<cuda::thread_scope_block>} in CUDA C++.
 *
 * <p>{@link ThreadBlock#pipeline(int)} makes a pipeline in which every thread both produces and
 * consumes; {@link ThreadBlock#pipeline(int, boolean)} one in which some threads only produce and
 * the others only consume. {@link Warp}, {@link Tile} and {@link Warps} make pipelines of a part of
 * the block in the same ways. Every producer must acquire and commit every stage, even if it begins
 * no copy, and every consumer must wait for and release every stage. A thread that returns while
 * others continue must call {@link #quit()} first. The block must not end before the copies of all
 * stages are complete: if no thread waits for the last stages, producers must call {@link #drain()}
 * or {@link #quit()} first. libcu++ does not need this, since its pipelines have no bulk copies.
 *
 * <p>Objects of this class are values that live in registers and count this thread's stages; the
 * shared state is 16 bytes of shared memory per stage, and 16 more. CUDA programming guide,
 * "Pipelines".
 */
public final class Pipeline {
  private final int capability;
  private final PipelineMemory memory;
  private final int stages;

  /** How many threads make it together. */
  private final int threads;

  private final PipelineLanes lanes;

  private final boolean producer;
  private final boolean consumer;
  private int head;
  private int headParity;
  private int tail;
  private int tailParity;
  private int produced;
  private int consumed;
  private boolean chunked;

  /** How many bytes of the stage the thread announces when it commits, if one does so for all. */
  private int announced;

  /** Whether this thread has begun copies to global memory, which no barrier counts. */
  private boolean storing;

  /** So many stages this thread has committed, the newest, at whose barriers it has to arrive. */
  private int late;

  private boolean bulkOnly;
  private boolean gone;

  Pipeline(
      int capability,
      PipelineMemory memory,
      int stages,
      int threads,
      PipelineLanes lanes,
      boolean producer,
      boolean consumer) {
    this.capability = capability;
    this.threads = threads;
    this.lanes = lanes;
    this.memory = memory;
    this.stages = stages;
    this.producer = producer;
    this.consumer = consumer;
  }

  /**
   * {@return how many bytes of shared memory a pipeline takes beside what it copies}
   *
   * @param stages how many stages it has
   */
  public static int bytes(@Const int stages) {
    return PipelineMemory.bytes(stages);
  }

  /**
   * Makes a pipeline whose threads all produce and consume. The threads have to meet before one of
   * them uses it.
   *
   * @param memory of this pipeline alone
   * @param rank the thread's number in the group that makes it
   * @param threads how many the group has
   * @param lanes how they meet, if they are a warp or a part of one
   */
  static Pipeline ofAll(
      PipelineMemory memory, int stages, int rank, int threads, PipelineLanes lanes) {
    int arrivals = joined(lanes) ? 1 : threads;
    return make(memory, stages, rank, threads, lanes, arrivals, arrivals, true, true);
  }

  /** Makes a pipeline in which some threads produce and the others consume. */
  static Pipeline ofRoles(
      PipelineMemory memory,
      int stages,
      int rank,
      int threads,
      Warp warp,
      int producers,
      boolean producer) {
    CopyPromises.producers(producers, threads);
    return make(
        memory,
        stages,
        rank,
        threads,
        PipelineLanes.apart(warp),
        producers,
        threads - producers,
        producer,
        !producer);
  }

  /** Makes two barriers for each stage: one for its production and one for its consumption. */
  private static Pipeline make(
      PipelineMemory memory,
      int stages,
      int rank,
      int threads,
      PipelineLanes lanes,
      int producers,
      int consumers,
      boolean producer,
      boolean consumer) {
    if (rank == 0) {
      for (int stage = 0; stage < stages; stage++) {
        PtxBarriers.mbarrierMake(memory.full, stage, producers);
        if (!joined(lanes)) {
          PtxBarriers.mbarrierMake(memory.free, stage, consumers);
        }
        if (producer != consumer) {
          CopyNotes.isStage(memory.full, stage);
        }
      }
      if (!joined(lanes)) {
        memory.left.set(0, producers);
        memory.left.set(1, consumers);
        memory.left.set(2, 0);
        memory.left.set(3, 0);
      }
    }
    return new Pipeline(CopyNotes.capability(), memory, stages, threads, lanes, producer, consumer);
  }

  /** {@return whether this thread is a producer} */
  public boolean isProducer() {
    return producer;
  }

  /** {@return whether this thread is a consumer} */
  public boolean isConsumer() {
    return consumer;
  }

  /** {@return the barriers of the stages' production, for tensor copies} */
  SharedLongs full() {
    return memory.full;
  }

  /** {@return the number of stages} */
  public int stages() {
    return stages;
  }

  /**
   * {@return the stage that this thread produces next or is producing, 0 to {@code stages() - 1}}
   */
  public int producerStage() {
    return head;
  }

  /** {@return the stage that this thread consumes next or is consuming} */
  public int consumerStage() {
    return tail;
  }

  /**
   * Restricts this pipeline to bulk copies from now on: a kernel whose {@code memcpyAsync} on it
   * would become anything else does not compile. Threads still copy a remainder after whole pieces
   * of 16 bytes themselves.
   *
   * @return this
   */
  public Pipeline requireBulk() {
    bulkOnly = true;
    return this;
  }

  /**
   * Waits until the next stage is free: if it was used before, until every consumer has released
   * it.
   */
  public void producerAcquire() {
    CopyPromises.produces(producer, gone);
    if (!joined()) {
      Barrier.awaitParity(capability, memory.free, head, headParity ^ 1);
    }
    chunked = false;
  }

  /**
   * Commits the stage: consumers get it when every producer has committed it and its copies are
   * complete.
   */
  public void producerCommit() {
    CopyPromises.produces(producer, gone);
    if (chunked) {
      CopyLowering.arriveWhenCopied(memory.full, head);
    } else {
      CopyNotes.arrivesWhenCopied(memory.full, head);
    }
    boolean others = joined() && !lanes.isFirst();
    if (storing && others) {
      // Its stage is full when the first lane arrives, which does not wait for this lane's copies.
      StoreGroups.commit(capability);
      StoreGroups.await(capability, 0);
    }
    lanes.meet();
    if (storing && !others) {
      if (joined() && capability >= 90) {
        PtxBarriers.mbarrierExpectTx(memory.full, head, announced);
        announced = 0;
      }
      StoreGroups.commit(capability);
      if (consumer) {
        late++;
      } else {
        StoreGroups.await(capability, 0);
        arrive(head);
      }
    } else {
      arrive(head);
    }
    announced = 0;
    produced++;
    head++;
    if (head == stages) {
      head = 0;
      headParity ^= 1;
    }
  }

  /**
   * Arrives at the barriers of the oldest stages that hold copies to global memory, as soon as
   * those are complete.
   *
   * @param left how many stages are left out, the newest
   */
  private void arriveLate(int left) {
    if (late > left) {
      StoreGroups.awaitAllBut(capability, left);
      while (late > left) {
        int stage = head - late;
        arrive(stage < 0 ? stage + stages : stage);
        late--;
      }
    }
  }

  /** Says that the thread's part of a stage is there. */
  private void arrive(int stage) {
    if (!joined()) {
      PtxBarriers.mbarrierArrive(memory.full, stage);
    } else if (lanes.isFirst()) {
      if (capability >= 90) {
        PtxBarriers.mbarrierArriveExpectTx(memory.full, stage, announced);
      } else {
        PtxBarriers.mbarrierArrive(memory.full, stage);
      }
    }
  }

  /** Whether the threads meet, so that one arrives for all and nobody has to wait for a stage. */
  private boolean joined() {
    return joined(lanes);
  }

  private static boolean joined(PipelineLanes lanes) {
    return lanes.doMeet() && CopyNotes.doesOneArriveForAll();
  }

  /** Waits until the oldest stage that this thread has not released is complete. */
  public void consumerWait() {
    CopyPromises.consumes(consumer, gone);
    if (storing) {
      arriveLate(produced - consumed - 1);
    }
    Barrier.awaitParity(capability, memory.full, tail, tailParity);
  }

  /**
   * Waits until all stages that this thread has committed and not released are complete, except the
   * newest ones. For pipelines in which every thread produces and consumes: consumers of other
   * pipelines do not know how many stages have been committed.
   *
   * @param stages how many may be left, 0 or more
   */
  public void consumerWaitPrior(@Const int stages) {
    CopyPromises.stagesLeft(stages);
    CopyPromises.consumes(consumer, gone);
    if (storing) {
      arriveLate(stages);
    }
    int committed = head - tail + (headParity == tailParity ? 0 : this.stages);
    int stage = tail;
    int parity = tailParity;
    for (int i = stages; i < committed; i++) {
      Barrier.awaitParity(capability, memory.full, stage, parity);
      stage++;
      if (stage == this.stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }

  /** Releases the oldest stage to the producers. */
  public void consumerRelease() {
    CopyPromises.consumes(consumer, gone);
    lanes.meet();
    if (!joined()) {
      PtxBarriers.mbarrierArrive(memory.free, tail);
    }
    consumed++;
    tail++;
    if (tail == stages) {
      tail = 0;
      tailParity ^= 1;
    }
  }

  /**
   * Waits until the copies of every stage that this thread has committed are complete, whether or
   * not any thread consumes them. A producer calls this before the block ends with stages that no
   * thread has waited for: otherwise a bulk copy could still fill shared memory that already
   * belongs to another block. Every other producer must commit those stages too.
   */
  public void drain() {
    if (storing) {
      arriveLate(0);
    }
    int begun = Math.min(produced, stages);
    int stage = head - begun;
    int parity = headParity;
    if (stage < 0) {
      stage += stages;
      parity ^= 1;
    }
    for (int i = 0; i < begun; i++) {
      Barrier.awaitParity(capability, memory.full, stage, parity);
      stage++;
      if (stage == stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }

  /**
   * Leaves the pipeline: the others continue without this thread. It must have committed every
   * stage that it has acquired, and released every stage that it has waited for. A producer {@link
   * #drain() drains} what it has committed, so that it may return. A thread must not use a pipeline
   * that it has left.
   */
  public void quit() {
    CopyPromises.leaves(gone);
    gone = true;
    lanes.leave();
    if (joined()) {
      drain();
      return;
    }
    if (producer) {
      drain();
      leave(0, head, headParity, produced);
    }
    if (consumer) {
      leave(1, tail, tailParity, consumed);
    }
  }

  /**
   * Removes this thread from the expected arrivals of the barriers, in the order of the stages to
   * come. An arrival counts for the current phase, so this first waits for the previous phase, in
   * which this thread has arrived. A barrier must expect at least one arrival: so the last thread
   * to leave stays counted, and arrives only for the phases that threads that left before it may
   * still wait for, which are the phases of stages that one of them has had. Any further phases
   * would end too early.
   *
   * @param had how many stages this thread has passed on
   */
  private void leave(int which, int next, int parity, int had) {
    SharedLongs barriers = which == 0 ? memory.full : memory.free;
    int _ = Atomics.max(memory.left, 2 + which, had);
    Atomics.fence(Scope.BLOCK);
    boolean last = Atomics.add(memory.left, which, -1) == 1;
    Atomics.fence(Scope.BLOCK);
    int arrivals = last ? Atomics.max(memory.left, 2 + which, 0) - had : stages;
    int stage = next;
    int phase = parity ^ 1;
    for (int i = 0; i < arrivals; i++) {
      Barrier.awaitParity(capability, barriers, stage, phase);
      if (last) {
        PtxBarriers.mbarrierArrive(barriers, stage);
      } else {
        PtxBarriers.mbarrierArriveDrop(barriers, stage);
      }
      stage++;
      if (stage == stages) {
        stage = 0;
        phase ^= 1;
      }
    }
  }

  /** One thread's part of a copy to global memory that some threads do together. */
  void copyToGlobal(
      boolean bulk,
      int rank,
      int threads,
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      int alignment) {
    CopyPromises.byProducer(producer);
    CopyPromises.within(threads, this.threads);
    CopyNotes.require(
        bulk || !bulkOnly,
        "memcpyAsync that would not become a bulk copy, although requireBulk() asks for one",
        "promise an alignment of 16 bytes or more, and compile for compute capability 9.0");
    storing |= bulk ? rank == 0 : CopyNotes.areStoresInFlight();
    CopyLowering.toGlobal(
        capability,
        bulk,
        rank,
        threads,
        to,
        toIndex,
        from,
        fromIndex,
        count,
        alignment,
        CopyLowering.PIPELINE);
  }

  /**
   * One thread's part of a copy that some threads do together.
   *
   * @param width how many lanes a warp or tile has that does; 0 for other threads
   */
  void copy(
      int rank,
      int threads,
      int width,
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      int promised) {
    CopyPromises.byProducer(producer);
    CopyPromises.within(threads, this.threads);
    int alignment = CopyLowering.alignment(to.elementBytes(), promised);
    boolean bulk = CopyLowering.isBulk(capability, alignment, CopyLowering.PIPELINE);
    chunked |= alignment >= 4 && !bulk;
    boolean later = joined() && width == lanes.count();
    if (bulk && later) {
      announced += count * to.elementBytes() & -16;
    }
    CopyLowering.toShared(
        capability,
        rank,
        threads,
        to,
        toIndex,
        from,
        fromIndex,
        count,
        promised,
        later ? CopyLowering.ANNOUNCED_LATER : CopyLowering.PIPELINE,
        bulkOnly,
        memory.full,
        head);
  }
}
