/** What is wrong when the tour is stuck: taken from the daemon and its log, since both are gone when the tour is. */
import fs from "node:fs";
import path from "node:path";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";

const LAST_WARNINGS = 5;

/** One line each: what the jobs and agents are doing, what waits for what, and what the daemon warns about. */
export async function whatIsWrong(context: Context): Promise<string[]> {
  const { client, config } = context;
  const lines = await Promise.all([jobs(), agents(), answers(), warnings()]).catch((error: Error) => [
    [`the daemon does not respond: ${error.message}`],
  ]);
  return [...lines.flat(), ...lastWarnings(path.join(config.stateDir, "daemon.log"))].map(safeLine);

  async function jobs(): Promise<string[]> {
    const open = (await client.jobs()).filter((it) => it.status !== "completed");
    return open.map((it) => `job ${it.name} is ${it.status}${it.step === null ? "" : `, step ${it.step}`}`);
  }

  async function agents(): Promise<string[]> {
    const live = (await client.agents()).filter((it) => it.status !== "ended");
    return live.map((it) => `agent ${it.name} is ${it.status}`);
  }

  async function answers(): Promise<string[]> {
    const given = (await client.decisions({ all: true })).filter((it) => it.delivery.state === "owed");
    return given.map(
      (it) => `the answer to ${it.id} was not delivered: ${it.delivery.error ?? "no reason is known"}`,
    );
  }

  async function warnings(): Promise<string[]> {
    return (await client.health()).warnings;
  }
}

function lastWarnings(file: string): string[] {
  try {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    return lines.filter((it) => /"level":"(warn|error)"/.test(it)).slice(-LAST_WARNINGS);
  } catch {
    return []; // it was never started
  }
}
