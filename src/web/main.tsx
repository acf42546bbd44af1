/** The page's start: logs in if the address has a code, then shows what waits. */
import { render } from "preact";
import { App } from "./app.tsx";
import { connect } from "./base/connect.ts";
import { keepPush } from "./base/push.ts";
import { logIn, logInAsNamed, takeCode, takeReturn } from "./base/session.ts";
import { dispatch, setUi } from "./base/store.ts";
import { startWorker } from "./base/worker.ts";
import "./style/base.css";
import "./style/list.css";
import "./style/head.css";
import "./style/card.css";
import "./style/code.css";
import "./style/answer.css";
import "./style/pages.css";
import "./style/fleet.css";
import "./style/stats.css";
import "./style/dialogs.css";

const root = document.getElementById("app");
if (!root) throw new Error("the page has no place for the app");
const code = takeCode(location, history); // before anything is shown: it must not stay visible
const isIn = code === null || (await logIn(code).catch(() => false));
const refused = takeReturn(location, history) ? await logInAsNamed(location) : null;
root.replaceChildren();
render(<App />, root);
startWorker();
if (isIn) void keepPush();
const used = "This link has been used, or is too old.";
if (isIn) await connect({ dispatch, setUi }, refused ?? "");
else setUi({ login: { state: "out", why: used, takesToken: false, provider: null } });
