/** Logins that wait for a person, and the door by which a provider may say who that is. */
import type { Config } from "../../config.ts";
import type { Ports } from "../../ports.ts";
import type { ReadReach } from "../../reach-config/read.ts";
import { readSecret } from "../../reach-config/secret.ts";
import type { Engine } from "../engine/engine.ts";
import type { Doors } from "../http/public-door.ts";
import type { DeviceCodes } from "../secrets/device-codes.ts";
import { deviceCodes } from "../secrets/device-codes.ts";
import { oidcDoor } from "./door.ts";

interface Parts {
  config: Config;
  reach: ReadReach;
  engine: Pick<Engine, "run" | "read">;
  doors: Pick<Doors, "open">;
  port(): number;
}

export function startDevices(
  { config, reach, engine, doors, port }: Parts,
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): DeviceCodes {
  const devices = deviceCodes(clock);
  const secret = (file: string) => readSecret(file, config);
  doors.open(oidcDoor({ config: () => reach().config, secret, engine, devices, port, clock, journal }));
  return devices;
}
