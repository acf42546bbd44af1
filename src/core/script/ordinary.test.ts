// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test hold ${…} for our own reader.
/** Scripts as people write them for releases, checks and chores: the guard must not be in their way. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { scriptProblems } from "./check.ts";
import { shellText } from "./shell-text.ts";

const values: Record<string, string | string[]> = {
  version: "1.4.0-rc.2",
  last: "1.3.7",
  branch: "feat/login-page",
  message: 'Fix the login (again): it\'s $5 & "done"; see #12',
  dir: "src/my app",
  count: "12",
  url: "https://example.com/a?b=c&d=e",
  host: "web-1.example.com",
  target: "staging",
  files: ["a b.ts", "c.ts"],
};

const SCRIPTS = [
  "npm test -- ${var.files}",
  'git switch -c "${var.branch}" && git push -u origin "${var.branch}"',
  "git add --all && git commit --quiet -m '${var.message}' && git log --oneline -1",
  'git tag -a "v${var.version}" -m "${var.message}"\ngit push origin "v${var.version}"',
  "echo built ${var.version} for ${var.target} | tee -a build.log",
  'cd "${var.dir}" && ls -la',
  "mkdir -p out/${var.target} && cp -r dist/. out/${var.target}/",
  "tar czf release-${var.version}.tgz -C ${var.dir} .",
  "test '${var.target}' != broken",
  '[ "${var.target}" = production ] && exit 1 || true',
  '[ -n "${var.message}" ] || { echo "no message" >&2; exit 1; }',
  "[[ ${var.target} == prod* ]] && echo careful",
  '[[ "${var.version}" =~ ^[0-9]+\\.[0-9]+ ]] || exit 1',
  "case ${var.target} in\n  production) ./deploy --prod ;;\n  staging|test) ./deploy --${var.target} ;;\n  *) echo unknown; exit 1 ;;\nesac",
  'for f in ${var.files}; do\n  npx prettier --check "$f"\ndone',
  "for i in $(seq 1 ${var.count}); do echo $i; done",
  "for ((i = 0; i < ${var.count}; i++)); do curl -fsS ${var.url}; done",
  'if (( $(git rev-list --count main.."${var.branch}") > 20 )); then echo many; fi',
  'n=$(git log --oneline "${var.branch}" | wc -l); if [ "$n" -gt 10 ]; then echo "$n commits"; fi',
  'n=$(git log --oneline "${var.branch}" | wc -l); (( n > 10 )) && echo "$n commits"',
  "lines=$(wc -l < ${var.dir}/x.txt); echo $((lines + 1))",
  "git checkout ${var.branch}\ngit log --format=%ct | while read -r t; do total=$((total + t)); done",
  "cat > notes.md <<EOF\n# ${var.version}\n\n${var.message} on $(date +%F)\nEOF",
  'cat <<\'EOF\' > config.json\n{ "version": "${var.version}", "price": "$5" }\nEOF',
  'curl -fsS -X POST -H \'content-type: application/json\' -d @- ${var.url} <<EOF\n{"text": "${var.target}"}\nEOF',
  "curl -fsS \"${var.url}\" -o out.json && jq -r '.items[0].name' out.json",
  "jq --arg v \"${var.version}\" '.version = $v' package.json > tmp && mv tmp package.json",
  'sed -i "s/^version = .*/version = \\"${var.version}\\"/" Cargo.toml',
  "sed -i 's|@VERSION@|${var.version}|g' README.md",
  "awk -v want=\"${var.target}\" '$1 == want { print $2 }' hosts",
  'grep -rn "${var.message}" src || true',
  'docker build -t "app:${var.version}" --build-arg TARGET=${var.target} .',
  'docker run --rm -e VERSION="${var.version}" app:${var.version} npm test',
  "kubectl set image deploy/app app=registry/app:${var.version} -n ${var.target}",
  'rsync -a dist/ "${var.host}:/srv/app/"',
  "ssh ${var.host} systemctl restart app",
  "ssh \"deploy@${var.host}\" 'cd /srv/app && ./restart.sh'",
  "scp out.tgz ${var.host}:/tmp/",
  "make deploy ENV=${var.target} VERSION=${var.version}",
  "VERSION=${var.version} TARGET=${var.target} ./scripts/deploy.sh",
  "./scripts/${var.target}.sh ${var.version}",
  "bash scripts/${var.target}.sh --version ${var.version}",
  "export VERSION=${var.version}\nnpm run build",
  'set -x\nnpm version "${var.version}" --no-git-tag-version',
  'python3 scripts/release.py --version "${var.version}" --notes "${var.message}"',
  "python3 - ${var.version} <<'EOF'\nimport sys\nprint(sys.argv[1])\nEOF",
  "node -e 'console.log(process.argv[1])' \"${var.message}\"",
  "bash -c 'echo \"$1\"' _ ${var.message}",
  "xargs -n1 npx eslint <<< ${var.files}",
  "find ${var.dir} -name '*.ts' -newer stamp -exec grep -l TODO {} +",
  "find ${var.dir} -type f | xargs -r wc -l",
  "sudo systemctl restart ${var.target}",
  "timeout 60 npm test -- ${var.files}",
  "nohup ./server --name ${var.target} > server.log 2>&1 &",
  'run() { echo "+ $*"; "$@"; }\nrun git push origin "${var.branch}"',
  'retry() { local n=$1; shift; for ((i = 0; i < n; i++)); do "$@" && return; sleep 1; done; return 1; }\nretry 3 git push origin ${var.branch}',
  'log() { printf "%s %s\\n" "$(date +%T)" "$*"; }\nlog "deploying ${var.version}"',
  'die() { echo "$1" >&2; exit "${2:-1}"; }\n[[ -d ${var.dir} ]] || die "no ${var.dir}" 2',
  'add() { echo $(( $1 + $2 )); }\nadd 1 2\necho "${var.message}"',
  'tmp=$(mktemp -d)\ntrap \'rm -rf "$tmp"\' EXIT\ncp -r "${var.dir}" "$tmp"',
  'tmp=$(mktemp -d)\ntrap "rm -rf $tmp" EXIT\ncp -r "${var.dir}" "$tmp"',
  'cleanup() { rm -f lock; }\ntrap cleanup EXIT INT TERM\necho "${var.message}" > lock',
  'args=(--verbose)\nif [[ -n ${var.target} ]]; then args+=(--env "${var.target}"); fi\n./deploy "${args[@]}"',
  'cmd=(git commit -m "${var.message}")\n"${cmd[@]}"',
  'declare -A urls=([staging]=https://s [production]=https://p)\necho "${urls[${var.target}]}"',
  'declare -A seen\nfor f in ${var.files}; do seen[$f]=1; done\necho "${#seen[@]}"',
  'IFS=. read -r major minor patch <<< "${var.last}"\necho "$major.$((minor + 1)).0"',
  'name="${var.branch}"\nname="${name//\\//-}"\necho "preview-${name:0:20}"',
  'old=$(cat VERSION); if [ "$old" = "${var.version}" ]; then echo same; exit 0; fi',
  'eval "$(ssh-agent -s)"\nssh-add\ngit push origin "${var.branch}"',
  'source .venv/bin/activate\npip install "app==${var.version}"',
  ". ~/.nvm/nvm.sh && nvm use 20 && npm publish --tag ${var.target}",
  'while ! curl -fsS "${var.url}" > /dev/null; do sleep 1; done',
  'diff <(git show "main:${var.dir}/a") <(git show "${var.branch}:${var.dir}/a") || true',
  'echo "${var.message}" | gh release create "v${var.version}" --notes-file -',
  'gh pr create --title "${var.message}" --body "$(git log -1 --format=%b)" --base main --head ${var.branch}',
  '"$HOME/bin/notify" "${var.message}"',
  '"$EDITOR" "${var.dir}/x"',
  "$SUDO systemctl restart ${var.target}",
  '${CC:-gcc} -o out "${var.dir}/main.c"',
  'printf "%s\\n" "${var.message}" >> CHANGELOG.md',
  'printf "Released %s\\n" ${var.version}',
  'read -r first _ <<< "${var.message}"; echo "$first"',
  'mapfile -t lines < <(git diff --name-only "${var.branch}"); printf "%s\\n" "${lines[@]}"',
  '(cd "${var.dir}" && npm ci && npm test) || { echo failed; exit 1; }',
  'exec ./server --port ${var.count} --name "${var.target}"',
  'start=$(date +%s); ./slow ${var.target}; echo "$(( $(date +%s) - start )) s"',
  "sleep ${var.count}; exit ${var.count}",
  "# deploys ${var.version}\n./deploy",
  'claude --model opus "${var.message}"',
  'env -u CI FOO="${var.message}" npm test',
  "command -v ${var.target} >/dev/null || echo none",
  'local_dir=${var.dir}; [ -d "$local_dir" ] && [ ! -L "$local_dir" ] && echo yes',
];

describe("an ordinary script", () => {
  it.each(SCRIPTS)("is accepted: %s", (script) => {
    assert.deepEqual(scriptProblems(script, []), []);
    assert.doesNotThrow(() => shellText(script, ({ path: [name = ""] }) => values[name]));
  });

  it("is read quickly, however long", () => {
    const script = Array.from(
      { length: 2000 },
      (_, at) => `x${at}="\${var.version} $x${at - 1}"; echo $((n + ${at})) "$x${at}"\n`,
    ).join("");
    const start = performance.now();
    assert.deepEqual(scriptProblems(script, []), []);
    assert.ok(performance.now() - start < 60_000); // far less, unless each line costs more than the one before
  });
});
