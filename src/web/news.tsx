/** What just happened: notices and answers just given. The list makes room for them, so that they cover nothing. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Inbox } from "../inbox/model.ts";
import { Announcer } from "./parts/announcer.tsx";
import { NoticeBar } from "./parts/notice.tsx";
import { Recent } from "./recent.tsx";

export function News({ inbox }: { inbox: Inbox }) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(() =>
      document.documentElement.style.setProperty("--news", `${element.offsetHeight}px`),
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <aside ref={box} class="above" aria-label="News">
      <Announcer inbox={inbox} />
      <NoticeBar inbox={inbox} />
      <Recent inbox={inbox} />
    </aside>
  );
}
