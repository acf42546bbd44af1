/** A program for a terminal that does what a test tells it over a socket: `node session-program.mjs SOCKET [ARGUMENT…]`. */
import net from "node:net";

const [socket, ...args] = process.argv.slice(2);
let input = Buffer.alloc(0);
let resized = 0;

process.stdin.setRawMode(true);
process.stdin.on("data", (bytes) => {
  input = Buffer.concat([input, bytes]);
});
process.on("SIGWINCH", () => {
  resized += 1;
});
process.on("SIGHUP", () => process.exit(129));

/** @type {Record<string, (value: any) => unknown>} */
const doing = {
  seen: () => ({
    args,
    cwd: process.cwd(),
    env: process.env,
    columns: process.stdout.columns,
    rows: process.stdout.rows,
    resized,
    input: input.toString("base64"),
  }),
  print: (text) => new Promise((resolve) => process.stdout.write(Buffer.from(text, "base64"), resolve)),
  exit: (code) => void setImmediate(() => process.exit(code)),
  die: (signal) => void setImmediate(() => process.kill(process.pid, signal)),
};

/** A question comes whole before its answer goes out. */
const server = net.createServer({ allowHalfOpen: true }, (connection) => {
  let text = "";
  connection.on("error", () => {});
  connection.on("data", (part) => {
    text += part;
  });
  connection.on("end", async () => {
    const { name, value } = JSON.parse(text);
    connection.end(JSON.stringify((await doing[name]?.(value)) ?? null));
  });
});
server.listen(socket ?? "");
