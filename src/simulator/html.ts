/** Small pages for people with a browser. */
import type { Reply } from './system.ts'

/** The page of no particular system. */
const style = `
:root { color-scheme: light dark; --ground: #eceff4; --surface: #fff; --text: #1b2028; --line: #d5dae3; --accent: #3450a1; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12151b; --surface: #1b1f27; --text: #e7e9ed; --line: #343a46; --accent: #9db2f5; --on-accent: #10162b }
}
* { box-sizing: border-box }
body { background: var(--ground); color: var(--text); display: grid; font: 16px/1.55 system-ui, sans-serif; margin: 0; min-height: 100vh; padding: 1.25rem; place-items: center }
main { background: var(--surface); border: 1px solid var(--line); border-radius: 6px; max-width: 30rem; padding: 2rem; width: 100% }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem }
p, li { overflow-wrap: anywhere }
ul { padding-left: 1.2rem }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { background: none; border: 1px solid var(--line); border-radius: 6px; color: inherit; cursor: pointer; font: inherit; font-weight: 600; padding: .5rem 1.25rem }
button[value=allow] { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

export function page(status: number, title: string, body: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`,
  }
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
