/** A key beside what it does. It is only visual: for assistive technology, the help lists all keys. */
import type { ComponentChildren } from "preact";

export function Key({ children }: { children: ComponentChildren }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus
  return <kbd aria-hidden="true">{children}</kbd>;
}
