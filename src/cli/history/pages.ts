/** A list of any length, a page at a time: what was printed is forgotten. */
import type { DecisionQuery } from "../../api/api.ts";

const PAGE = 500;

/** What a query finds, at most `limit` of it. */
export async function* pagesOf<T extends { id: string }>(
  load: (query: DecisionQuery) => Promise<readonly T[]>,
  query: DecisionQuery,
  limit: number,
): AsyncGenerator<readonly T[]> {
  let before: string | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await load({ ...query, limit: size, ...(before ? { before } : {}) });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    left -= page.length;
    before = page.at(-1)?.id;
  }
}
