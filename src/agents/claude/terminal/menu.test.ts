import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import type { Prompt, Reply } from "../../../core/model/agent-types.ts";
import type { KeyStep } from "../../client.ts";
import { claudeCode } from "../client.ts";

const client = claudeCode;
const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");
const menu = (name: string) => client.shown(screen(name)) ?? assert.fail(`${name} shows nothing`);

/** The dialog as we know it when only the screen shows it. */
const prompt = (name: string, { choices, text } = menu(name)) =>
  ({ kind: "approval", choices, input: { screen: text }, questions: [] }) as unknown as Prompt;
const picks = (label: string): Reply => ({ type: "keys", keys: "", label });
const press = (...keys: string[]): KeyStep => ({ type: "press", keys });
const send = (key: string): KeyStep => ({ type: "press", keys: [key], sends: true });
const next = (asked: string, label: string, shown: string, done: KeyStep[] = []) =>
  client.keys(prompt(asked), picks(label), screen(shown), done);

describe("a question that the client asks as it starts", () => {
  it("is shown in its own words, and each option with its keys", () => {
    const seen = ["trust", "menu-api-key", "menu-bypass", "menu-theme", "menu-page", "menu-login"].map(
      (it) => {
        const { asks, choices } = menu(it);
        return [asks, ...choices.slice(0, 3).map(({ label, keys }) => `${keys}: ${label}`)];
      },
    );
    assert.deepEqual(seen, [
      ["Accessing workspace:", "Enter: No, exit", "Down Enter: Yes, I trust this folder"],
      ["Do you want to use this API key?", "Up Enter: Yes", "Enter: No (recommended)"],
      [
        "WARNING: Claude Code running in Bypass Permissions mode",
        "Enter: No, exit",
        "Down Enter: Yes, I accept",
      ],
      [
        "Choose the text style that looks best with your terminal",
        "Up Enter: Auto (match terminal)",
        "Enter: Dark mode",
        "Down Enter: Light mode",
      ],
      ["Security notes:", "Enter: Continue"],
      [
        "Login",
        "1: Claude account with subscription · Individual, Team, or Enterprise",
        "2: Anthropic Console account · API usage billing",
        "3: 3rd-party platform · Bedrock, Microsoft Foundry, Google Vertex AI",
      ],
    ]);
  });

  it("asks for trust on one screen only", () => {
    assert.equal(menu("trust").trust?.label, "Yes, I trust this folder");
    for (const it of ["menu-api-key", "menu-bypass", "menu-theme", "approval-bash", "approval-write"])
      assert.equal(menu(it).trust, null, it);
  });

  it("is answered with a cursor that is seen in place before Enter", () => {
    const yes = "Yes, I trust this folder";
    assert.deepEqual(next("trust", yes, "trust"), press("Down"));
    assert.deepEqual(next("trust", yes, "trust", [press("Down")]), press("Down"), "the key was lost");
    assert.deepEqual(next("trust", yes, "trust-on-yes"), send("Enter"));
    assert.deepEqual(next("trust", yes, "menu-api-key", [send("Enter")]), { type: "done" });
    assert.deepEqual(next("menu-theme", "Auto (match terminal)", "menu-theme-moved"), press("Up"));
    assert.deepEqual(next("menu-theme", "Light mode", "menu-theme-moved"), send("Enter"));
    assert.deepEqual(next("menu-page", "Continue", "menu-page"), send("Enter"));
    assert.deepEqual(
      next("menu-login", "Anthropic Console account · API usage billing", "menu-login"),
      press("2"),
    );
  });

  it("gets no key once it is gone, nor for an answer that it does not offer", () => {
    assert.deepEqual(next("trust", "No, exit", "idle"), { type: "wait" });
    assert.deepEqual(next("trust", "No, exit", "menu-bypass"), { type: "wait" });
    assert.equal(next("trust", "Maybe", "trust").type, "give-up");
  });

  it("never passes its keys on to the next dialog, which offers Yes and No as well", () => {
    const { choices } = menu("approval-bash");
    const asked = prompt("", { ...menu("approval-bash"), choices, text: "Keep the old files?" });
    assert.deepEqual(client.keys(asked, picks("Yes"), screen("approval-bash"), []), { type: "wait" });
    assert.equal(client.shows(asked, screen("approval-bash")), false);
    assert.deepEqual(next("approval-bash", "Yes", "approval-bash"), send("1"));
    assert.deepEqual(next("approval-bash", "Yes", "approval-bash-redirect"), { type: "wait" });
    const alike = screen("approval-bash").replaceAll("touch made", "touch /made");
    assert.deepEqual(client.keys(prompt("approval-bash"), picks("Yes"), alike, []), { type: "wait" });
  });
});
