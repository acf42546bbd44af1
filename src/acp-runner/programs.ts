/** What is peculiar to programs that we tried, by the name that each gives itself. */
export interface Ways {
  /** It gives no input of a command, but its whole text as the title of the call. */
  titlesAreCommands: boolean;
  /** It forgets what it was told if the model failed before it said anything. */
  forgets: boolean;
  /** It reads a file before it creates it, and takes any error for the end of the matter. */
  readsBeforeCreating: boolean;
}

const USUAL: Ways = { titlesAreCommands: false, forgets: false, readsBeforeCreating: false };

/** Gemini CLI 0.61.0. */
const GEMINI: Ways = { titlesAreCommands: true, forgets: true, readsBeforeCreating: true };

export function waysOf(program: string): Ways {
  return program === "gemini-cli" ? GEMINI : USUAL;
}
