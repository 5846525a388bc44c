import { consoleApplicationId } from '../../../application/apps/console/console-application.ts'
import { emptyAnswer, notStored, type Answer } from '../answer.ts'
import { refusedAnswer } from './code-pages.ts'
import { html } from './html.ts'
import { pageAnswer, type Page, type PageRequest } from './page.ts'
import { textIn } from './run-operation.ts'
import { isSignedIn, signIn, signInAnswer } from './sign-in.ts'
import type { SignInPage } from './sign-in-page.ts'
import { startSignOn } from './sign-on-page.ts'
import { endSession } from './token-pages.ts'

/** What the console sends people here with. The rest of an authorisation request is always the same. */
interface AskedSignIn {
  /** The query as it was sent. Each step passes it on. */
  readonly search: string
  readonly state: string
  readonly challenge: string
}

/**
 * Where people sign in to the console. It asks for no consent: the console is part of the instance. The session stays, and the
 * console's tokens end with it. It leads to the console of this server alone, whatever the request says.
 */
export const consoleSignInPage: Page = {
  path: '/console/sign-in',
  ofConsole: true,
  show: async (request) => {
    const asked = askedIn(request.search)
    return asked ? signInAnswer(request, pageOf(request, asked)) : incompleteAnswer(request)
  },
  send: async (request) => {
    const { form } = request
    const asked = askedIn(form['request'] ?? '')
    if (!asked) return incompleteAnswer(request)
    const page = pageOf(request, asked)
    if (form['step'] === 'sso') return startSignOn(request, page.address)
    const signedIn = await signIn(request, page)
    return isSignedIn(signedIn) ? backToConsole(request, asked, signedIn.token) : signedIn
  },
}

function askedIn(search: string): AskedSignIn | undefined {
  const query = new URLSearchParams(search)
  const [state, challenge] = [query.get('state'), query.get('code_challenge')]
  if (state === null || challenge === null || query.get('code_challenge_method') !== 'S256') return undefined
  return { search, state, challenge }
}

function pageOf({ texts, instance }: PageRequest, { search }: AskedSignIn): SignInPage {
  const { title, about, button } = texts.console
  return {
    title,
    about: html`<p>${about(instance.app_public.branding.product_name)}</p>`,
    kept: { request: search },
    button,
    isLasting: true,
    address: `${consoleSignInPage.path}?${search}`,
  }
}

function incompleteAnswer(request: PageRequest): Answer {
  const { title, incomplete, toConsole } = request.texts.console
  const body = html`<p>${incomplete}</p>
    <p><a href="${request.base}/console">${toConsole}</a></p>`
  return pageAnswer(request, { status: 400, title, body })
}

/** Sends the browser back with a code, below the address that it has for this server. */
async function backToConsole(request: PageRequest, { state, challenge }: AskedSignIn, token: string): Promise<Answer> {
  const known = await request.run('Get public application', { params: { id: consoleApplicationId } })
  const registered = known.value['redirect_uris']
  const body = {
    client_id: consoleApplicationId,
    redirect_uri: Array.isArray(registered) ? registered[0] : undefined,
    scope: 'identify',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const outcome = await request.run('Consent', { body, token })
  const url = textIn(outcome.value, 'redirect_to')
  if (url !== undefined)
    return emptyAnswer(303, { ...notStored, location: `${request.base}/console/callback${new URL(url).search}` })
  await endSession(request, { ...outcome, value: { token } })
  return refusedAnswer(request, outcome)
}
