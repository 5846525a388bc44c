import { reject } from '../../../application/commands/refused.ts'
import type { Instance } from '../../../application/ports.ts'
import { emptyAnswer, notStored, type Answer, type Headers } from '../answer.ts'
import { fileAnswer } from '../file-answer.ts'
import { html } from '../pages/html.ts'
import { basePath, framedAnswer } from '../pages/page.ts'
import { textsIn } from '../pages/texts/texts.ts'
import type { Exchange } from '../request/exchange.ts'
import type { ConsoleFiles } from './console-files.ts'

const retry_s = 2

/** The console's page, at every address below it that nothing else has. */
export function consolePage(instance: Pick<Instance, 'publicUrl'>, files: ConsoleFiles) {
  return async ({ language }: Exchange): Promise<Answer> => {
    const base = basePath(instance)
    const page = await files.page()
    if (page === 'building' || page === 'missing') {
      const { title, building, missing } = textsIn[language].consoleFiles
      const body = html`<p>${page === 'building' ? building : missing}</p>`
      const again = page === 'building' ? { goTo: `${base}/console/`, after_s: retry_s } : {}
      return framedAnswer({ base, language }, { status: 503, title, body, ...again })
    }
    // Its build names its files from the folder of the page, and the address may have more than one part.
    const body = page.html.replaceAll('"assets/', `"${base}/console/assets/`)
    return { status: 200, headers: headersFor(instance), body }
  }
}

/** Leads to the folder of the console: its script finds the rest from there. */
export function toConsole(instance: Pick<Instance, 'publicUrl'>): Answer {
  return emptyAnswer(302, { ...notStored, location: `${basePath(instance)}/console/` })
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** A file that the page needs. Its name changes with its content. 404 NOT_FOUND for every other name. */
export function consoleAsset(files: ConsoleFiles, name: string): Answer {
  const file = files.asset(name)
  if (!file) return reject('NOT_FOUND')
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return fileAnswer(file, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
}

/** Allows what this server sends. The styles of components are written into the page by its script. */
function headersFor({ publicUrl }: Pick<Instance, 'publicUrl'>): Headers {
  const own = `'self' ${new URL(publicUrl).origin}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src ${own} data:`,
    `connect-src ${own}`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    ...notStored,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    // For browsers that do not support frame-ancestors.
    'x-frame-options': 'DENY',
  }
}
