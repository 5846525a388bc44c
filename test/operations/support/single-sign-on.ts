import { afterAll } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import type { PolicyChanges, SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import { startOpenIdProvider, type OpenIdProviderServer } from '../../support/openid-provider.ts'
import {
  startTestGuildhall,
  type TestAnswer,
  type TestGuildhall,
  type TestOptions,
} from '../../support/test-guildhall.ts'
import { testContext } from '../../support/test-context.ts'
import { bodyOf } from './answers.ts'
import { openServer } from './scene.ts'

/** A policy with which people sign in at a provider, whose addresses are found by discovery. */
export function policyWith(
  { issuer, clientId, clientSecret }: OpenIdProviderServer,
  changes: Partial<SingleSignOnPolicy> = {},
): SingleSignOnPolicy {
  return { ...freshPolicy.singleSignOn, enabled: true, issuer, clientId, clientSecret, ...changes }
}

/** A server whose people sign in at a provider. */
export function startWith(
  provider: OpenIdProviderServer,
  changes: Partial<SingleSignOnPolicy> = {},
  { policy, ...options }: TestOptions = {},
): Promise<TestGuildhall> {
  return startTestGuildhall({ ...options, policy: { ...policy, singleSignOn: policyWith(provider, changes) } })
}

/** A provider, for the top of a file; it ends after the tests. */
export async function openProvider(): Promise<OpenIdProviderServer> {
  const provider = await startOpenIdProvider()
  afterAll(() => provider.close())
  return provider
}

/** The same, for the top of a file or of a `describe`; it ends after the tests, as the provider does. */
export function openWith(
  provider: OpenIdProviderServer,
  changes: Partial<SingleSignOnPolicy> = {},
  { policy, ...options }: TestOptions = {},
): Promise<TestGuildhall> {
  return openServer({ ...options, policy: { ...policy, singleSignOn: policyWith(provider, changes) } })
}

/** Runs something while a server has another policy. */
export async function withPolicy(
  { ports }: TestGuildhall,
  changes: Pick<PolicyChanges, 'legal' | 'registration' | 'singleSignOn'>,
  act: () => Promise<void>,
): Promise<void> {
  const { legal, registration, singleSignOn } = await ports.instancePolicies.current()
  await ports.instancePolicies.change(changes, testContext())
  try {
    await act()
  } finally {
    await ports.instancePolicies.change({ legal, registration, singleSignOn }, testContext())
  }
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

/** Signs in the person who is signed in at the provider. */
export async function signOn(guildhall: TestGuildhall, wishes: object = {}): Promise<TestAnswer> {
  return complete(guildhall, await authorize(guildhall, wishes))
}

let people = 0

/** A new person at the provider, with a verified address. */
export function somebody(claims: object = {}) {
  people += 1
  const [sub, username] = [`subject-${people}`, `lovelace${people}`]
  const person = { sub, email: `${username}@example.com`, email_verified: true, name: `Lovelace ${people}` }
  return { ...person, preferred_username: username, ...claims }
}
