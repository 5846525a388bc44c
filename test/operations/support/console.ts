import { createHash, randomBytes } from 'node:crypto'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'
import { openPage, sendForm, type OpenedPage } from './pages.ts'

/** A sign-in that the console has begun in a browser. */
export interface BegunSignIn {
  readonly verifier: string
  /** The sign-in page, with its query. */
  readonly url: string
}

/** A console that is signed in. */
export interface SignedInConsole {
  /** The Authorization header of its requests. */
  readonly token: string
  /** The Cookie header of its requests below /console. */
  readonly cookie: string
}

/** What every sign-in of a test has as its state. */
export const state = 'where it began'

export function beginSignIn({ url }: Pick<TestGuildhall, 'url'>): BegunSignIn {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = new URLSearchParams({ state, code_challenge: challenge, code_challenge_method: 'S256' })
  return { verifier, url: `${url}/console/sign-in?${query.toString()}` }
}

/** The code with which a sign-in page led back to the console. */
export function codeIn({ url, headers }: OpenedPage): string {
  const back = new URL(headers.get('location') ?? 'nowhere:', url)
  return back.searchParams.get('code') ?? ''
}

/** Gives the console its tokens for a code. */
export function exchangeCode(guildhall: TestGuildhall, code: string, verifier: string): Promise<TestAnswer> {
  const headers = { 'content-type': 'application/json' }
  return guildhall.request('POST', '/console/session', { headers, body: { code, code_verifier: verifier } })
}

/** Signs somebody in by password, as a browser without scripts does. */
export async function signInToConsole(
  guildhall: TestGuildhall,
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
): Promise<SignedInConsole> {
  const { url, verifier } = beginSignIn(guildhall)
  const back = await sendForm(await openPage(url), { name: email, password })
  return signedInBy(await exchangeCode(guildhall, codeIn(back), verifier))
}

export function signedInBy(answer: TestAnswer): SignedInConsole {
  return { token: `Bearer ${String(bodyOf(answer)['access_token'])}`, cookie: cookieIn(answer) }
}

/** What a browser sends back of the cookie that an answer sets. */
export function cookieIn({ headers }: TestAnswer): string {
  return /^[^;]*/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''
}

/** Asks for a new access token, as another tab does. */
export function refreshConsole(
  guildhall: TestGuildhall,
  { cookie }: Pick<SignedInConsole, 'cookie'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return guildhall.request('POST', '/console/session/refresh', { headers: { cookie, ...headers } })
}
