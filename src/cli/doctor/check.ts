/** What a look at the surroundings found. */

export interface Check {
  name: string;
  state: "ok" | "warning" | "problem";
  detail: string;
  /** The thing to type or to do, where something is to be done. */
  fix: string | null;
}

export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, fix: null });

export const warning = (name: string, detail: string, fix: string | null): Check => ({
  name,
  state: "warning",
  detail,
  fix,
});

export const problem = (name: string, detail: string, fix: string | null): Check => ({
  name,
  state: "problem",
  detail,
  fix,
});
