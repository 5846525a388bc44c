import { reject } from '../../../application/commands/refused.ts'
import type { Answer } from '../answer.ts'
import { fileAnswer } from '../file-answer.ts'
import { fileOf, type KeptFile } from '../kept-file.ts'

const style = `:root {
  color-scheme: light dark;
  font: 1rem/1.5 system-ui, sans-serif;
  --main: #1f5fbf; --on-main: #fff; --warning: #b45309;
}
@media (prefers-color-scheme: dark) { :root { --main: #8ab8ff; --on-main: #06182f; --warning: #f59e0b } }
body { max-width: 34rem; margin: 10vh auto; padding: 0 1rem; overflow-wrap: anywhere }
label { display: block; margin: 0 0 1rem }
input:not([type=checkbox]), select, button { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .5rem }
button { cursor: pointer; margin: .5rem 0; border: 1px solid; border-radius: .25rem; background: transparent; color: inherit }
button.main { border-color: var(--main); background: var(--main); color: var(--on-main); font-weight: 600 }
:focus-visible { outline: .2rem solid var(--main); outline-offset: .15rem }
a { color: var(--main) }
.warning { border-left: .25rem solid var(--warning); padding-left: .75rem; font-weight: 600 }
[role=alert] { border-left: .25rem solid #c22; padding-left: .75rem }
[hidden] { display: none }
`

/**
 * Takes a token from the URL's fragment into the form, and out of the address bar. Without it, people paste their link. Where a page
 * asks for a passkey, has the browser ask for one at once, and sends what it signed; the button asks again.
 */
const script = `const values = new URLSearchParams(location.hash.slice(1))
for (const input of document.querySelectorAll('[data-fragment]')) {
  const value = values.get(input.dataset.fragment)
  if (!value) continue
  input.value = value
  input.closest('label').hidden = true
}
if (location.hash) history.replaceState(null, '', location.pathname + location.search)

const hasPasskeys = globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined
for (const part of document.querySelectorAll('[data-passkeys]')) part.hidden = !hasPasskeys
const asking = document.querySelector('[data-passkey]')
if (asking && hasPasskeys) {
  const form = asking.querySelector('form')
  const failed = document.querySelector('[data-passkey-failed]')
  const ask = async () => {
    failed.hidden = true
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(asking.dataset.passkey))
      const signed = await navigator.credentials.get({ publicKey })
      form.elements.response.value = JSON.stringify(signed)
      form.submit()
    } catch {
      failed.hidden = false
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask()
  })
  void ask()
}
`

const files: ReadonlyMap<string, { readonly type: string; readonly file: KeptFile }> = new Map([
  ['style.css', { type: 'text/css', file: fileOf(() => style) }],
  ['page.js', { type: 'text/javascript', file: fileOf(() => script) }],
])

/** A file that pages need: `GET /pages/<name>`. 404 NOT_FOUND for every other name. */
export function pageFile(name: string): Answer {
  const found = files.get(name)
  if (!found) return reject('NOT_FOUND')
  return fileAnswer(found.file, { 'content-type': `${found.type}; charset=utf-8` })
}
