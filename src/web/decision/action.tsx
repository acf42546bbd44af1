/** The exact thing that an agent wants to do, taken from what was recorded and never from its prose. */
import type { DecisionView } from "../../api/api.ts";
import type { ExactAction } from "../../core/model/decision-types.ts";
import { safeLine } from "../../text/safe.ts";
import { Code } from "./code.tsx";
import { Markdown } from "./markdown.tsx";

export function Action({ decision }: { decision: Pick<DecisionView, "id" | "action" | "source"> }) {
  const { action, source, id } = decision;
  if (!action) return null;
  const { plan, rest } = planOf(action.input);
  const isPlan = source === "plan" && plan !== null;
  return (
    <section class="action" aria-labelledby={`action-${id}`}>
      <h3 id={`action-${id}`}>
        {isPlan ? (
          "The agent's plan, complete and in its own words"
        ) : (
          <>
            It wants to use <code class="tool">{safeLine(action.tool)}</code> with exactly this
          </>
        )}
      </h3>
      {isPlan && (
        <div class="plan">
          <Markdown text={plan} />
        </div>
      )}
      {!isPlan && <Input input={action.input} sha256={action.sha256} />}
      {isPlan && Object.keys(rest).length > 0 && <Input input={rest} sha256={action.sha256} />}
      <p class="hash">
        {lengthOf(action.input).toLocaleString("en")} characters · sha256 <code>{action.sha256}</code>
      </p>
    </section>
  );
}

/** Each value below its name; an edit is drawn as a diff. */
function Input({ input, sha256 }: { input: unknown; sha256: ExactAction["sha256"] }) {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return <Code text={textOf(input)} sha256={sha256} label="input" language="text" />;
  const { old_string: before, new_string: after, ...others } = input as Record<string, unknown>;
  const isEdit = typeof before === "string" && typeof after === "string";
  const entries = Object.entries(isEdit ? others : input);
  return (
    <dl class="input">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{safeLine(name)}</dt>
          <dd>
            <Code text={textOf(value)} sha256={sha256} label={name} language="text" />
          </dd>
        </div>
      ))}
      {isEdit && (
        <div>
          <dt>old_string → new_string</dt>
          <dd>
            <Code text={replaced(before, after)} sha256={sha256} label="change" language="diff" />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Both texts in full: first the old one, then the new one. */
function replaced(before: string, after: string): string {
  const marked = (sign: string, text: string) =>
    text
      .split("\n")
      .map((line) => `${sign} ${line}`)
      .join("\n");
  return `${marked("-", before)}\n${marked("+", after)}`;
}

function planOf(input: unknown): { plan: string | null; rest: object } {
  if (typeof input !== "object" || input === null || !("plan" in input)) return { plan: null, rest: {} };
  const { plan, ...rest } = input;
  return { plan: typeof plan === "string" ? plan : null, rest };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function lengthOf(input: unknown): number {
  return JSON.stringify(input)?.length ?? 0;
}
