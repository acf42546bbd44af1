/** The one switch for notices of this browser. */
import { useState } from "preact/hooks";
import { noticesNow, switchNotices, switchPush } from "../base/notify.ts";
import { dispatch } from "../base/store.ts";

export function Bell() {
  const [state, setState] = useState(noticesNow);
  if (state === "impossible") return null;
  const press = async () => {
    if (state === "blocked")
      return dispatch({
        type: "noted",
        text: "this browser blocks notices of this page: allow them in its settings",
      });
    const next = await switchNotices();
    setState(next);
    dispatch({ type: "noted", text: await switchPush(next) });
  };
  return (
    <button type="button" class="second bell" aria-pressed={state === "on"} onClick={() => void press()}>
      Notices <span class="bell-state">{state === "on" ? "on" : "off"}</span>
    </button>
  );
}
