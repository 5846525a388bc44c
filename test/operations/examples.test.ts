import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FieldError } from '../../domain/kernel/refusal.ts'
import { exampleBody } from '../../adapters/http/openapi/example-body.ts'
import { exampleValues } from '../../adapters/http/openapi/example-values.ts'
import { isSchema, type Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { administrator } from '../support/administrators.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { bodyOf, found, invite } from './support/answers.ts'
import { asBot, newApplication, type TestApplication } from './support/applications.ts'
import { sent } from './support/messages.ts'
import { threadsHeader } from './support/threads.ts'

/** The examples of the API page, sent as somebody does who tries them there. */

/** A server of its own: some examples change the whole instance. */
let guildhall: TestGuildhall
let root: TestAccount
beforeAll(async () => {
  guildhall = await startTestGuildhall()
  root = await administrator(guildhall, '*')
})
afterAll(() => guildhall.close())

interface Stage {
  readonly ada: TestAccount
  readonly engine: TestApplication
  /** The values of the path, by their names. */
  readonly values: Readonly<Record<string, string>>
}

async function openStage(): Promise<Stage> {
  const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
  const guild = await found(guildhall, ada)
  const [engine, message, code] = await Promise.all([
    newApplication(guildhall, ada),
    sent(guildhall, ada, guild.channel, 'Hello'),
    invite(guildhall, ada, guild.channel),
  ])
  const { id, channel } = guild
  const ofGuild = { guild_id: id, channel_id: channel, role_id: id, overwrite_id: id, message_id: message }
  const values = {
    ...ofGuild,
    id: engine.id,
    invite_code: code,
    user_id: brian.id,
    target_user_id: ada.id,
    address: '203.0.113.8',
  }
  return { ada, engine, values }
}

/** A value of a blocklist, from the example that adds one. */
function listed(operation: Operation): string {
  const adding = allOperations.find(({ method, path }) => method === 'POST' && `${path}/:value` === operation.path)
  return String(Object.values((adding ? exampleBody(adding) : {}) as object)[0])
}

const pathFor = (operation: Operation, { values }: Stage): string =>
  operation.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === 'value' ? listed(operation) : (values[name] ?? '1')),
  )

/** What comes from the reader: the own password, and the server's ids. */
function filledIn(body: unknown, { ada }: Stage, { sudo }: Operation): unknown {
  return 'none' in sudo ? body : { ...(body as object), password: ada.password }
}

async function send(operation: Operation, stage: Stage) {
  const { method, callers, takesForm } = operation
  const { ada, engine } = stage
  const body = filledIn(exampleBody(operation), stage, operation)
  const path = pathFor(operation, stage)
  if (takesForm) {
    const authorization = `Basic ${Buffer.from(`${engine.id}:${engine.clientSecret}`).toString('base64')}`
    const form = new URLSearchParams(body as Record<string, string>)
    const response = await fetch(guildhall.url + path, { method, headers: { authorization }, body: form })
    return { status: response.status, body: response.ok ? undefined : await response.json() }
  }
  const token = { admin: root.token, bot: asBot(engine) }[callers.kind as string] ?? ada.token
  return guildhall.request(method, path, { token, body, headers: threadsHeader })
}

/**
 * What refuses a well-formed body: what only the server issues (tickets, tokens, codes), or what is not so with this account. No
 * example can hold these.
 */
const notOfTheForm: ReadonlySet<string> = new Set(
  (
    'INVALID_OR_EXPIRED_AUTHORIZATION_TICKET INVALID_OR_EXPIRED_TICKET INVALID_OR_EXPIRED_SSO_STATE ' +
    'INVALID_OR_EXPIRED_AUTHORIZATION_TOKEN INVALID_OR_EXPIRED_RESET_TOKEN ' +
    'INVALID_OR_EXPIRED_REVERT_TOKEN INVALID_OR_EXPIRED_VERIFICATION_TOKEN INVALID_EMAIL_TOKEN ' +
    'INVALID_HANDOFF_CODE SESSION_TIMEOUT INVALID_WEBAUTHN_CREDENTIAL SESSION_TOKEN_MISMATCH ' +
    'invalid_grant invalid_client TWO_FACTOR_REQUIRED NO_PASSKEYS_REGISTERED USER_OWNS_GUILDS ' +
    'CANNOT_LEAVE_GUILD_AS_OWNER NO_PENDING_DELETION NO_USERS_WITH_GUILDHALLTAG_EXIST ANNOUNCEMENT_CHANNEL_REQUIRED ' +
    'USERNAME_SIGN_IN_ONLY INVALID_CODE TIME_BEFORE_FIRST_EVENT RANGE_ENDS_BEFORE_START ' +
    'UPLOADED_ATTACHMENT_NOT_FOUND'
  ).split(' '),
)

/** Why an example does not work; undefined if it does. */
function faultOf({ status, body }: { readonly status: number; readonly body: unknown }): unknown {
  if (status !== 400) return status >= 500 && status !== 503 ? status : undefined
  const { code, error, errors } = body as {
    readonly code?: string
    readonly error?: string
    readonly errors?: readonly FieldError[]
  }
  const codes: readonly string[] = errors?.map((each) => each.code) ?? [code ?? error ?? '']
  return codes.every((each) => notOfTheForm.has(each)) ? undefined : body
}

describe('the example of an operation', () => {
  const hasExample = (operation: Operation): boolean => exampleBody(operation) !== undefined
  const isForAdmins = ({ callers }: Operation): boolean => callers.kind === 'admin'
  // Those of administrators come last: they block what the others send.
  const withExample = [false, true].flatMap((admins) =>
    allOperations.filter((each) => hasExample(each) && isForAdmins(each) === admins),
  )

  it('is a body that the server takes', async () => {
    const faults: unknown[] = []
    let worked = 0
    let stage = await openStage()
    for (const operation of withExample) {
      const answer = await send(operation, stage)
      if (answer.status < 300) worked += 1
      const fault = faultOf(answer)
      if (fault !== undefined) faults.push([operation.name, fault])
      // Those that only need sudo mode mostly end or delete something.
      if (!isSchema(operation.body)) stage = await openStage()
    }
    expect(faults).toStrictEqual([])
    expect(worked).toBeGreaterThan(withExample.length / 2)
  })
  it('registers an account that the next example signs in to', async () => {
    const exampleOf = (name: string) => {
      const operation = allOperations.find((each) => each.name === name)
      return operation && exampleBody(operation)
    }
    const fresh = { email: 'ada.of.the.examples@example.com' }
    const registered = { ...(exampleOf('Register') as object), ...fresh }
    expect((await guildhall.request('POST', '/v1/auth/register', { body: registered })).status).toBe(200)
    const signedIn = await guildhall.request('POST', '/v1/auth/login', {
      body: { ...(exampleOf('Log in') as object), ...fresh },
    })
    expect(bodyOf(signedIn)).toMatchObject({ token: expect.any(String) })
  })
  it('is absent where there is no body', () => {
    expect(allOperations.filter(({ method, sudo }) => method === 'GET' && 'none' in sudo).map(exampleBody)).toSatisfy(
      (examples: readonly unknown[]) => examples.every((example) => example === undefined),
    )
    expect(exampleValues.size).toBeGreaterThan(0)
  })
})

describe('every operation', () => {
  it('is described by one sentence that says more than its name', () => {
    const poor = allOperations.filter(
      ({ name, description }) => !/^[A-Z].{8,}\.$/.test(description) || description === `${name}.`,
    )
    expect(poor.map(({ name, description }) => [name, description])).toStrictEqual([])
  })
})
