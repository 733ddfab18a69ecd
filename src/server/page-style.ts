/** The style of all pages, light and dark: colours, type and keyboard focus. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3; --surface: #fff; --text: #1c1f23; --quiet: #5b6270; --line: #dfe0dc; --soft: #f1f1ed;
  --accent: #0b6b62; --on-accent: #fff; --good: #1a7f4b; --bad: #b3362b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161a; --surface: #1c1f24; --text: #e8e9eb; --quiet: #a2a9b5; --line: #31353d; --soft: #252930;
    --accent: #5cc8b8; --on-accent: #0c1a18; --good: #5fca8d; --bad: #f08a7e;
  }
}
* { box-sizing: border-box }
body { background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; margin: 0 }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { border-radius: 3px; outline: 2px solid var(--accent); outline-offset: 2px }
code, pre { font: .9em/1.45 ui-monospace, monospace }
.quiet { color: var(--quiet) }
`

/** The style of a page with a single message. */
export const cardStyle = `${baseStyle}
body { display: grid; min-height: 100vh; padding: 1.25rem; place-items: center }
main {
  background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px #0001, 0 8px 30px #0000000d;
  max-width: 30rem; padding: 2rem; width: 100%;
}
main > :last-child { margin-bottom: 0 }
.from { color: var(--quiet); font-size: .875rem; font-weight: 600; letter-spacing: .02em; margin: 0 0 1.25rem }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; text-wrap: balance }
h1.done::before, h1.failed::before { display: block; font-size: 1.75rem; line-height: 1; margin-bottom: .75rem }
h1.done::before { color: var(--good); content: "\\2713" / "" }
h1.failed::before { color: var(--bad); content: "\\2715" / "" }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
ul { display: grid; gap: .625rem; list-style: none; margin: 1.25rem 0; padding: 0 }
.button {
  background: var(--accent); border-radius: 8px; color: var(--on-accent); display: block; font-weight: 600; padding: .625rem 1rem;
  text-align: center; text-decoration: none;
}
.button:hover { text-decoration: underline }
form { margin: 1.25rem 0 }
label { display: block; font-weight: 600; margin-bottom: .375rem }
input {
  background: var(--ground); border: 1px solid var(--quiet); border-radius: 8px; color: var(--text); font: 1.0625rem/1.4 ui-monospace, monospace;
  letter-spacing: .04em; margin-bottom: .5rem; padding: .625rem .75rem; width: 100%;
}
input::placeholder { color: var(--quiet); opacity: .7 }
input[aria-invalid] { border-color: var(--bad) }
.fault { color: var(--bad); font-weight: 600; margin-bottom: .5rem }
.choice { display: grid; gap: .625rem; grid-template-columns: 1fr 1fr; margin-top: 1.25rem }
button.button { border: 1px solid transparent; cursor: pointer; font: inherit; font-weight: 600 }
button.wide { width: 100% }
button.other { background: transparent; border-color: var(--quiet); color: var(--text) }
dl { background: var(--soft); border-radius: 8px; display: grid; font-size: .9rem; gap: .25rem 1rem; grid-template-columns: auto 1fr; margin: 1rem 0; padding: .75rem 1rem }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
`
