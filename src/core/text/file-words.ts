/**
 * The words for failures and for filing them, with the text around
 * them that changes their meaning. `file-check.ts` looks for them.
 */

export const FAILURE_WORDS = [
  ...["fail", "fails", "failed", "failing", "failure", "failures"],
  ...["error", "errors", "errored", "exception", "exceptions", "traceback", "stack trace", "fatal"],
  ...["crash", "crashes", "crashed", "crashing", "panic", "panics", "panicked", "panicking"],
  ...["segfault", "segfaults", "segmentation fault", "core dump", "deadlock", "deadlocks", "deadlocked"],
  ...["timed out", "times out", "timing out", "hangs", "hung", "oom", "out of memory", "no space left"],
  ...["bug", "bugs", "buggy", "defect", "defects", "regression", "regressions", "flaky"],
  ...["broke", "broken", "corrupt", "corrupted", "outage", "connection refused", "command not found"],
  ...[
    "econnrefused",
    "econnreset",
    "etimedout",
    "enoent",
    "eacces",
    "eperm",
    "eaddrinuse",
    "enospc",
    "emfile",
  ],
] as const;

/**
 * What a thrown error looks like: `TypeError: x is not a function`.
 * The name alone may be just a name that somebody is choosing.
 */
export const THROWN = /(?:^|\s)((?:[A-Za-z]\w*\.)*[A-Z]\w*(?:Error|Exception)):\s/;

/** Something that can't be done is a failure; something that can't be decided is not. */
const DOING =
  "(?!(?:decide|choose|tell|say|judge|agree|use|have|both|find out|know|be|recommend|see (?:a|any|the|which|why))\\b)";
/** A server's status code, not a number of things. */
const STATUS =
  "(?:an? |the )?(?:http |status )*5\\d\\d(?= (?:on|for|when|after|if|in|with|from|at|errors?|and|instead|again|every|since)\\b|$)";

