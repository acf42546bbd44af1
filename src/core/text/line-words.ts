/** The words of a line as a shell splits them, quotes taken off; nothing is expanded. */
export function lineWords(line: string): string[] {
  const words = line.match(/(?:[^\s"'\\]|\\[\s\S]?|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g) ?? [];
  return words.map((word) =>
    word.replace(/\\([\s\S]?)|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g, (_, bare, double, single) =>
      double === undefined ? (single ?? bare ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
    ),
  );
}
