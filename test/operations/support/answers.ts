import { expect } from 'vitest'
import type { FieldError } from '../../../domain/kernel/refusal.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'

type Members = Readonly<Record<string, unknown>>

/** The body of a success, for a test to check. */
export function bodyOf(answer: TestAnswer): Members {
  return succeeded(answer) as Members
}

/** The items of a success that is a list. */
export function listOf(answer: TestAnswer): readonly Members[] {
  const body = succeeded(answer)
  expect(Array.isArray(body)).toBe(true)
  return body as readonly Members[]
}

function succeeded({ status, body }: TestAnswer): unknown {
  if (status >= 300) throw new Error(`Answered with ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Expects a refusal with a code. */
export function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ code, message: expect.any(String) })
  expect(answer.status).toBe(status)
}

/** Expects 400 INVALID_FORM_BODY with these entries, in any order. */
export function expectFields(answer: TestAnswer, ...fields: readonly FieldError[]): void {
  expectRefusal(answer, 400, 'INVALID_FORM_BODY')
  const { errors } = answer.body as { readonly errors: readonly FieldError[] }
  const found = errors.map(({ path, code }) => field(path, code))
  expect(found).toStrictEqual(expect.arrayContaining([...fields]))
  expect(found).toHaveLength(fields.length)
}

export interface TestGuild {
  readonly id: string
  /** The general channel. */
  readonly channel: string
}

/** Founds a guild. */
export async function found({ request }: TestGuildhall, owner: TestAccount, name = 'Home'): Promise<TestGuild> {
  const guild = bodyOf(await request('POST', '/v1/guilds', { token: owner.token, body: { name } }))
  return { id: String(guild['id']), channel: String(guild['system_channel_id']) }
}

/** Creates an invite; returns its code. */
export async function invite(
  { request }: TestGuildhall,
  { token }: TestAccount,
  channel: string,
  terms: Members = {},
): Promise<string> {
  const body = { unique: true, ...terms }
  return String(bodyOf(await request('POST', `/v1/channels/${channel}/invites`, { token, body }))['code'])
}

export async function accept({ request }: TestGuildhall, { token }: TestAccount, code: string): Promise<TestAnswer> {
  return request('POST', `/v1/invites/${code}`, { token })
}

/** Several accounts, registered side by side. */
export async function crowd(guildhall: TestGuildhall, count: number): Promise<readonly TestAccount[]> {
  return Promise.all(Array.from({ length: count }, () => guildhall.register()))
}
