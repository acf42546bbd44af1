/** Sets one value in a settings file and leaves every other byte alone: comments, order, spacing. Pure: text to text. */

/** `value` is written as TOML. The text must be TOML that we can read. */
export function withSetting(text: string, section: string, key: string, value: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((it) => new RegExp(`^\\s*\\[\\s*${section}\\s*\\]`).test(it));
  if (start < 0) {
    const dotted = new RegExp(`^(\\s*${section}\\s*\\.\\s*${key}\\s*=\\s*)[^#\\s]+`);
    const at = lines.findIndex((it) => dotted.test(it));
    if (at >= 0) return withLine(at, (lines[at] ?? "").replace(dotted, `$1${value}`));
    const gap = text === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
    return `${text}${gap}[${section}]${newline}${key} = ${value}${newline}`;
  }
  const rest = lines.slice(start + 1).findIndex((it) => /^\s*\[/.test(it));
  const end = rest < 0 ? lines.length : start + 1 + rest;
  const set = new RegExp(`^(\\s*${key}\\s*=\\s*)[^#\\s]+`);
  const at = lines.findIndex((it, n) => n > start && n < end && set.test(it));
  if (at >= 0) return withLine(at, (lines[at] ?? "").replace(set, `$1${value}`));
  return [...lines.slice(0, start + 1), `${key} = ${value}`, ...lines.slice(start + 1)].join(newline);

  function withLine(n: number, line: string): string {
    return [...lines.slice(0, n), line, ...lines.slice(n + 1)].join(newline);
  }
}
