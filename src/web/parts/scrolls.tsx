/** A box that scrolls on its own: it has a name, and keys can reach it. */
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
    // biome-ignore lint/a11y/useSemanticElements: this is not a set of fields
    <div
      {...(box ? { ref: box } : {})}
      class={kind}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach whatever scrolls
      tabIndex={0}
      {...(autofocus ? { "data-autofocus": true } : {})}
      onScroll={(event) => onScroll?.(event.currentTarget)}
    >
      {children}
    </div>
  );
}
