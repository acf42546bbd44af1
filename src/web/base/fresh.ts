/** Something the daemon computes, loaded again whenever something happens there. */
import { useEffect, useState } from "preact/hooks";
import { errorOf } from "./api.ts";
import { watchEvents } from "./connect.ts";

interface Fresh<T> {
  value: T | null;
  error: string | null;
}

/** `key` names what is loaded: another one is loaded at once. Events within `quietMs` are shown together. */
export function useFresh<T>(key: string, load: () => Promise<T>, quietMs: number): Fresh<T> {
  const [fresh, setFresh] = useState<Fresh<T>>({ value: null, error: null });
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      load().then(
        (value) => wanted && setFresh({ value, error: null }),
        (problem: unknown) => wanted && setFresh(({ value }) => ({ value, error: errorOf(problem).message })),
      );
    };
    look();
    const unwatch = watchEvents(() => {
      timer ??= setTimeout(look, quietMs);
    });
    return () => {
      wanted = false;
      clearTimeout(timer);
      unwatch();
    };
  }, [key]);
  return fresh;
}
