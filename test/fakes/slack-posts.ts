/** The port to Slack, in memory: what was posted, in order. */
import type { SlackService } from "../../src/channel-ports.ts";

export interface Post {
  to: string;
  text: string;
  isLine: boolean;
}

/** A Slack that takes everything, and remembers it. */
export function slackPosts() {
  const posts: Post[] = [];
  const service: SlackService = {
    async call(method, { channel, text, thread_ts, ts }: Record<string, unknown>) {
      if (method !== "chat.postMessage") return { channel, ts };
      posts.push({ to: String(channel), text: String(text), isLine: thread_ts !== undefined });
      return { channel, ts: String(posts.length) };
    },
    respond: async () => {},
    connect: () => ({ trouble: () => null, close() {} }),
  };
  return { posts, service };
}
