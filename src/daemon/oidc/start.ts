/** How people prove who they are: logins that wait for them, a provider that names them, passkeys that they sign with. */
import type { Config } from "../../config.ts";
import type { Ports } from "../../ports.ts";
import type { ReadReach } from "../../reach-config/read.ts";
import { readSecret } from "../../reach-config/secret.ts";
import type { Engine } from "../engine/engine.ts";
import type { Doors } from "../http/public-door.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import { startPasskeys } from "../passkeys/passkeys.ts";
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

export function startProofs(
  { config, reach, engine, doors, port }: Parts,
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): { devices: DeviceCodes; passkeys: Passkeys } {
  const devices = deviceCodes(clock);
  const secret = (file: string) => readSecret(file, config);
  doors.open(oidcDoor({ config: () => reach().config, secret, engine, devices, port, clock, journal }));
  return { devices, passkeys: startPasskeys({ engine, clock, reach, port }) };
}
