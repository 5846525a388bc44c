import type { DiscoveryDocument } from '../../../application/administration/instance/discovery-document.ts'
import type { Instance } from '../../../application/ports.ts'
import type { Language } from '../../../domain/text/languages.ts'
import { notStored, type Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import type { Outcome, RunOperation } from './run-operation.ts'
import type { PageTexts } from './texts/page-texts.ts'

/** A request for a page. */
export interface PageRequest {
  /** The path of the page, below that of the instance's public URL. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** The query as it was sent, without its question mark, and its parameters; a repeated one counts once. */
  readonly search: string
  readonly query: Readonly<Record<string, string>>
  /** The fields of the form that was sent. Empty for a GET. */
  readonly form: Readonly<Record<string, string>>
  readonly language: Language
  readonly texts: PageTexts
  /** What clients know about the instance. */
  readonly instance: DiscoveryDocument
  /** The path of the instance's public URL, without a slash at the end. */
  readonly base: string
  readonly run: RunOperation
}

/** A page that people are sent to. Showing it changes nothing: only its form does. */
export interface Page {
  readonly path: `/${string}`
  /** Whether it belongs to the console: then it is there with the console alone, and stays where WEBAPP_URL names another site. */
  readonly ofConsole?: true
  readonly show: (request: PageRequest) => Promise<Answer>
  /** Takes the page's form. A page without one has none. */
  readonly send?: (request: PageRequest) => Promise<Answer>
}

/** Allows only what this server sends itself. Forms go only to their own server, and nobody frames a page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  ...notStored,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  // Tokens and codes in URLs reach no other site.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  // For browsers that do not support frame-ancestors.
  'x-frame-options': 'DENY',
}

export interface Shown {
  readonly status?: number
  readonly title: string
  readonly body: Html
  /** Where the browser goes on to by itself, and after how many seconds. If absent, at once. */
  readonly goTo?: string
  readonly after_s?: number
}

/** The path of the instance's public URL, without a slash at the end: pages stand below it. */
export function basePath({ publicUrl }: Pick<Instance, 'publicUrl'>): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

/** What is around the content of a page. */
interface Frame {
  readonly base: string
  readonly language: Language
  /** The name of the product. If absent, the page names none. */
  readonly product?: string
}

/** The answer with a page. */
export function pageAnswer({ base, instance, language }: PageRequest, shown: Shown): Answer {
  return framedAnswer({ base, language, product: instance.app_public.branding.product_name }, shown)
}

/** The answer with a page, for what knows nothing of the instance. */
export function framedAnswer({ base, language, product }: Frame, shown: Shown): Answer {
  const { status = 200, title, body, goTo, after_s = 0 } = shown
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}${product === undefined ? nothing : html` · ${product}`}</title>
        ${goTo === undefined ? nothing : html`<meta http-equiv="refresh" content="${after_s}; url=${goTo}" /> `}
        <link rel="stylesheet" href="${base}/pages/style.css" />
        <script src="${base}/pages/page.js" defer></script>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${product === undefined ? nothing : html`<p><small>${product}</small></p>`}
      </body>
    </html> `
  return { status, headers, body: page.text }
}

/** A page with a text alone. */
export function sayAnswer(request: PageRequest, title: string, text: string, status = 200): Answer {
  return pageAnswer(request, { status, title, body: html`<p>${text}</p>` })
}

/** Sends the browser to another site, also a custom scheme's. A redirect would fail: `form-action` forbids it after a form. */
export function goAnswer(request: PageRequest, url: string): Answer {
  const { texts } = request
  if (!isSafe(url)) return sayAnswer(request, texts.failed, texts.unsafeTarget, 400)
  const body = html`<p><a href="${url}" rel="noreferrer">${texts.goOn}</a></p>`
  return pageAnswer(request, { title: texts.goingOn, body, goTo: url })
}

/** Whether a URL leads to another site or an app, and runs nothing here. */
function isSafe(url: string): boolean {
  return URL.canParse(url) && !['javascript:', 'data:', 'vbscript:', 'blob:'].includes(new URL(url).protocol)
}

/** What an operation refused, in words; nothing where it refused nothing. */
export function problem(refused: Outcome | undefined): Html {
  if (!refused) return nothing
  const messages = refused.messages.map((message) => html`<p>${message}</p>`)
  return html`<div role="alert">${messages}</div>`
}

/**
 * A form that is sent to the page's own address. Without the text of a button, its fields have buttons of their own. The main
 * button of a page stands out.
 */
export function formOf(
  { base, path }: PageRequest,
  fields: Html | readonly Html[],
  button?: string,
  { isMain }: { readonly isMain: boolean } = { isMain: true },
): Html {
  const rank = isMain ? html` class="main"` : nothing
  return html`<form method="post" action="${base}${path}">
    ${fields} ${button === undefined ? nothing : html`<button type="submit" ${rank}>${button}</button>`}
  </form>`
}

/** A labelled field. */
export function fieldOf(label: string, attributes: Html): Html {
  return html`<label>${label} <input ${attributes} /></label> `
}

/** Fields that people do not see; empty ones are left out. */
export function hiddenFields(values: Readonly<Record<string, string | undefined>>): readonly Html[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" /> `],
  )
}
