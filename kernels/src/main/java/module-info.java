/**
 * What everybody needs on a GPU: reduce, scan, select, sort, top-k, histogram, transpose, random
 * numbers, and products of matrices. Kernels in Java, enqueued on streams. Begin with {@link
 * dev.stretto.kernels.Reduce} or {@link dev.stretto.kernels.product.MatrixProduct}.
 */
module dev.stretto.kernels {
  requires transitive dev.stretto;
  requires static org.jspecify;

  exports dev.stretto.kernels;
  exports dev.stretto.kernels.attention;
  exports dev.stretto.kernels.product;
}
