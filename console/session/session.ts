import { connection } from '../api/connection.ts'
import { newProofKey } from './proof-key.ts'

/** What the server says about itself to the console: `GET /console/config.json`. */
export interface ConsoleConfig {
  readonly client_id: string
  readonly authorize_url: string
  readonly api_url: string
  readonly instance_name: string
}

/** What a sign-in that is under way keeps until its code comes back. */
interface SignInUnderWay {
  readonly verifier: string
  /** Where to go on, from `#` on. */
  readonly view: string
  /** Whether it runs in a window of its own, beside the one that waits for it. */
  readonly isBeside: boolean
}

/** The folder of the console on its server, with a slash at the end. It may stand below a path of a proxy. */
export const consoleUrl = new URL('.', location.href.split(/[?#]/)[0])
const underWay = (state: string): string => `guildhall.sign-in.${state}`
const signedIn = new BroadcastChannel('guildhall.console')
const early_ms = 30_000

let token: { readonly text: string; readonly until: number } | undefined
let renewing: Promise<boolean> | undefined
let signingInBeside: Promise<void> | undefined
const waitingForSignIn = new Set<(isNeeded: boolean) => void>()

export const config: Promise<ConsoleConfig> = connection.keep(async () => {
  const answer = await fetch(new URL('config.json', consoleUrl))
  if (!answer.ok) throw new TypeError(`${answer.status}`)
  return answer.json()
})

/** The access token, renewed where it has ended. Undefined while nobody is signed in. It is held in memory alone. */
export async function accessToken(): Promise<string | undefined> {
  if (token && token.until - early_ms > Date.now()) return token.text
  return (await renew()) ? token?.text : undefined
}

/** Has the server give a new access token for the cookie of the sign-in, once for all who ask at the same time, as soon as it can. */
export function renew(): Promise<boolean> {
  renewing ??= connection
    .keep(() => post('session/refresh'))
    .finally(() => {
      renewing = undefined
    })
  return renewing
}

/** Goes to the sign-in of the instance, and comes back to this view. */
export async function signIn(): Promise<never> {
  location.assign(await signInUrl(false))
  return new Promise(() => {})
}

/** Whether somebody has to sign in again before anything goes on. */
export const signInAgain = {
  /** Tells of each change; gives what ends that. */
  listen(tell: (isNeeded: boolean) => void): () => void {
    waitingForSignIn.add(tell)
    return () => waitingForSignIn.delete(tell)
  },

  /** Opens the window for it. Browsers let that happen soon after a click or a key, and another one can always be asked for. */
  async open(): Promise<void> {
    globalThis.open(await signInUrl(true), 'guildhall-sign-in', 'popup,width=520,height=720')
  },
}

/** Signs in in a window of its own, so that what is typed in this one stays. Resolves as soon as somebody has signed in, there or in another tab. */
export function signInBeside(): Promise<void> {
  signingInBeside ??= waitForSignIn().finally(() => {
    signingInBeside = undefined
  })
  return signingInBeside
}

async function waitForSignIn(): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    signedIn.addEventListener('message', () => resolve(), { once: true })
  })
  for (const tell of waitingForSignIn) tell(true)
  await signInAgain.open()
  await heard
  for (const tell of waitingForSignIn) tell(false)
  await renew()
}

/** Whether this page was opened by the sign-in, with its answer. */
export const isAnswer = location.pathname.endsWith('/callback')

/** Takes the answer of the sign-in out of the address, and goes on where it was begun. Gives why it failed, if it did. */
export async function takeAnswer(): Promise<string | undefined> {
  const answer = new URLSearchParams(location.search)
  const key = underWay(answer.get('state') ?? '')
  const kept = localStorage.getItem(key)
  localStorage.removeItem(key)
  if (kept === null) return 'state'
  const { verifier, view, isBeside }: SignInUnderWay = JSON.parse(kept)
  const code = answer.get('code')
  if (code === null) return answer.get('error') ?? 'code'
  if (!(await post('session', { code, code_verifier: verifier }))) return 'code'
  if (isBeside) {
    signedIn.postMessage('signed in')
    globalThis.close()
  }
  history.replaceState(null, '', new URL(view, consoleUrl))
  return undefined
}

/** Ends the sign-in here and at the server. */
export async function signOut(): Promise<void> {
  token = undefined
  await fetch(new URL('session', consoleUrl), { method: 'DELETE' }).catch(() => undefined)
}

async function signInUrl(isBeside: boolean): Promise<URL> {
  // Read before anything is waited for: meanwhile the router may go on to its first view.
  const view = isAnswer ? '' : location.hash
  const { client_id: clientId, authorize_url: authorizeUrl } = await config
  const { verifier, challenge } = await newProofKey()
  const state = crypto.randomUUID()
  localStorage.setItem(underWay(state), JSON.stringify({ verifier, view, isBeside } satisfies SignInUnderWay))
  const url = new URL(authorizeUrl, consoleUrl)
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: new URL('callback', consoleUrl).href,
    scope: 'identify',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url
}

/** Where the server cannot be reached, whoever asked hears of it; a refusal ends the sign-in. */
async function post(path: string, body?: object): Promise<boolean> {
  const answer = await fetch(new URL(path, consoleUrl), {
    method: 'POST',
    headers: body ? { 'content-type': 'application/json' } : {},
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) {
    token = undefined
    if (answer.status >= 500 || answer.status === 429) throw new TypeError(`${answer.status}`)
    return false
  }
  const given: { readonly access_token: string; readonly expires_in: number } = await answer.json()
  token = { text: given.access_token, until: Date.now() + given.expires_in * 1000 }
  return true
}
