package dev.stretto.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Accesses by their place, so that those that may share a byte with another one are found without
 * looking at all.
 */
final class AccessIndex {
  private static final int FIRST = 4;

  /** Accesses whose bytes span at most a power of two, sorted by their first byte. */
  private static final class Row {
    final int exponent;
    @Nullable Access[] all = new Access[FIRST];

    /** The first byte of each, apart, so that a search reads little memory. */
    long[] begins = new long[FIRST];

    int size;

    Row(int exponent) {
      this.exponent = exponent;
    }

    /** {@return the place of the first one that begins at an address or behind it} */
    int from(long address) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (begins[middle] < address) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** {@return the place of the first one that may reach an address} */
    int reaching(long address) {
      long least = exponent >= Long.SIZE - 1 ? Long.MIN_VALUE : address - (1L << exponent);
      return least > address ? 0 : from(least);
    }

    Access at(int place) {
      Access access = all[place];
      if (access == null) {
        throw new AssertionError("no access at " + place + " of " + size);
      }
      return access;
    }

    void add(Access access) {
      if (size == all.length) {
        all = Arrays.copyOf(all, 2 * size);
        begins = Arrays.copyOf(begins, 2 * size);
      }
      long address = access.bytes().address();
      int place = size > 0 && begins[size - 1] <= address ? size : from(address + 1);
      System.arraycopy(all, place, all, place + 1, size - place);
      System.arraycopy(begins, place, begins, place + 1, size - place);
      all[place] = access;
      begins[place] = address;
      size++;
    }

    /**
     * Removes some of those from a place on that begin before an address.
     *
     * @param end the address; -1 for all
     */
    void removeIf(int from, long end, Predicate<Access> unwanted) {
      int next = from;
      int i = from;
      for (; i < size && (end < 0 || begins[i] < end); i++) {
        Access access = at(i);
        if (!unwanted.test(access)) {
          if (next < i) {
            all[next] = access;
            begins[next] = begins[i];
          }
          next++;
        }
      }
      if (next < i) {
        System.arraycopy(all, i, all, next, size - i);
        System.arraycopy(begins, i, begins, next, size - i);
        Arrays.fill(all, size - (i - next), size, null);
        size -= i - next;
      }
    }
  }

  /** One for each size that there has been. */
  private Row[] rows = new Row[0];

  private int size;

  int size() {
    return size;
  }

  void add(Access access) {
    row(access.bytes()).add(access);
    size++;
  }

  private Row row(Footprint bytes) {
    int exponent = Long.SIZE - Long.numberOfLeadingZeros(bytes.end() - bytes.address());
    for (Row row : rows) {
      if (row.exponent == exponent) {
        return row;
      }
    }
    Row row = new Row(exponent);
    rows = Arrays.copyOf(rows, rows.length + 1);
    rows[rows.length - 1] = row;
    return row;
  }

  /** {@return those with which an access races that comes after what somebody knows} */
  List<Access> racing(Access access, Knowledge known) {
    List<Access> racing = List.of();
    long address = access.bytes().address();
    long end = access.bytes().end();
    for (Row row : rows) {
      for (int i = row.reaching(address); i < row.size && row.begins[i] < end; i++) {
        Access before = row.at(i);
        if (before.racesWith(access, known)) {
          racing = racing.isEmpty() ? new ArrayList<>() : racing;
          racing.add(before);
        }
      }
    }
    return racing;
  }

  /** {@return whether one of those that may share a byte with these is such a one} */
  boolean anyNear(Footprint bytes, Predicate<Access> such) {
    long end = bytes.end();
    for (Row row : rows) {
      for (int i = row.reaching(bytes.address()); i < row.size && row.begins[i] < end; i++) {
        if (such.test(row.at(i))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Removes some of those that may share a byte with these. */
  void removeNear(Footprint bytes, Predicate<Access> unwanted) {
    size = 0;
    for (Row row : rows) {
      row.removeIf(row.reaching(bytes.address()), bytes.end(), unwanted);
      size += row.size;
    }
  }

  void removeIf(Predicate<Access> unwanted) {
    size = 0;
    for (Row row : rows) {
      row.removeIf(0, -1, unwanted);
      size += row.size;
    }
  }

  void forEach(Consumer<Access> each) {
    for (Row row : rows) {
      for (int i = 0; i < row.size; i++) {
        each.accept(row.at(i));
      }
    }
  }
}
