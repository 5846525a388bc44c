import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { ApplicationCreated, ApplicationEvent } from '../../domain/application/events.ts'
import { applicationId, botOf, type ApplicationId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import { applicationsProjection } from '../../projections/applications/projector.ts'
import { applicationQueries } from '../../projections/applications/queries.ts'
import { account, registered, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => applicationQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection, applicationsProjection])
  await happens(registered(901))
})
afterAll(() => the.close())

const ada = account(901)
const application = (number: number): ApplicationId => applicationId(snowflake(`70${number}`))

function created(number: number, changes: Partial<ApplicationCreated> = {}): ApplicationEvent {
  const id = application(number)
  return {
    type: 'ApplicationCreated',
    data: {
      applicationId: id,
      ownerId: ada,
      name: 'Engine',
      redirectUris: ['https://engine.example.org'],
      botPublic: true,
      botRequireCodeGrant: false,
      bot: { username: 'Engine', discriminator: number, locale: 'en-US' },
      botTokenHash: `token of ${number}`,
      clientSecretHash: 'secret',
      createdAt: start,
      ...changes,
    },
  }
}

const bot = (number: number): AccountEvent => ({
  type: 'AccountRegistered',
  data: {
    accountId: botOf(application(number)),
    username: 'Engine',
    discriminator: number,
    globalName: null,
    email: null,
    passwordHash: null,
    dateOfBirth: null,
    emailVerified: false,
    locale: 'en-US',
    registeredAt: start,
    botOwnerId: ada,
  },
})

describe('an application', () => {
  it('is found by its id and its owner as it is now, and counted', async () => {
    await happens(created(2), created(1))
    const expected = {
      id: application(1),
      ownerId: ada,
      name: 'Engine',
      redirectUris: ['https://engine.example.org'],
      botPublic: true,
      botRequireCodeGrant: false,
      createdAt: start,
    }
    expect(await queries().find(application(1))).toStrictEqual(expected)
    const changes = { name: 'Loom', redirectUris: [], botPublic: false }
    await happens({ type: 'ApplicationChanged', data: { applicationId: application(1), changes } })
    expect(await queries().find(application(1))).toStrictEqual({ ...expected, ...changes })
    expect((await queries().ofOwner(ada)).map(({ id }) => id)).toStrictEqual([application(1), application(2)])
    expect(await queries().countOf(ada)).toBe(2)
    expect(await queries().countOf(account(902))).toBe(0)
  })

  it('has the age of its secrets, and a version that grows with every change, for administrators', async () => {
    const owner = account(903)
    const id = application(6)
    const facts = async () => {
      const [found] = await queries().ofOwner(owner)
      const { botTokenCreatedAt, clientSecretCreatedAt, version } = found ?? {}
      return { botTokenCreatedAt, clientSecretCreatedAt, version }
    }
    await happens(created(6, { ownerId: owner }))
    expect(await facts()).toStrictEqual({ botTokenCreatedAt: start, clientSecretCreatedAt: start, version: 1 })
    const reset = { applicationId: id, botTokenHash: 'newer than 6', revokedTokenHash: 'token of 6' }
    await happens({ type: 'BotTokenReset', data: reset })
    const { botTokenCreatedAt, ...rest } = await facts()
    expect(botTokenCreatedAt).not.toBe(start)
    expect(rest).toStrictEqual({ clientSecretCreatedAt: start, version: 2 })
    await happens({ type: 'ClientSecretReset', data: { applicationId: id, clientSecretHash: 'another' } })
    const after = await facts()
    expect(after).toMatchObject({ botTokenCreatedAt, version: 3 })
    expect(after.clientSecretCreatedAt).not.toBe(start)
    await happens({ type: 'ApplicationChanged', data: { applicationId: id, changes: { name: 'Loom' } } })
    expect(await facts()).toStrictEqual({ ...after, version: 4 })
  })

  it('is gone once it is deleted, and its bot’s token is no longer valid', async () => {
    await happens(created(3), bot(3))
    expect((await queries().botByToken('token of 3'))?.id).toBe(application(3))
    const gone = { ownerId: ada, revokedTokenHash: 'token of 3', deletedAt: start }
    await happens({ type: 'ApplicationDeleted', data: { applicationId: application(3), ...gone } })
    expect(await queries().find(application(3))).toBeUndefined()
    expect(await queries().botByToken('token of 3')).toBeUndefined()
  })
})

describe('a bot', () => {
  it('is found by the hash of its newest token', async () => {
    await happens(created(4), bot(4))
    const reset = { applicationId: application(4), botTokenHash: 'newer', revokedTokenHash: 'token of 4' }
    await happens({ type: 'BotTokenReset', data: reset })
    expect(await queries().botByToken('token of 4')).toBeUndefined()
    expect(await queries().botByToken('newer')).toMatchObject({ id: application(4), bot: true, botOwnerId: ada })
  })

  it('has no token any more once its owner’s delegations have ended, until it gets another one under their number', async () => {
    const owner = account(904)
    const id = application(7)
    await happens(registered(904), created(7, { ownerId: owner }), bot(7))
    expect(await queries().botByToken('token of 7')).toMatchObject({ id })
    await happens({ type: 'DelegationsEnded', data: { accountId: owner, version: 1, endedAt: start } })
    expect(await queries().botByToken('token of 7')).toBeUndefined()
    const reset = { applicationId: id, revokedTokenHash: 'token of 7' }
    await happens({ type: 'BotTokenReset', data: { ...reset, botTokenHash: 'late' } })
    expect(await queries().botByToken('late')).toBeUndefined()
    await happens({ type: 'BotTokenReset', data: { ...reset, botTokenHash: 'new', delegationVersion: 1 } })
    expect(await queries().botByToken('new')).toMatchObject({ id })
  })

  it('has the second factors of its owner, and looks like a deleted account once it is erased', async () => {
    const id = botOf(application(5))
    const find = () => accountQueries(the.database).find(id)
    await happens(bot(5))
    expect((await find())?.secondFactors).toStrictEqual({ totp: false, passkeys_count: 0, usesPasskeys: false })
    await happens({ type: 'TotpEnabled', data: { accountId: ada, secret: 'JBSW', enabledAt: start } })
    expect((await find())?.secondFactors).toMatchObject({ totp: true })
    await happens({ type: 'FlagsChanged', data: { accountId: id, flags: '16' } })
    expect(await find()).toMatchObject({ flags: '16', bot: true })
    const started = { accountId: id, username: 'Engine', addressHash: null, identityHashes: [], startedAt: start }
    await happens({ type: 'AccountErasureStarted', data: started })
    expect(await find()).toMatchObject({
      username: 'DeletedUser',
      discriminator: 0,
      profile: { globalName: 'Deleted User', bio: null },
      isErased: true,
      secondFactors: { totp: false, passkeys_count: 0, usesPasskeys: false },
    })
    expect(await accountQueries(the.database).byTag('DeletedUser', 0)).toBeUndefined()
  })
})
