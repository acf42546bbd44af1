/** `/metrics` on the port, without a login: for a Prometheus on this machine, and for nobody else. */
import type http from "node:http";
import { Refusal } from "../../core/model/errors.ts";
import { metrics } from "../http/routes/stats.ts";
import type { Service } from "../http/service.ts";
import { METRICS_TYPE } from "../views/metrics.ts";

const PATH = "/metrics";
/** What a proxy adds: behind one, whoever asks is not on this machine. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** Whether that is what was asked for. The host's name has been checked. */
export async function sendMetrics(
  service: Service,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<boolean> {
  const { method, url = "", headers, socket } = incoming;
  if (url.split("?")[0] !== PATH || (method !== "GET" && method !== "HEAD")) return false;
  const isHere = isLoopback(socket.remoteAddress) && /^(127\.0\.0\.1|localhost):/.test(headers.host ?? "");
  if (!isHere || FORWARDED.some((it) => headers[it] !== undefined))
    throw new Refusal("request.forbidden", "the figures are for programs on this machine");
  const text = await metrics(service);
  outgoing.writeHead(200, { "content-type": METRICS_TYPE, "content-length": Buffer.byteLength(text) });
  outgoing.end(method === "HEAD" ? undefined : text);
  return true;
}

function isLoopback(address = ""): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}
