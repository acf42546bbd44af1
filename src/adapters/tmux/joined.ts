/**
 * Of calls for the same thing while one is under way, all share the one that comes next. What each gets was begun after it
 * asked, and however many ask, there is one call at a time: a flood of them keeps nobody else waiting.
 */
export function joined<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<T>>();

  function start(key: string, make: () => Promise<T>): Promise<T> {
    const made = make();
    const over = made.then(
      () => running.delete(key),
      () => running.delete(key),
    );
    running.set(key, over);
    return made;
  }

  return (key, make) => {
    const shared = next.get(key);
    if (shared !== undefined) return shared;
    const before = running.get(key);
    if (before === undefined) return start(key, make);
    const made = before.then(() => {
      next.delete(key);
      return start(key, make);
    });
    next.set(key, made);
    return made;
  };
}
