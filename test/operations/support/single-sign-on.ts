import { freshPolicy } from '../../../application/instance/fresh-policy.js'
import type { SingleSignOnPolicy } from '../../../domain/instance/policy.js'
import type { OpenIdProviderServer } from '../../support/openid-provider.js'
import {
  startTestGuildhall,
  type TestAnswer,
  type TestGuildhall,
  type TestOptions,
} from '../../support/test-guildhall.js'
import { bodyOf } from './answers.js'

/** A policy by which people sign in with a provider, its addresses found by discovery. */
export function policyWith(
  { issuer, clientId, clientSecret }: OpenIdProviderServer,
  changes: Partial<SingleSignOnPolicy> = {},
): SingleSignOnPolicy {
  return { ...freshPolicy.singleSignOn, enabled: true, issuer, clientId, clientSecret, ...changes }
}

/** A server whose people sign in with a provider. */
export function startWith(
  provider: OpenIdProviderServer,
  changes: Partial<SingleSignOnPolicy> = {},
  { policy, ...options }: TestOptions = {},
): Promise<TestGuildhall> {
  return startTestGuildhall({ ...options, policy: { ...policy, singleSignOn: policyWith(provider, changes) } })
}

export interface Returned {
  readonly code: string
  readonly state: string
}

/** Begins a sign-on, and goes to the provider and back as a browser would. */
export async function authorize({ request }: TestGuildhall, wishes: object = {}): Promise<Returned> {
  const started = bodyOf(await request('POST', '/v1/auth/sso/start', { body: wishes }))
  const { headers } = await fetch(String(started['authorization_url']), { redirect: 'manual' })
  const back = new URL(headers.get('location') ?? '')
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
}

export function complete({ request }: TestGuildhall, body: unknown): Promise<TestAnswer> {
  return request('POST', '/v1/auth/sso/complete', { body })
}

/** Signs in whoever is signed in at the provider. */
export async function signOn(guildhall: TestGuildhall, wishes: object = {}): Promise<TestAnswer> {
  return complete(guildhall, await authorize(guildhall, wishes))
}

let people = 0

/** Somebody new at the provider, with a verified address. */
export function somebody(claims: object = {}) {
  people += 1
  const [sub, username] = [`subject-${people}`, `lovelace${people}`]
  const person = { sub, email: `${username}@example.com`, email_verified: true, name: `Lovelace ${people}` }
  return { ...person, preferred_username: username, ...claims }
}
