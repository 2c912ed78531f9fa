package dev.stretto.collective;

/** How the data of a {@link Communicator} goes from process to process. */
public enum Transport {
  /**
   * By NVIDIA's library NCCL: kernels and copies on the stream, from GPU to GPU, over NVLink, PCIe
   * or the network, without the host.
   */
  NCCL,

  /**
   * By the host: over TCP connections between the processes, through ordinary host memory. It is
   * there on every machine and for every device, and not fast.
   */
  TCP
}
