/** `oj completion`: the script that teaches a shell to complete. It asks `oj __complete` what to offer. */
import { suggest } from "../core/text/suggest.ts";
import { defineCommand } from "./base/command.ts";
import { usage } from "./base/fail.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const command = defineCommand({
  name: "completion",
  local: true,
  summary: "Print a shell completion script",
  args: "bash|zsh|fish",
  flags: {},
  completes: SHELLS,
  examples: [
    { run: "source <(oj completion bash)", does: "in ~/.bashrc" },
    { run: "source <(oj completion zsh)", does: "in ~/.zshrc, after compinit" },
    { run: "oj completion fish > ~/.config/fish/completions/oj.fish", does: "once" },
  ],

  async run({ json, out }, [given = ""]) {
    const shell = SHELLS.find((it) => it === given);
    if (!shell) {
      const near = suggest(given, SHELLS);
      throw usage(
        `oj completion has no script for the shell "${given}"`,
        `oj completion ${near ?? SHELLS.join("|")}`,
      );
    }
    const script = SCRIPTS[shell];
    if (json) out.json({ shell, script });
    else out.print(script.trimEnd());
  },
});

/** `oj __complete` prints a candidate, a tab and its description on each line, or `:files` alone where files fit. */
const SCRIPTS: Record<(typeof SHELLS)[number], string> = {
  bash: `# oj completion for bash:  source <(oj completion bash)
_oj() {
  local line word width=0
  local -a lines=()
  COMPREPLY=()
  while IFS= read -r line; do lines+=("$line"); done < <(command oj __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  (( \${#lines[@]} )) || return 0
  if [[ \${lines[0]} == ":files" ]]; then compopt -o default 2>/dev/null; return 0; fi
  # Descriptions are shown in a list only: what is inserted must be the word alone.
  if (( \${#lines[@]} == 1 )) || [[ \${COMP_TYPE:-9} == 37 || \${COMP_TYPE:-9} == 42 ]]; then
    for line in "\${lines[@]}"; do COMPREPLY+=("\${line%%$'\\t'*}"); done
    return 0
  fi
  for line in "\${lines[@]}"; do word=\${line%%$'\\t'*}; (( \${#word} > width )) && width=\${#word}; done
  for line in "\${lines[@]}"; do
    word=\${line%%$'\\t'*}
    if [[ $line == *$'\\t'?* ]]; then
      printf -v line "%-\${width}s  (%s)" "$word" "\${line#*$'\\t'}"
      COMPREPLY+=("\${line:0:\${COLUMNS:-80}-2}")
    else
      COMPREPLY+=("$word")
    fi
  done
}
complete -o nosort -F _oj oj 2>/dev/null || complete -F _oj oj
`,
  zsh: `#compdef oj
# oj completion for zsh:  source <(oj completion zsh)  after compinit, or save it as _oj in a folder of $fpath
_oj() {
  local line
  local -a lines described
  lines=("\${(@f)$(command oj __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == ":files" ]]; then _files; return; fi
  for line in "\${lines[@]}"; do
    [[ -n "$line" ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( \${#described} )) && _describe -V oj described
}
if [[ "\${funcstack[1]}" == "_oj" ]]; then _oj "$@"; else compdef _oj oj; fi
`,
  fish: `# oj completion for fish:  oj completion fish > ~/.config/fish/completions/oj.fish
function __oj_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l lines (command oj __complete -- $words "$current" 2>/dev/null)
  if test "$lines[1]" = ":files"
    __fish_complete_path "$current"
  else if test (count $lines) -gt 0
    printf '%s\\n' $lines
  end
end
complete -c oj -e
complete -c oj -f -k -a '(__oj_complete)'
`,
};
