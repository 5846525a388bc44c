import { redirectTo } from '../../../application/apps/oauth2/redirect-to.ts'
import { parseScopes } from '../../../domain/oauth2-authorization/scopes.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { consoleApplicationId } from '../../../application/apps/console/console-application.ts'
import { emptyAnswer, type Answer } from '../answer.ts'
import { nameOf, refusedAnswer } from './code-pages.ts'
import { consoleSignInPage } from './console-page.ts'
import { html, nothing, type Html } from './html.ts'
import { formOf, goAnswer, hiddenFields, pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.ts'
import { objectIn, textIn, type Outcome } from './run-operation.ts'
import { isSignedIn, signIn, signInAnswer } from './sign-in.ts'
import type { SignInPage } from './sign-in-page.ts'
import { startSignOn } from './sign-on-page.ts'
import { endSession } from './token-pages.ts'

type Query = Readonly<Record<string, string>>

/** What an application asks for. */
interface ConsentRequest {
  /** The query as it was sent. Each step passes it on. */
  readonly search: string
  readonly query: Query
  readonly application: Outcome['value']
}

/**
 * Asks people whether an application may have what it asks for. Without a session kept in the browser, no other site
 * can consent for them: they sign in here, and the session ends with their decision.
 */
export const consentPage: Page = {
  path: '/oauth2/authorize',
  show: async (request) => {
    const { texts, query } = request
    // GET /v1/oauth2/authorize sends people here with its errors too.
    if (query['error'] !== undefined) return sayAnswer(request, texts.failed, query['error'], 400)
    if (query['client_id'] === consoleApplicationId)
      return emptyAnswer(303, { location: `${request.base}${consoleSignInPage.path}?${request.search}` })
    const asked = await askedIn(request, request.search)
    return isConsentRequest(asked) ? signInAnswer(request, pageOf(request, asked)) : asked
  },
  send: async (request) => {
    const { form } = request
    const asked = await askedIn(request, form['request'] ?? '')
    if (!isConsentRequest(asked)) return asked
    const page = pageOf(request, asked)
    if (form['step'] === 'sso') return startSignOn(request, page.address)
    if (form['step'] === 'decision') return decide(request, asked, form['session'] ?? '')
    const signedIn = await signIn(request, page)
    return isSignedIn(signedIn) ? decisionAnswer(request, asked, signedIn.token) : signedIn
  },
}

async function askedIn(request: PageRequest, search: string): Promise<ConsentRequest | Answer> {
  const query: Query = Object.fromEntries(new URLSearchParams(search))
  const found = await request.run('Get public application', { params: { id: query['client_id'] ?? '' } })
  return found.ok ? { search, query, application: found.value } : refusedAnswer(request, found)
}

function isConsentRequest(given: ConsentRequest | Answer): given is ConsentRequest {
  return 'application' in given
}

function pageOf({ texts }: PageRequest, { application, query, search }: ConsentRequest): SignInPage {
  const name = textIn(application, 'name') ?? ''
  const scopes = (parseScopes(query['scope'] ?? '') ?? []).map((scope) => html`<li>${texts.consent.scopes[scope]}</li>`)
  const site = siteOf(query['redirect_uri'])
  const about = html`<p>${texts.consent.wants(name)}</p>
    <ul>
      ${scopes}
    </ul>
    ${site === undefined ? nothing : html`<p>${texts.consent.goesTo(site)}</p>`}`
  const address = `${consentPage.path}?${search}`
  return { title: texts.consent.title(name), about, kept: { request: search }, button: texts.goOn, address }
}

function siteOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { host, protocol } = new URL(url)
  return host === '' ? protocol : host
}

