package dev.stretto.bench.kernel;

import java.util.Map;
import java.util.function.Function;

/** The kernels of the kinds that CUDA's samples have, by name. */
final class SampleJobs {
  private SampleJobs() {}

  static void putAll(Map<String, Function<Workbench, Job>> jobs) {
    jobs.put("conv-rows", ConvolutionJobs::rows);
    jobs.put("conv-columns", ConvolutionJobs::columns);
    jobs.put("conv-square", ConvolutionJobs::square);
    jobs.put("conv-tiled", ConvolutionJobs::tiledRows);
    jobs.put("heat-3d", VolumeJobs::heat);
    jobs.put("waves-3d", VolumeJobs::waves);
    jobs.put("grey", ImageJobs::grey);
    jobs.put("sobel", ImageJobs::sobel);
    jobs.put("median", ImageJobs::median);
    jobs.put("box", SmoothingJobs::box);
    jobs.put("bilateral", SmoothingJobs::bilateral);
    jobs.put("rotate", SmoothingJobs::rotate);
    jobs.put("black-scholes", OptionJobs::blackScholes);
    jobs.put("binomial", OptionJobs::binomial);
    jobs.put("pi", PointJobs::pi);
    jobs.put("mandelbrot", PointJobs::mandelbrot);
    jobs.put("quasirandom", PointJobs::quasirandom);
    jobs.put("bitonic", SortingJobs::bitonic);
    jobs.put("merge", SortingJobs::merge);
    jobs.put("scan", SortingJobs::scan);
    jobs.put("walsh", SortingJobs::walsh);
    jobs.put("dot", ProductJobs::dot);
    jobs.put("scalar-products", ProductJobs::pairs);
    jobs.put("matrix-vector", ProductJobs::vector);
    jobs.put("spmv", ProductJobs::sparse);
    jobs.put("matrix-mul", ProductJobs::matrices);
    jobs.put("matrix-mul-int", ProductJobs::wholeMatrices);
    jobs.put("softmax", RowJobs::softmax);
    jobs.put("layer-norm", RowJobs::normalize);
    jobs.put("dct", CodeJobs::cosines);
    jobs.put("crc32", CodeJobs::crc);
    jobs.put("hash64", CodeJobs::hash);
    jobs.put("gather", CodeJobs::gather);
  }
}
