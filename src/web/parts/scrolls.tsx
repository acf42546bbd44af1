/** A box that scrolls by itself: reachable by keys, and with a name. */
import type { ComponentChildren, Ref } from "preact";

interface Given {
  kind: string;
  label: string;
  children: ComponentChildren;
  box?: Ref<HTMLDivElement>;
  autofocus?: boolean;
  onScroll?(element: HTMLDivElement): void;
}

export function Scrolls({ kind, label, children, box, autofocus = false, onScroll }: Given) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields
    <div
      {...(box ? { ref: box } : {})}
      class={kind}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      {...(autofocus ? { "data-autofocus": true } : {})}
      onScroll={(event) => onScroll?.(event.currentTarget)}
    >
      {children}
    </div>
  );
}
