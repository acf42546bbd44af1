/** A machine whose clock has moved on: every program that a test starts from then on lives later, by libfaketime. */
import fs from "node:fs";
import type { Project } from "./project.ts";

const FILES = [process.arch === "arm64" ? "aarch64" : "x86_64"].map(
  (it) => `/usr/lib/${it}-linux-gnu/faketime/libfaketimeMT.so.1`,
);
const LIBRARY = FILES.find((it) => fs.existsSync(it));

/** Why a test that needs this can't run here; null if it can. */
export const whyNotLater = LIBRARY === undefined ? "libfaketime is not installed" : null;

/** `span` like `2h`, or `-2h` for an earlier time. Timeouts run as fast as ever. */
export function live(project: Project, span: string): void {
  if (LIBRARY === undefined) throw new Error("libfaketime is not installed");
  Object.assign(project.env, {
    LD_PRELOAD: LIBRARY,
    FAKETIME: span.startsWith("-") ? span : `+${span}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_NO_CACHE: "1",
  });
}
