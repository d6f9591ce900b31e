// Waits in Java, and how long each took: Waits ENTRY NANOSECONDS COUNT.
import java.util.concurrent.locks.LockSupport;

public class Waits {
  interface Wait {
    void once() throws InterruptedException;
  }

  public static void main(String[] arguments) throws InterruptedException {
    long nanoseconds = Long.parseLong(arguments[1]);
    long milliseconds = nanoseconds / 1_000_000;
    int rest = (int) (nanoseconds % 1_000_000);
    Object lock = new Object();
    Wait wait =
        switch (arguments[0]) {
          case "sleep" -> () -> Thread.sleep(milliseconds, rest);
          case "park" -> () -> LockSupport.parkNanos(nanoseconds);
          case "wait" ->
              () -> {
                synchronized (lock) {
                  lock.wait(milliseconds, rest);
                }
              };
          default -> throw new IllegalArgumentException(arguments[0]);
        };
    long[] took = new long[Integer.parseInt(arguments[2])];
    for (int i = 0; i < took.length; i++) {
      long begin = System.nanoTime();
      wait.once();
      took[i] = System.nanoTime() - begin;
    }
    for (long each : took) System.out.println(each);
  }
}
