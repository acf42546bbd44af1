/** What is started as the daemon: loads its program, a file next to this one. */
import { dirname, join } from "node:path";
import { load } from "./code-cache.ts";

load(join(dirname(__filename), "daemon-main.cjs"), process.env);
