import { reject } from '../../../application/commands/refused.js'
import type { Answer } from '../server/answer.js'

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 10vh auto; padding: 0 1rem; overflow-wrap: anywhere }
label { display: block; margin: 0 0 1rem }
input:not([type=checkbox]), select, button { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem }
button { cursor: pointer; margin: .5rem 0 }
[role=alert] { border-left: .25rem solid #c22; padding-left: .75rem }
[hidden] { display: none }
`

/** Takes a token from the URL's fragment into the form, and out of the address bar. Without it, people paste their link. */
const script = `const values = new URLSearchParams(location.hash.slice(1))
for (const input of document.querySelectorAll('[data-fragment]')) {
  const value = values.get(input.dataset.fragment)
  if (!value) continue
  input.value = value
  input.closest('label').hidden = true
}
if (location.hash) history.replaceState(null, '', location.pathname + location.search)
`

const files: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ['style.css', { type: 'text/css', body: style }],
  ['page.js', { type: 'text/javascript', body: script }],
])

/** A file that pages need: `GET /pages/<name>`. 404 NOT_FOUND for every other name. */
export function pageFile(name: string): Answer {
  const file = files.get(name)
  if (!file) return reject('NOT_FOUND')
  return { status: 200, headers: { 'content-type': `${file.type}; charset=utf-8` }, body: file.body }
}
