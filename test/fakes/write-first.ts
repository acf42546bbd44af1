/** An HTTP client that reads nothing until it has written its whole request, as simple ones do. */
import { once } from "node:events";
import type net from "node:net";

/** Returns everything that it then reads. */
export async function writeFirst(socket: net.Socket, head: readonly string[], body: Buffer): Promise<string> {
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(body, (error) => (error ? reject(error) : resolve()));
  });
  let text = "";
  socket
    .setEncoding("utf8")
    .on("data", (part) => (text += part))
    .resume();
  await once(socket, "close");
  return text;
}
