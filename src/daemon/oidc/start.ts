/** How people prove who they are: logins that wait for them, a provider that names them, passkeys that they sign with. */
import type { Config } from "../../config.ts";
import type { Ports } from "../../ports.ts";
import type { ReadReach } from "../../reach-config/read.ts";
import { readSecret } from "../../reach-config/secret.ts";
import type { Engine } from "../engine/engine.ts";
import type { BrowserLogins, Doors } from "../http/public-door.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import { startPasskeys } from "../passkeys/passkeys.ts";
import type { DeviceCodes } from "../secrets/device-codes.ts";
import { deviceCodes } from "../secrets/device-codes.ts";
import { oidcDoors } from "./door.ts";

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
): { devices: DeviceCodes; passkeys: Passkeys; providerLogins: BrowserLogins } {
  const devices = deviceCodes(clock);
  const secret = (file: string) => readSecret(file, config);
  const read = () => reach().config;
  const { here, browsers } = oidcDoors({ config: read, secret, engine, devices, port, clock, journal });
  doors.open(here);
  return { devices, passkeys: startPasskeys({ engine, clock, reach, port }), providerLogins: browsers };
}
