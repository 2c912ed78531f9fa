package dev.stretto.collective.mesh;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the ranks of one communicator come once. When the last one has introduced itself, all are
 * told of all.
 */
public final class Meeting {
  static final byte ALL = 1;
  static final byte REFUSED = 2;
  static final byte PRESENT = 3;

  /** What a guest asks who waits no longer. */
  static final byte WHO = 4;

  /**
   * The receptions of the meetings that are open, by address. All at an address share one: a
   * meeting that never ends, because some do not come, would keep a socket and a thread for ever.
   * Guarded by itself.
   */
  private static final Map<Place, Reception> RECEPTIONS = new HashMap<>();

  private final Place place;
  private final Reception reception;
  private final Invitation invitation;

  /** Who is here; guarded by the meeting, like all that is sent to them. */
  private final TreeMap<Integer, Guest> guests = new TreeMap<>();

  private boolean isOver;

  /** An address, and what it means now: a name may move. */
  private record Place(String address, InetSocketAddress now) {}

  private record Guest(Introduction introduction, SocketChannel channel, DataOutputStream out) {}

  private Meeting(Place place, Reception reception) {
    this.place = place;
    this.reception = reception;
    this.invitation = reception.invite(this::receive);
  }

  /**
   * Opens a meeting. It ends when all have come, or with the process.
   *
   * @param address the address or host name at which others reach this machine, or nothing
   * @return the invitation to it
   */
  public static Invitation open(String address) {
    Place place = new Place(address, new InetSocketAddress(address, 0));
    synchronized (RECEPTIONS) {
      Reception reception =
          RECEPTIONS.computeIfAbsent(place, _ -> Reception.open(address, "stretto-meeting"));
      return new Meeting(place, reception).invitation;
    }
  }

  private void end() {
    synchronized (RECEPTIONS) {
      if (reception.withdraw(invitation)) {
        RECEPTIONS.remove(place);
        reception.close();
      }
    }
  }

  private void receive(SocketChannel channel) throws IOException {
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
    DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
    Introduction introduction = Introduction.read(in);
    Guest guest = new Guest(introduction, channel, out);
    try (channel) {
      come(guest);
      while (in.read() == WHO) {
        tellPresent(guest);
      }
    } finally {
      leave(guest);
    }
  }

  private synchronized void come(Guest guest) throws IOException {
    Introduction mine = guest.introduction;
    if (isOver) {
      refuse(guest, "all ranks have met already: an id makes one communicator, so make a new one");
      return;
    }
    Guest same = guests.get(mine.rank());
    if (same != null) {
      refuseAll(guest, "rank " + mine.rank() + " was taken twice: by %s and by %s", same, guest);
      return;
    }
    if (!guests.isEmpty()) {
      Guest first = guests.firstEntry().getValue();
      if (first.introduction.size() != mine.size()) {
        refuseAll(
            guest,
            "%s said that there are "
                + first.introduction.size()
                + " ranks, and %s that there are "
                + mine.size(),
            first,
            guest);
        return;
      }
    }
    guests.put(mine.rank(), guest);
    if (guests.size() == mine.size()) {
      isOver = true;
      end();
      for (Guest each : guests.values()) {
        tellAll(each);
      }
    }
  }

  private void tellAll(Guest guest) {
    try {
      guest.out.writeByte(ALL);
      for (Guest each : guests.values()) {
        each.introduction.write(guest.out);
      }
      guest.out.flush();
    } catch (IOException _) { // it has gone; the others miss it when they visit it
      return;
    }
  }

  private void refuseAll(Guest late, String why, Guest first, Guest second) {
    String said = why.formatted(first.introduction.title(), second.introduction.title());
    List<Guest> all = new ArrayList<>(guests.values());
    all.add(late);
    guests.clear();
    all.forEach(each -> tellRefusal(each, said));
  }

  private static void tellRefusal(Guest guest, String why) {
    try {
      refuse(guest, why);
    } catch (IOException _) { // it has gone
      return;
    }
  }

  private static void refuse(Guest guest, String why) throws IOException {
    guest.out.writeByte(REFUSED);
    guest.out.writeUTF(why);
    guest.out.flush();
  }

  private synchronized void tellPresent(Guest guest) throws IOException {
    guest.out.writeByte(PRESENT);
    guest.out.writeInt(guests.size());
    for (int rank : guests.keySet()) {
      guest.out.writeInt(rank);
    }
    // It leaves. Gone before it hears this, it does not meet itself when it comes again at once.
    leave(guest);
    guest.out.flush();
  }

  private synchronized void leave(Guest guest) {
    boolean _ = guests.remove(guest.introduction.rank(), guest);
  }
}
