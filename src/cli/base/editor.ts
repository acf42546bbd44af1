/** Lets a person change a text in their own editor. */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { usage } from "./fail.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The text as the person left it. The file is readable by them alone, and is removed. */
export async function inEditor(text: string, name: string, env: Env): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "oj-edit-"));
  try {
    const file = path.join(folder, name);
    await fs.writeFile(file, text, { mode: 0o600 });
    const editor = env.VISUAL || env.EDITOR || "vi";
    const code = await run(editor, file, env);
    if (code !== 0)
      throw usage(
        `the editor (${editor}) ended with exit code ${code}; nothing was sent`,
        "EDITOR=nano oj …",
      );
    return await fs.readFile(file, "utf8");
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** An editor may be a command with arguments, such as `code --wait`. */
function run(editor: string, file: string, env: Env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env: { ...env } });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
