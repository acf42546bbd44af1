/** Types of what is never changed in place, however deep. Folding puts another in its place, so whoever read one may keep it. */
export type Fixed<T> = unknown extends T ? T : { readonly [K in keyof T]: Fixed<T[K]> };

/** A copy of one's own: its fields may be set, and what they hold is still fixed. */
export type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** For what is about to be written out, or was read in: nobody else holds it, so its reader may do with it as they like. */
export function loosened<T>(value: Fixed<T>): T {
  return value as T;
}
