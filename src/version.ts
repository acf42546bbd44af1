/** The version of this build; esbuild puts the package's version in place of `__VERSION__`. */
declare const __VERSION__: string;

export const version = typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0-dev";
