package dev.stretto.driver.virtual;

/**
 * What a block takes of a multiprocessor, or what a multiprocessor has.
 *
 * @param blocks places for blocks
 * @param threads places for threads
 * @param registers registers
 * @param sharedBytes shared memory
 */
record BlockNeeds(int blocks, int threads, int registers, int sharedBytes) {
  /** {@return how many blocks with these needs fit into this} */
  int holds(BlockNeeds each) {
    int fit = Math.min(blocks / each.blocks, threads / each.threads);
    return Math.min(Math.min(fit, registers / each.registers), sharedBytes / each.sharedBytes);
  }
}
