import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { noStream } from '../../../domain/kernel/position.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { streamName } from '../../../domain/streams.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { testRequester } from '../../support/test-requester.ts'
import { bodyOf, expectFields } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()

const composed = 'crème brûlée'.normalize('NFC')
const decomposed = composed.normalize('NFD')
/** With a letter of full width, as some input methods type it. */
const wide = 'ｃrème brûlée'

const logIn = (email: string, password: string) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const register = (email: string, password: string) =>
  guildhall.request('POST', '/v1/auth/register', {
    body: { email, password, date_of_birth: '1990-12-10', consent: true },
  })
const deleteNothing = ({ token }: Pick<TestAccount, 'token'>, password: string) =>
  guildhall.request('POST', '/v1/guilds/1/delete', { token, body: { password } })

describe('a password', () => {
  it('is the same however it is typed: in a registration, a login and sudo mode, as a present one and a new one', async () => {
    const email = 'composer@example.com'
    const { token } = bodyOf(await register(email, decomposed))
    for (const typed of [composed, decomposed, wide, ` ${decomposed} `]) {
      expect((await logIn(email, typed)).status).toBe(200)
      expect((await deleteNothing({ token: String(token) }, typed)).status).toBe(404)
    }
    expectFields(
      await logIn(email, 'creme brulee'),
      field('email', 'INVALID_EMAIL_OR_PASSWORD'),
      field('password', 'INVALID_EMAIL_OR_PASSWORD'),
    )
    const patch = { password: wide, new_password: 'näıve café' }
    const changed = await guildhall.request('PATCH', '/v1/users/@me', { token: String(token), body: patch })
    expect(changed.status).toBe(200)
    expect((await logIn(email, 'näıve café'.normalize('NFD'))).status).toBe(200)
  })

  it('has 8 to 256 characters and is uncommon in the form in which it is compared', async () => {
    const short = 'éàüöéàü'.normalize('NFD')
    expectFields(await register('short@example.com', short), field('password', 'PASSWORD_LENGTH_INVALID'))
    expectFields(await register('common@example.com', 'ｐａｓｓｗｏｒｄ'), field('password', 'PASSWORD_IS_TOO_COMMON'))
    const long = 'é'.repeat(256).normalize('NFD')
    expect((await register('long@example.com', long)).status).toBe(200)
    expect((await logIn('long@example.com', 'é'.repeat(256))).status).toBe(200)
  })
})

describe('a password from before', () => {
  it.each([
    ['of the usual length', decomposed],
    ['of a length that a new one must not have', 'éàüö'.normalize('NFD')],
  ])('%s signs in as it was typed, which ends no session and tells nobody', async (_, typed) => {
    const ada = await guildhall.register()
    const id = accountId(snowflake(ada.id))
    const session = String(bodyOf(await logIn(ada.email, ada.password))['token'])
    const { ports, store } = guildhall
    const { state } = await ports.aggregates.account.load(id)
    if (state.status !== 'registered' || state.passwordHash === null) throw new Error('The account has no password')
    // The hash as it was made before: of the typed text.
    const passwordHash = await hash(typed, { memoryCost: 8, timeCost: 1, parallelism: 1 })
    const before = { type: 'RenewPasswordHash', from: state.passwordHash, passwordHash } as const
    await ports.aggregates.account.execute(id, before, testRequester().context)
    expect((await logIn(ada.email, typed)).status).toBe(200)
    const types: string[] = []
    for await (const page of store.events.readStream(streamName('account', id), noStream))
      types.push(...page.map(({ type }) => type))
    expect(types.slice(-3)).toStrictEqual(['PasswordHashRenewed', 'PasswordHashRenewed', 'SessionStarted'])
    expect((await guildhall.request('GET', '/v1/users/@me', { token: session })).status).toBe(200)
    expect((await logIn(ada.email, typed)).status).toBe(200)
  })
})
