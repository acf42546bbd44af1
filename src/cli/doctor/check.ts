/** The result of one check of the surroundings. */

export interface Check {
  name: string;
  state: "ok" | "warning" | "problem";
  detail: string;
  /** What to type or do, if something needs doing. */
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
