/**
 * Types for values that are never changed in place, at any depth.
 * Folding replaces a value, so whoever has read one may keep it.
 */
export type Fixed<T> = unknown extends T ? T : { readonly [K in keyof T]: Fixed<T[K]> };

/** A private copy: its fields may be set, but what they hold is still fixed. */
export type Changing<T> = { -readonly [K in keyof T]: T[K] };

/**
 * For a value that is about to be written out, or was just read in: nobody else holds it, so its reader may change it.
 */
export function loosened<T>(value: Fixed<T>): T {
  return value as T;
}

/**
 * The same as `{ ...one, ...other }`, for large objects that every request makes. V8 copies an object with a spread in no
 * time, and then takes microseconds for each field that is added to the copy (docs/adr/0022).
 */
export function joined<One extends object, Other extends object>(
  one: One,
  other: Other,
): Omit<One, keyof Other> & Other {
  return Object.assign({}, one, other);
}
