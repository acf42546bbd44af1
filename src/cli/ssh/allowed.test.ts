import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { isCommand, loadAll, loadCommand, namesIn } from "../registry.ts";
import { ALLOWED, isAllowed, READ_FILES, refuseFlags } from "./allowed.ts";

/** Whoever adds a command says here or in `ALLOWED` whether people who come by ssh may call it, and why not. */
const NOT_BY_SSH: Record<string, readonly string[]> = {
  "opens a terminal or an editor": [
    ...["decision review", "decision watch", "job attach", "crew attach", "agent attach"],
    ...["job peek", "crew peek", "agent peek", "web"],
  ],
  "is about work, files or programs of the machine itself": [
    ...["run", "job drop", "job delete", "crew drop", "crew delete", "init", "demo", "doctor", "uninstall"],
    ...["completion", "mcp", "serve", "ssh", "quiet", "beads status", "beads sync", "mail receive"],
    ...["runbook list", "runbook check", "runbook simulate", "runbook test", "decision templates"],
    ...["channel add", "channel test", "machine forget", "passkey add"],
    ...["store status", "store verify", "store init", "store copy", "store backup", "store restore"],
    ...["audit verify", "audit checkpoint", "audit export"],
    ...["daemon start", "daemon stop", "daemon restart", "daemon status", "daemon logs"],
    ...["policy list", "policy show", "policy check", "policy accept", "policy on", "policy off"],
    ...["policy explain", "policy remember", "policy suggest", "policy try"],
  ],
  "can't be taken back": ["audit erase"],
  "leads to another machine": ["login", "logout", "context list", "context use"],
  "is for agents and sessions": [
    ...["decision check", "decision remind", "decision auto-close", "decision turn-clear"],
    ...["decision turn-mark", "decision turn-check", "inject add", "inject drain", "inject status"],
    "agent signal",
  ],
};

describe("commands by ssh", () => {
  it("are allowed one by one: every command is in one of the two lists", () => {
    const refused = Object.values(NOT_BY_SSH).flat();
    assert.deepEqual([...Object.keys(ALLOWED), ...refused].toSorted(), namesIn().toSorted());
    for (const hidden of ["__complete", "__hook", "decisions"]) {
      assert.ok(isCommand(hidden));
      assert.ok(!isAllowed(hidden));
    }
  });

  it("are allowed with flags that they have, and none of them is only for this machine", async () => {
    for (const [name, flags] of Object.entries(ALLOWED)) {
      const command = await loadCommand(name);
      assert.notEqual(command.local, true, name);
      for (const flag of flags) assert.ok(flag in command.flags || flag === "project", `${name} --${flag}`);
    }
  });

  it("are refused with any other flag, however it is spelled", async () => {
    for (const command of await loadAll()) {
      if (!isAllowed(command.name)) continue;
      const others = Object.keys(command.flags).filter((it) => !ALLOWED[command.name]?.includes(it));
      for (const flag of [...others, "server"]) {
        const isSwitch = command.flags[flag]?.type === "boolean";
        const spellings = isSwitch ? [[`--${flag}`]] : [[`--${flag}`, "x"], [`--${flag}=x`]];
        for (const words of spellings)
          assert.throws(
            () => refuseFlags(command, words),
            /can't be used by ssh/,
            `${command.name} ${words}`,
          );
      }
    }
  });

  it("read no file: those that could are known, and refuse it however it is spelled", async () => {
    for (const command of await loadAll()) {
      if (!isAllowed(command.name)) continue;
      for (const [flag, { help }] of Object.entries(command.flags))
        if (/file/i.test(help) && ALLOWED[command.name]?.includes(flag) && flag !== "no-file-check")
          assert.ok(
            READ_FILES.some((it) => it === flag),
            `${command.name} --${flag}: ${help}`,
          );
      for (const flag of READ_FILES) {
        if (!(flag in command.flags)) continue;
        for (const words of [[`--${flag}`, "@/etc/passwd"], [`--${flag}=@../../etc/passwd`]])
          assert.throws(() => refuseFlags(command, ["--project", "shop", ...words]), /files of this machine/);
        refuseFlags(command, ["--project", "shop", `--${flag}`, "@@home", "x"]);
      }
    }
  });
});
