import { expect } from 'vitest'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'
import { newApplication, type TestApplication } from './applications.ts'

export const redirectUri = 'https://engine.example.org/back?from=guildhall'

export const oauth2Path = '/v1/oauth2'

/** An application that people can be redirected to. */
export function newClient(
  guildhall: TestGuildhall,
  owner: TestAccount,
  settings: object = {},
): Promise<TestApplication> {
  return newApplication(guildhall, owner, { name: 'Engine', redirect_uris: [redirectUri], ...settings })
}

/** Consents to what an application asks for. */
export function consent(
  { request }: TestGuildhall,
  { token }: Pick<TestAccount, 'token'>,
  { id }: Pick<TestApplication, 'id'>,
  wishes: object = {},
): Promise<TestAnswer> {
  const body = { client_id: id, redirect_uri: redirectUri, scope: 'identify', ...wishes }
  return request('POST', `${oauth2Path}/authorize/consent`, { token, body })
}

/** The code that an account gets for an application. */
export async function codeFor(
  guildhall: TestGuildhall,
  account: Pick<TestAccount, 'token'>,
  application: Pick<TestApplication, 'id'>,
  wishes?: object,
): Promise<string> {
  const { redirect_to: to } = bodyOf(await consent(guildhall, account, application, wishes))
  return new URL(String(to)).searchParams.get('code') ?? ''
}

type Fields = Readonly<Record<string, string>>

/** Sends a form as OAuth2 clients do. */
export function sendForm(
  { request }: TestGuildhall,
  path: string,
  fields: Fields,
  headers: Fields = {},
): Promise<TestAnswer> {
  const body = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return request('POST', `${oauth2Path}/${path}`, { body, headers: { ...type, ...headers } })
}

/** The form fields that prove a client. */
export const provenBy = ({ id, clientSecret }: TestApplication): Fields => ({
  client_id: id,
  client_secret: clientSecret,
})

export const asBasic = ({ id, clientSecret }: TestApplication): Fields => ({
  authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`,
})

/** Exchanges a code. */
export function exchange(
  guildhall: TestGuildhall,
  application: TestApplication,
  code: string,
  fields: Fields = {},
): Promise<TestAnswer> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...provenBy(application) }
  return sendForm(guildhall, 'token', { ...form, ...fields })
}

export function refresh(
  guildhall: TestGuildhall,
  application: TestApplication,
  refreshToken: string,
  headers: Fields = {},
): Promise<TestAnswer> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...provenBy(application) }
  return sendForm(guildhall, 'token', form, headers)
}

export interface TestTokens {
  readonly access: string
  readonly refresh: string
}

export function tokensIn(answer: TestAnswer): TestTokens {
  const { access_token: access, refresh_token: refreshToken } = bodyOf(answer)
  return { access: String(access), refresh: String(refreshToken) }
}

/** The tokens that an application gets once an account has consented. */
export async function tokensFor(
  guildhall: TestGuildhall,
  account: Pick<TestAccount, 'token'>,
  application: TestApplication,
  scope = 'identify',
): Promise<TestTokens> {
  const code = await codeFor(guildhall, account, application, { scope })
  return tokensIn(await exchange(guildhall, application, code))
}

/** The header of an application that acts for an account. */
export const asBearer = ({ access }: Pick<TestTokens, 'access'>): string => `Bearer ${access}`

/** Expects the envelope of OAuth2, which has only these two members. */
export function expectProtocolError({ status, body, headers }: TestAnswer, error: string): void {
  expect(body).toStrictEqual({ error, error_description: expect.any(String) })
  expect(status).toBe(400)
  expect(headers.get('cache-control')).toBe('no-store')
}
