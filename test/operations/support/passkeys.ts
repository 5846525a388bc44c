import { softwareAuthenticator, type SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import type { AuthenticatorSettings } from '../../support/software-authenticator.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

export const credentials = '/v1/users/@me/mfa/webauthn/credentials'

type CreationOptions = Parameters<SoftwareAuthenticator['create']>[0]
type RequestOptions = Parameters<SoftwareAuthenticator['get']>[0]
type Lies = Parameters<SoftwareAuthenticator['get']>[1]

/** An authenticator in a browser that shows a page of this server. */
export function authenticatorAt(
  { url }: TestGuildhall,
  settings: Omit<AuthenticatorSettings, 'origin'> = {},
): SoftwareAuthenticator {
  return softwareAuthenticator({ origin: url, ...settings })
}

/** The options for creating a passkey; `proof` proves sudo mode, by default with the password. */
export async function creationOptions(
  { request }: TestGuildhall,
  { token, password }: TestAccount,
  proof: object = { password },
): Promise<CreationOptions> {
  const path = `${credentials}/registration-options`
  return bodyOf(await request('POST', path, { token, body: proof })) as unknown as CreationOptions
}

/** Registers an authenticator's answer to these options. */
export function register(
  { request }: TestGuildhall,
  { token }: TestAccount,
  { challenge }: CreationOptions,
  response: object,
  name = 'Engine',
): Promise<TestAnswer> {
  return request('POST', credentials, { token, body: { response, challenge, name } })
}

/** Registers a passkey of an account that has none yet, or proves sudo mode by `proof`. */
export async function enrol(
  guildhall: TestGuildhall,
  account: TestAccount,
  authenticator = authenticatorAt(guildhall),
  proof?: object,
): Promise<SoftwareAuthenticator> {
  const options = await creationOptions(guildhall, account, proof)
  const answer = await register(guildhall, account, options, authenticator.create(options))
  if (answer.status !== 204) throw new Error(`Answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
  return authenticator
}

/** Options for an assertion, from one of the operations that issue them. */
export async function requestOptions(
  { request }: TestGuildhall,
  path: string,
  options: Parameters<TestGuildhall['request']>[2] = {},
): Promise<RequestOptions> {
  return bodyOf(await request('POST', path, options)) as unknown as RequestOptions
}

export const sudoOptionsPath = '/v1/users/@me/sudo/webauthn/authentication-options'

/** The sudo verification fields of an assertion. */
export async function sudoFields(
  guildhall: TestGuildhall,
  { token }: TestAccount,
  authenticator: SoftwareAuthenticator,
  lies?: Lies,
): Promise<object> {
  const options = await requestOptions(guildhall, sudoOptionsPath, { token })
  return asSudo(authenticator.get(options, lies), options.challenge)
}

export function asSudo(response: object, challenge: string): object {
  return { mfa_method: 'webauthn', webauthn_response: response, webauthn_challenge: challenge }
}
