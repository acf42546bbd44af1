/** Where a log lives and how it is reached. */
import type { Driver } from "./driver.ts";
import type { Files } from "./files.ts";

export interface Place {
  dir: string;
  /** The version of oj that writes. */
  version: string;
  driver: Driver;
  files: Files;
}
