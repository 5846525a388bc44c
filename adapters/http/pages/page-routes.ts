import { reject } from '../../../application/commands/refused.ts'
import { getDiscoveryDocument } from '../../../application/administration/instance/discovery-document.ts'
import type { Ports } from '../../../application/ports.ts'
import { redirectAnswer, type Answer } from '../answer.ts'
import type { Exchange, Work } from '../request/exchange.ts'
import { formBytes_max, parseForm } from '../request/input/parse-form.ts'
import { readBody } from '../request/input/read-body.ts'
import { requireOwnSite } from '../request/own-site.ts'
import { giftPage, invitePage } from './code-pages.ts'
import { consoleSignInPage } from './console-page.ts'
import { consentPage } from './consent-page.ts'
import { basePath, type Page, type PageRequest } from './page.ts'
import { registrationPage } from './registration-page.ts'
import { objectIn, runOperations } from './run-operation.ts'
import { signOnPage } from './sign-on-page.ts'
import { startPage } from './start-page.ts'
import { textsIn } from './texts/texts.ts'
import { pagesOfTokens } from './token-pages.ts'

/** Every page that people are sent to, by mails, by answers of the API, and by other people. */
export const pages: readonly Page[] = [
  startPage,
  ...pagesOfTokens,
  registrationPage,
  invitePage,
  giftPage,
  consentPage,
  consoleSignInPage,
  signOnPage,
]

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly queue: 'reads' | 'arrivals'
  readonly work: Work<Answer>
}

/**
 * The routes of the pages. `works` has the operations that they run, by name. Where WEBAPP_URL names another site, each page sends
 * people to the same address there: the browser keeps a fragment. Pages of the console stay, and are there with the console alone.
 */
export function pageRoutes(ports: Ports, works: ReadonlyMap<string, Work<Answer>>): readonly PageRoute[] {
  const readInstance = getDiscoveryDocument(ports)
  const requestOf = async (exchange: Exchange, form: PageRequest['form']): Promise<PageRequest> => ({
    path: exchange.path,
    params: textsOf(exchange.params),
    search: exchange.search,
    query: Object.fromEntries(new URLSearchParams(exchange.search)),
    form,
    language: exchange.language,
    texts: textsIn[exchange.language],
    instance: await readInstance(),
    base: basePath(ports.instance),
    run: runOperations(works, exchange),
  })
  const { instance } = ports
  const served = pages.filter(({ ofConsole = false }) => instance.console || !ofConsole)
  return served.flatMap(({ path, ofConsole = false, show, send }): PageRoute[] => {
    const isElsewhere = (): boolean => !ofConsole && instance.webappUrl !== instance.publicUrl
    const shown: Work<Answer> = async (exchange) =>
      isElsewhere() ? redirectAnswer(sameAt(ports.instance.webappUrl, exchange)) : show(await requestOf(exchange, {}))
    const routes: PageRoute[] = [{ method: 'GET', path, queue: 'reads', work: shown }]
    if (!send) return routes
    const sent: Work<Answer> = async (exchange) => {
      if (isElsewhere()) return reject('NOT_FOUND')
      requireOwnSite(exchange)
      return send(await requestOf(exchange, await formIn(exchange)))
    }
    return [...routes, { method: 'POST', path, queue: 'arrivals', work: sent }]
  })
}

function sameAt(webappUrl: string, { path, search }: Exchange): string {
  return `${webappUrl}${path}${search === '' ? '' : `?${search}`}`
}

async function formIn({ raw, share, received }: Exchange): Promise<PageRequest['form']> {
  const bytes = await readBody(raw, formBytes_max, share)
  const parsed = bytes && (await parseForm(bytes, raw.headers['content-type']))
  if (!parsed?.ok) return reject('BAD_REQUEST')
  const form = textsOf(parsed.value)
  received.push(form)
  return form
}

/** The members of an object that are texts. */
function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(objectIn(value))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