/** Failures that no single word expresses: "the login doesn't work", "tests no longer pass", "it returns 500". */
export const FAILED_PHRASES: readonly RegExp[] = [
  /\b(?:(?:does|do|did|is|are|will|would)(?:n't| not)|won't|no longer|not) (?:working|passing|compiling|starting|building|responding)\b/,
  /\b(?:(?:does|do|did|will|would)(?:n't| not)|won't|no longer|stopped) (?:works?|pass(?:es)?|compiles?|starts?|builds?|responds?|respond|boots?)\b/,
  new RegExp(
    `\\b(?:unable|was not able|were not able|wasn't able|weren't able|not able) to(?: ${DOING}\\w+|$)`,
  ),
  /\b(?:cannot|can't|can not|could not|couldn't) (?:be )?(?:connect|reach|reached|resolve|resolved|open|opened|read|write|find|found|load|loaded|start|started|build|built|compile|compiled|install|installed|parse|parsed|log in|authenticate|clone|cloned|push|pull|fetch|download|upload|import|allocate|bind|mount|access|execute|spawn|lock)\b/,
  new RegExp(
    `\\b(?:returns|returned|returning|gives|gave|got|gets|getting|answers|answered|responds|responded|http|status)(?: with| me| us)? ${STATUS}`,
  ),
  new RegExp(`^${STATUS} (?:from|on|in|for|at|errors?)\\b`),
  /\bexit(?:s|ed|ing)? with (?:an? )?(?:(?:exit )?(?:code|status) )?(?:[1-9]\d*|non-zero)\b/,
  /\b(?:exit (?:code|status) [1-9]\d*|non-zero exit(?: code| status)?)(?= (?:from|in|on|of|after|when)\b|$)/,
  /\bpermission (?:was )?denied(?= (?:on|while|when|for|to|by|in|at|reading|writing)\b|$)/,
  /\b(?:is|are|was|were|went|goes) down(?= (?:again|since|for|on|in|at|with|and|now|after)\b|$)/,
  /\b(?:builds?|ci|pipelines?|tests?|suite|main|checks?|job) (?:is|are|went|turned|stays|remains) red\b/,
];

/** Words between a "no" and what is absent: "no known open bugs", "didn't see a single failure". */
const FILLER =
  "(?: (?:a|an|any|the|single|more|new|known|open|other|further|remaining|longer|real|actual|such|of|been|be|find|found|see|saw|seen|get|got|have|having|had|cause|caused|throw|introduce|to|test|tests|build))*";
const NONE = "(?:no|not|never|without|zero|0|none|nothing|neither|nor|cannot|free of|[a-z]+n't)";

/** Text before or after the word in its clause. Each of these means that no failure happened. */
export const EXCUSES: readonly { before?: RegExp; word?: RegExp; after?: RegExp }[] = [
  { before: new RegExp(`(?:^| )${NONE}${FILLER}$`) },
  { before: /(?:^| )(?:fixed|resolved|repaired|closed|solved)(?: \S+){0,3}$/ },
  {
    after:
      /^(?:(?: \S+){0,2} (?:is|are|was|were|been|be|got))?(?: now| all| already)? (?:fixed|resolved|repaired|gone|closed|solved)\b/,
  },
  // A failure that somebody considers, but that has not happened.
  {
    word: /^fails?$|^crash(?:es)?$|^panics?$|^hangs$|^times out$|^returns |^(?:is|are) down$|^can|^exits? with/,
    before: /(?:^| )if(?: \S+){0,6}$/,
  },
  { before: /(?:^| )if (?:there (?:is|are|was|were) )?(?:an?|any|some)?$/ },
  {
    before:
      /(?:^| )(?<!(?:stuck|blocked|hung|hangs|stopped|halted|died|dies|choked|chokes|tripped|trips|stumbled|aborted|ended|ends|based|working) )(?:on|upon|in case of|per)(?: an?| any| each| the first| first| every)?$/,
  },
  { before: /(?:^| )(?:when|whenever|until|after|before|once) (?:an?|any|some)$/ },
  // Failures in general, as something to deal with: "should we handle failures in X?", "return errors or null?".
  {
    word: /^(?:failures|errors|exceptions|crashes|bugs|panics|defects|regressions)$/,
    before:
      /(?:^| )(?:handle|handling|catch|catching|surface|expose|log|logging|report|retry|represent|model|wrap|show|display|return|throw|raise|translate|map|treat|classify|count|group|find|prevent|avoid|about)(?: all| any| such| its| their| network| user| these kinds of)?$/,
  },
  {
    word: /^(?:error|exception|panic|failure|crash)$/,
    before:
      /(?:^| )(?:should|shall|or|to|would|could|must|may)(?: \S+){0,3} (?:return|throw|raise|show|display|log|emit|be)(?: an?| the)?$/,
  },
  {
    word: /^(?:panic|error|fatal|exception)$/,
    before: /(?:^| )(?:return|throw|raise|emit|log) (?:an? )?(?:\S+ )?or (?:an? )?$|(?:^| )or$/,
  },
  { word: /^errors$/, before: /(?:^| )for(?: \S+)?$/ },
  { word: /^fatal$/, before: /(?:^| )(?:level|severity|as|use|called|named)$/ },
  { word: /^fatal$/, after: /^ (?:or|level|levels|severity|log)\b/ },
  { word: /^panics?$/, after: /^ (?:button|mode|room|key|or)\b/ },
  { word: /^deadlocks?$|^out of memory$|^oom$/, after: /^ (?:detection|handling|killer|score|prevention)\b/ },
  {
    word: /^(?:fail|crash|panic)$/,
    before: /(?:^| )(?:should|would|could|might|may|can|shall|must|to|let|make)(?: \S+){0,4}$/,
  },
  // Ways to fail, and things that are named after failures.
  { word: /^fails?$/, after: /^ (?:fast|over|open|closed|safe|soft|early|loudly|gracefully)\b/ },
  {
    word: /^(?:error|errors|failure|crash|exception|bug|panic)$/,
    after:
      /^ (?:handling|handlers?|logs?|channels?|paths?|types?|kinds?|colou?rs?|states?|variants?|messages?|pages?|codes|types?|class(?:es)?|hierarchy|boundar(?:y|ies)|formats?|logging|reporting|reporters?|trackers?|tracking|budgets?|polic(?:y|ies)|strateg(?:y|ies)|modes?|recovery|tolerance|injection|domains?|semantics|texts?|wording|copy|screens?|toasts?|banners?|rates?|reports?|templates?|fix(?:es)?|bash|bounty|dumps?)\b/,
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
