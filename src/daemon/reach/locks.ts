/** One at a time for each name, in the order in which they asked. */
export interface Locks {
  hold(name: string, call: () => Promise<void>): Promise<void>;
}

export function locks(): Locks {
  const last = new Map<string, Promise<void>>();
  return {
    async hold(name, call) {
      const before = last.get(name);
      const own = (before ?? Promise.resolve()).then(call);
      const settled = own.catch(() => undefined);
      last.set(name, settled);
      try {
        await own;
      } finally {
        if (last.get(name) === settled) last.delete(name);
      }
    },
  };
}
