/** `oj channel add`: writes what a channel needs into the settings, and says what is left to do. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { personalFile } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import { CHANNEL_KINDS } from "../../core/model/reach-types.ts";
import { reachConfig } from "../../reach-config/read.ts";
import { hang } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";
import { usage } from "../base/fail.ts";
import { oneOf } from "../base/values.ts";
import type { Recipe } from "./recipes.ts";
import { RECIPES } from "./recipes.ts";

const NAMED = ["webhook", "exec"];

export const command = defineCommand({
  name: "channel add",
  summary: "Set up a way to reach people, step by step",
  args: "KIND [NAME]",
  flags: { url: { type: "string", value: "URL", help: "the address of a webhook" } },
  completes: CHANNEL_KINDS,
  examples: [
    { run: "oj channel add slack", does: "writes its section, files for its tokens and the app's manifest" },
    { run: "oj channel add webhook audit --url https://example.com/oj", does: "with a new secret" },
  ],

  async run({ config, json, out }, [given, name, ...more], { url }) {
    const kind = oneOf("KIND", given, CHANNEL_KINDS);
    if (kind === undefined || more.length > 0)
      throw usage(`oj channel add takes a kind: ${CHANNEL_KINDS.join(", ")}`, "oj channel add slack");
    const isNamed = NAMED.includes(kind);
    if (isNamed !== (name !== undefined))
      throw usage(
        isNamed ? `there can be several of the kind ${kind}: give it a name` : `${kind} takes no name`,
        isNamed ? `oj channel add ${kind} NAME` : `oj channel add ${kind}`,
      );
    if (name !== undefined && !/^\w[\w-]{0,63}$/.test(name))
      throw usage(
        `"${name}" must be letters, digits, dashes and underscores`,
        `oj channel add ${kind} audit`,
      );
    const reach = reachConfig(config)();
    if (reach.problem !== null) throw new Refusal("config.invalid", reach.problem, "oj doctor");
    const file = personalFile(config.env, config.home);
    const full = isNamed ? `${kind}.${name}` : kind;
    const wanted = { name: name ?? kind, url: url ?? null };
    const recipe = RECIPES[kind]({ ...wanted, secret: () => `whsec_${randomBytes(24).toString("base64")}` });
    const isThere = hasSection(file, full);
    const made = write(file, full, recipe, isThere);
    const steps = [
      ...recipe.steps.map((it) => it.replace(/FILE:(\S+?)(?=[\s,;:.)]|$)/g, (_, own) => place(file, own))),
      `oj channel test ${full}`,
    ];
    if (json) return out.json({ name: full, made, steps });
    for (const it of made) out.print(`${out.style.green("✓")} ${safeLine(it)}`);
    if (isThere) out.say(`[channel.${full}] is there already, and stays as it is`);
    steps.forEach((it, index) => {
      for (const line of hang(`${index + 1}. `, safeLine(it), out.width)) out.print(line);
    });
  },
});

function place(file: string, own: string): string {
  return own === "config.toml" ? file : path.join(path.dirname(file), own);
}

function hasSection(file: string, full: string): boolean {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  return new RegExp(`^\\s*\\[\\s*channel\\.${full.replace(".", "\\.")}\\s*\\]`, "m").test(text);
}

/** What is there stays as it is. Secrets are readable by their owner alone from the first moment. */
function write(file: string, full: string, { settings, secrets, files }: Recipe, isThere: boolean): string[] {
  const made: string[] = [];
  const make = (own: string, text: string, mode: number) => {
    const target = place(file, own);
    if (fs.existsSync(target)) return;
    fs.writeFileSync(target, text, { mode, flag: "wx" });
    made.push(target);
  };
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    for (const { file: own, generated = "" } of secrets) make(own, generated && `${generated}\n`, 0o600);
    for (const { file: own, text } of files) make(own, text, 0o644);
    if (isThere || settings.length === 0) return made;
    const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    fs.appendFileSync(file, `${gap}[channel.${full}]\n${settings.join("\n")}\n`, { mode: 0o600 });
    return [...made, `${file}: [channel.${full}]`];
  } catch (error) {
    throw new Refusal("request.invalid", `can't be written: ${(error as Error).message}`, null);
  }
}
