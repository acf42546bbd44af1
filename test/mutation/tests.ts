/** Stands in for `vitest` in the tests that mutants are tried with: it only remembers them, so that any can be run again. */

export interface Test {
  name: string;
  run(): unknown;
}

export const tests: Test[] = [];
const path: string[] = [];

type Body = (...all: never[]) => unknown;

export const describe = Object.assign(
  (name: string, body: () => void) => {
    path.push(name);
    body();
    path.pop();
  },
  {
    each: (rows: readonly unknown[]) => (name: string, body: Body) => {
      for (const row of rows) describe(`${name} ${JSON.stringify(row)}`, () => call(body, row));
    },
  },
);

export const it = Object.assign(
  (name: string, body: () => unknown) => void tests.push({ name: [...path, name].join(" › "), run: body }),
  {
    each: (rows: readonly unknown[]) => (name: string, body: Body) => {
      for (const row of rows) it(`${name} ${JSON.stringify(row)}`, () => call(body, row));
    },
    runIf: (isWanted: boolean) => (name: string, body: () => unknown) => {
      if (isWanted) it(name, body);
    },
  },
);

function call(body: Body, row: unknown): unknown {
  return Array.isArray(row) ? body(...(row as never[])) : body(row as never);
}
