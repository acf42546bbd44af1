/** The words of failure and of filing, in their usual places. How they are looked for is `file-check.ts`. */

export const FAILURE_WORDS = [
  ...["fail", "fails", "failed", "failing", "failure", "failures"],
  ...["error", "errors", "errored", "exception", "exceptions", "traceback", "stack trace"],
  ...["crash", "crashes", "crashed", "crashing", "panicked", "segfault", "segfaults", "timed out"],
  ...["bug", "bugs", "buggy", "defect", "defects", "regression", "regressions", "flaky"],
  ...["broke", "broken", "corrupt", "corrupted", "outage"],
] as const;

/** "the login doesn't work", "tests no longer pass". */
export const NOT_WORKING =
  /\b(?:(?:does|do|did|is|are|will|would)(?:n't| not)|won't|no longer|not) (?:working|passing|compiling)\b|\b(?:(?:does|do|did|will|would)(?:n't| not)|won't|no longer|stopped) (?:works?|pass(?:es)?|compiles?)\b/;

/** What stands between a "no" and what there is none of: "no known open bugs", "didn't see a single failure". */
const FILLER =
  "(?: (?:a|an|any|the|single|more|new|known|open|other|further|remaining|longer|real|actual|such|of|been|be|find|found|see|saw|seen|get|got|have|having|had|cause|caused|throw|introduce|to|test|tests|build))*";
const NONE = "(?:no|not|never|without|zero|0|none|nothing|neither|nor|cannot|free of|[a-z]+n't)";

/** Of what came before the word in its clause, and what comes after it: each makes it no failure that happened. */
export const EXCUSES: readonly { before?: RegExp; word?: RegExp; after?: RegExp }[] = [
  { before: new RegExp(`(?:^| )${NONE}${FILLER}$`) },
  { before: /(?:^| )(?:fixed|resolved|repaired|closed|solved)(?: \S+){0,3}$/ },
  {
    after:
      /^(?:(?: \S+){0,2} (?:is|are|was|were|been|be|got))?(?: now| all| already)? (?:fixed|resolved|repaired|gone|closed|solved)\b/,
  },
  // A failure that somebody thinks about, and that has not happened.
  { word: /^fails?$|^crash(?:es)?$/, before: /(?:^| )if(?: \S+){0,6}$/ },
  { before: /(?:^| )if (?:there (?:is|are|was|were) )?(?:an?|any|some)?$/ },
  { before: /(?:^| )(?:on|upon|in case of|per)(?: an?| any| each| the first| first| every)?$/ },
  {
    word: /^(?:fail|crash)$/,
    before: /(?:^| )(?:should|would|could|might|may|can|shall|must|to|let|make)(?: \S+){0,4}$/,
  },
  // Ways to fail, and things that are named after failures.
  { word: /^fails?$/, after: /^ (?:fast|over|open|closed|safe|soft|early|loudly|gracefully)\b/ },
  {
    word: /^(?:error|errors|failure|crash|exception|bug)$/,
    after:
      /^ (?:handling|handlers?|messages?|pages?|codes|types?|class(?:es)?|hierarchy|boundar(?:y|ies)|formats?|logging|reporting|reporters?|trackers?|tracking|budgets?|polic(?:y|ies)|strateg(?:y|ies)|modes?|recovery|tolerance|injection|domains?|semantics|texts?|wording|copy|screens?|toasts?|banners?|rates?|reports?|templates?|fix(?:es)?|bash|bounty|dumps?)\b/,
  },
  { word: /^bug$/, after: /^ #?\d/ },
  {
    word: /^exceptions?$/,
    before: /(?:^| )(?:make|making|made|grant|granting|allow|allowing|add|one|as)(?: an?| one| this| that)?$/,
  },
  { word: /^exceptions?$/, after: /^ (?:to|for|list)\b/ },
  { word: /^regressions?$/, before: /(?:^| )(?:linear|logistic|ridge|lasso|polynomial)$/ },
  { word: /^regressions?$/, after: /^ (?:models?|tests?|testing|suites?|analysis)\b/ },
];

const THING =
  "(?:bugs?|issues?|tickets?|defects?|tasks?|cards?|incidents?|beads?|reports?|stor(?:y|ies)|follow-ups?|todos?|(?:bug|issue) reports?)";
const ARTICLE =
  "(?: (?:an?|the|new|another|separate|one|github|gitlab|jira|linear|upstream|follow-up|bug|high-priority))*";

export const FILINGS: readonly RegExp[] = [
  new RegExp(
    `^(?:file|report)(?:$| (?:${THING}|an?|it|this|that|these|them|the|all|each|both|one|new|separate|upstream|under|for|as|against|with|and|now|later|first|to|failures?|errors?|crash(?:es)?)(?: |$))`,
  ),
  new RegExp(` (?:file|report)(?: (?:${THING}|an?|it|this|that|these|them|one|upstream)(?: |$))`),
  / (?:and|then|to|or|also|just|please|first|we|i|you|will|should|\+|&) file$/,
  /(?:^| )(?:filing|filed|backlog)(?: |$)/,
  new RegExp(
    `(?:^| )(?:creates?|creating|opens?|opening|raises?|raising|logs?|logging|makes?|adds?|adding|writes?|submits?|submitting|posts?|records?|tracks?|tracking|enters?|new)${ARTICLE} ${THING}(?: |$)`,
  ),
  /(?:^| )track(?: (?:it|this|that|them|as|in|separately)(?: |$))/,
  new RegExp(`^(?:an? |the |new )?${THING}$`),
];

export const NOT_FILED =
  /(?:^| )(?:(?:don't|do not|not|never|without|no|instead of)(?: (?!and )\S+){0,2}|skip) (?:file|filing|report|track|an? (?:bug|issue|ticket))(?: |$)/;
