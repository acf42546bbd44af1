/** One machine: its terminals, its shell, its clock, and whichever daemon runs on it now. */
import type { FakePorts } from "../fakes/ports.ts";
import type { Simulated } from "./daemon.ts";
import type { Death } from "./disk.ts";

export interface Machine {
  name: string;
  fakes: FakePorts;
  /** The daemon that serves, or null. */
  current(): Simulated | null;
  /** The one that was started last, whether it still runs or not. */
  latest(): Simulated | null;
  boot(): void;
  /** Ends the daemon, and with the power everything else on the machine. False if no daemon ran. */
  end(how: Death): boolean;
}

export function machine(
  name: string,
  fakes: FakePorts,
  died: (it: Simulated, how: Death) => void,
  start: (life: string, began: (it: Simulated) => void) => void,
): Machine {
  let daemon: Simulated | null = null;
  let lives = 0;
  return {
    name,
    fakes,
    current: () => (daemon?.isUp && !daemon.life.isOver ? daemon : null),
    latest: () => daemon,
    boot: () => start(`${name}d${++lives}`, (it) => (daemon = it)),
    end(how) {
      if (!daemon || daemon.life.isOver) return false;
      daemon.life.isOver = true;
      died(daemon, how);
      daemon.life.cut();
      return true;
    },
  };
}