/** The page with the decision, for somebody who has signed in. */
async function decisionAnswer(
  request: PageRequest,
  asked: ConsentRequest,
  token: string,
  refused?: Outcome,
): Promise<Answer> {
  const { texts } = request
  const { title, about, kept } = pageOf(request, asked)
  const me = await request.run('Get current user', { token })
  if (!me.ok) return signInAnswer(request, pageOf(request, asked), me)
  const fields = [
    ...hiddenFields({ ...kept, step: 'decision', session: token }),
    ...(await botFields(request, asked, token)),
    html`<button type="submit" name="decision" value="allow" class="main">${texts.consent.allow}</button>`,
    html`<button type="submit" name="decision" value="deny" formnovalidate>${texts.consent.deny}</button>`,
  ]
  const body = html`${problem(refused)}${about}
    <p>${texts.consent.as(nameOf(me.value) ?? '')}</p>
    ${formOf(request, fields)}`
  return pageAnswer(request, { status: refused?.status ?? 200, title, body })
}

/** For the scope `bot`: where it goes, and what it may do there. */
async function botFields(request: PageRequest, { query }: ConsentRequest, token: string): Promise<readonly Html[]> {
  const { texts } = request
  if (parseScopes(query['scope'] ?? '')?.includes('bot') !== true || query['channel_id'] !== undefined) return []
  const listed = await request.run('List current user guilds', { token })
  const guilds = (Array.isArray(listed.value['items']) ? listed.value['items'] : []).map(objectIn)
  const chosen = query['guild_id']
  const offered = query['disable_guild_select'] === 'true' ? guilds.filter(({ id }) => id === chosen) : guilds
  const options = offered.map((guild) => {
    const id = textIn(guild, 'id') ?? ''
    return html`<option value="${id}" ${id === chosen ? html` selected` : nothing}>
      ${textIn(guild, 'name') ?? id}
    </option>`
  })
  const names = permissionsIn(query['permissions'])
  const permissions = names.map((name) => html`<li><code>${name}</code></li>`)
  return [
    html`<label
      >${texts.consent.guild}
      <select name="guild_id" required>
        ${options}
      </select></label
    > `,
    permissions.length === 0
      ? nothing
      : html`<p>${texts.consent.permissions}</p>
          <ul>
            ${permissions}
          </ul>`,
    // A holder of ADMINISTRATOR has all other permissions too.
    names.includes('ADMINISTRATOR') ? html`<p class="warning">${texts.consent.administrator}</p>` : nothing,
  ]
}

function permissionsIn(mask: string | undefined): readonly string[] {
  if (mask === undefined || !/^\d{1,20}$/.test(mask)) return []
  const bits = BigInt(mask)
  return Object.entries(permissionBits).flatMap(([name, bit]) => ((bits & bit) === 0n ? [] : [name]))
}

async function decide(request: PageRequest, asked: ConsentRequest, token: string): Promise<Answer> {
  if (request.form['decision'] !== 'allow') {
    await request.run('Log out', { token })
    return denied(request, asked)
  }
  const { query } = asked
  const guild = request.form['guild_id'] ?? query['guild_id']
  const body = { ...query, ...(guild !== undefined && { guild_id: guild }) }
  const outcome = await request.run('Consent', { body: withoutEmpty(body), token })
  const url = textIn(outcome.value, 'redirect_to')
  if (url === undefined) return decisionAnswer(request, asked, token, outcome)
  await endSession(request, { ...outcome, value: { token } })
  return query['redirect_uri'] === undefined
    ? sayAnswer(
        request,
        request.texts.consent.title(textIn(asked.application, 'name') ?? ''),
        request.texts.consent.done,
      )
    : goAnswer(request, url)
}

/** An empty parameter counts as absent. */
function withoutEmpty(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value.trim() !== ''))
}

/** Tells the application, at a URL that it has registered; otherwise nobody hears of it (RFC 6749, 4.1.2.1). */
function denied(request: PageRequest, { application, query }: ConsentRequest): Answer {
  const { redirect_uri: uri, state } = query
  const registered = application['redirect_uris']
  if (uri !== undefined && Array.isArray(registered) && registered.includes(uri))
    return goAnswer(request, redirectTo(uri, { error: 'access_denied', state }))
  return sayAnswer(request, request.texts.failed, request.texts.consent.denied)
}
