/** The daemon's own small files in memory while a simulation runs: real ones would take real time. */
import fs from "node:fs/promises";

/** Everything below this folder is in memory. */
export const FOLDER = "/simulated";

export interface MemoryFiles {
  append(file: string, line: string): void;
}

export async function withMemoryFiles<T>(act: (files: MemoryFiles) => Promise<T>): Promise<T> {
  const files = new Map<string, string>();
  const missing = (file: unknown) => Object.assign(new Error(`ENOENT: ${String(file)}`), { code: "ENOENT" });
  const found = (file: unknown) => {
    const text = files.get(String(file));
    if (text === undefined) throw missing(file);
    return text;
  };
  const inMemory = {
    readFile: async (file: unknown) => found(file),
    writeFile: async (file: unknown, text: unknown) => void files.set(String(file), String(text)),
    mkdir: async () => undefined,
    rename: async (from: unknown, to: unknown) => {
      files.set(String(to), found(from));
      files.delete(String(from));
    },
    rm: async (file: unknown) => void files.delete(String(file)),
    stat: async (file: unknown) => ({ isFile: () => true, size: Buffer.byteLength(found(file)), mtimeMs: 0 }),
    readdir: async (file: unknown) => Promise.reject(missing(file)),
    opendir: async (file: unknown) => Promise.reject(missing(file)),
    open: async (file: unknown) => {
      const bytes = Buffer.from(found(file));
      return {
        read: async (buffer: Buffer, at: number, length: number, from: number) => ({
          buffer,
          bytesRead: bytes.copy(buffer, at, from, from + length),
        }),
        close: async () => {},
      };
    },
    realpath: async (file: unknown) => String(file),
  };
  const real = Object.fromEntries(Object.keys(inMemory).map((name) => [name, fs[name as "readFile"]]));
  const own = process.cwd(); // whoever runs the simulation may read its own files meanwhile
  for (const [name, call] of Object.entries(inMemory)) {
    const first = (file: unknown, ...more: unknown[]) =>
      String(file).startsWith(own)
        ? (real[name] as unknown as (...all: unknown[]) => unknown)(file, ...more)
        : (call as (...all: unknown[]) => unknown)(file, ...more);
    Object.assign(fs, { [name]: first });
  }
  try {
    return await act({
      append: (file, line) => void files.set(file, `${files.get(file) ?? ""}${line}\n`),
    });
  } finally {
    Object.assign(fs, real);
  }
}
