/** Which store a command is about: the one that the daemon here would use, or one that was named. */
import path from "node:path";
import type { Config } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import { readSecret } from "../../reach-config/secret.ts";
import type { StorePlace, WholeStore } from "../../store/main.ts";

export async function storeHere(config: Readonly<Config>): Promise<WholeStore> {
  const { url } = config.settings.store;
  if (url === "") return opened({ folder: config.stateDir });
  return opened({ url, password: await passwordOf(config), folder: config.stateDir });
}

/** `postgres://…`, or a state folder. */
export async function storeNamed(config: Readonly<Config>, name: string): Promise<WholeStore> {
  if (!/^postgres(ql)?:/i.test(name)) return opened({ folder: path.resolve(config.cwd, name) });
  const isOurs = name === config.settings.store.url;
  return opened({ url: name, password: isOurs ? await passwordOf(config) : null, folder: null });
}

async function opened(place: StorePlace): Promise<WholeStore> {
  const { storeAt } = await import("../../store/main.ts");
  return storeAt(place);
}

async function passwordOf(config: Readonly<Config>): Promise<string | null> {
  const { password_file } = config.settings.store;
  if (password_file === "") return null;
  return readSecret(password_file, config).catch((error: Error) => {
    throw new Refusal(
      "config.invalid",
      `the password of the store can't be read: ${error.message}`,
      "oj doctor",
    );
  });
}
