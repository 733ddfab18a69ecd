/** The style of the documentation page. */
import { baseStyle } from './page-style.ts'

export const style = `${baseStyle}
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem }
h1 { margin: 0 }
h2 { border-bottom: 1px solid var(--line); margin-top: 3rem; padding-bottom: .3rem }
h3 { margin: 2rem 0 .5rem }
h4 { margin: 1.5rem 0 .3rem }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1.5rem 0 }
pre { background: var(--soft); border-radius: 6px; overflow-x: auto; padding: .7rem .9rem }
table { border-collapse: collapse; display: block; margin: .8rem 0; overflow-x: auto }
th, td { border-top: 1px solid var(--line); padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top }
td:nth-child(2) { min-width: 6.5rem }
th { border-top: 0; font-weight: 600 }
details { border-bottom: 1px solid var(--line) }
details > :not(summary) { margin-left: 1.2rem }
summary { cursor: pointer; padding: .5rem 0 }
summary, p { overflow-wrap: anywhere }
summary small { color: var(--quiet) }
.method { display: inline-block; font-weight: 700; min-width: 4.8rem }
`
