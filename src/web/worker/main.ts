/** The page's service worker, `/sw.js`. A new version takes over as soon as a page has loaded it. */
import type { Scope } from "./scope.ts";
import { work } from "./work.ts";

work(globalThis as unknown as Scope);
