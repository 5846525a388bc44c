import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletedAccount } from '../../application/wire-objects/identity/deleted-account.ts'
import { accountFlags } from '../../domain/account/flags.ts'
import { noPremiumFields } from '../../domain/premium/premium.ts'
import { newProfile } from '../../domain/account/profile.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { snowflakeMs } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import { sessionQueries } from '../../projections/accounts/session-queries.ts'
import { account, after, registered, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => accountQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection])
})

afterAll(() => the.close())

const signedIn = (number: number, tokenHash: string): AccountEvent => ({
  type: 'SessionStarted',
  data: { accountId: account(number), tokenHash, startedAt: after(1), ip: '192.0.2.1', userAgent: 'test' },
})

describe('accounts', () => {
  it('are found as they registered', async () => {
    await happens(registered(1, { globalName: 'Ada', emailVerified: true }))
    expect(await queries().find(account(1))).toStrictEqual({
      id: account(1),
      username: 'User1',
      discriminator: 1,
      profile: newProfile('Ada'),
      email: 'user1@example.org',
      emailVerified: true,
      emailBounced: false,
      isErased: false,
      hasPassword: true,
      hasSingleSignOn: false,
      passwordChangedAt: null,
      dateOfBirth: '1990-12-10',
      locale: 'en-US',
      flags: '0',
      premiumFlags: 0,
      premium: noPremiumFields,
      everyoneHasPremium: false,
      traits: [],
      bot: false,
      system: false,
      botOwnerId: null,
      acls: [],
      bannedUntil: null,
      deletion: null,
      messageDeletion: null,
      registeredAt: start,
      termsAcceptedAt: null,
      sharesVoiceActivity: false,
      voiceActivityChosenAt: null,
      secondFactors: { totp: false, passkeys_count: 0, usesPasskeys: false },
      delegationVersion: 0,
    })
    expect(await queries().find(account(99))).toBe(undefined)
  })

  it('need no e-mail address, password or date of birth', async () => {
    await happens(registered(2, { email: null, passwordHash: null, dateOfBirth: null }))
    const found = await queries().find(account(2))
    expect(found).toMatchObject({ email: null, hasPassword: false, dateOfBirth: null })
  })

  it('are found many at a time', async () => {
    await happens(registered(3), registered(4))
    const found = await queries().findMany([account(3), account(98), account(4), account(3)])
    expect(found.map(({ id }) => id).toSorted()).toStrictEqual([account(3), account(4)])
    expect(await queries().findMany([])).toStrictEqual([])
  })

  it('are found by their tag, in any case', async () => {
    await happens(registered(5, { username: 'Grace_Hopper', discriminator: 42 }))
    expect((await queries().byTag('gRACE_hopper', 42))?.id).toBe(account(5))
    expect(await queries().byTag('Grace_Hopper', 43)).toBe(undefined)
  })

  it('have the ACLs that they were granted last', async () => {
    await happens(registered(6), {
      type: 'AclsGranted',
      data: { accountId: account(6), acls: ['audit_log:view', 'a"b'] },
    })
    expect((await queries().find(account(6)))?.acls).toStrictEqual(['audit_log:view', 'a"b'])
  })

  it('have a last address, which may be searched, and the sessions that were used last, until they are erased', async () => {
    const [one, other, third] = [account(60), account(61), account(62)]
    const at = (accountId: typeof one, seconds: number, ip: string): AccountEvent => ({
      type: 'SessionStarted',
      data: { accountId, tokenHash: `${accountId}-${seconds}`, startedAt: after(seconds), ip, userAgent: 'test' },
    })
    const starts = Array.from({ length: 7 }, (_, index) => at(one, index + 1, '198.51.100.1'))
    await happens(registered(60), registered(61), registered(62), ...starts, at(other, 1, '198.51.100.1'))
    await the.rows(`insert into session_activity.sessions values ('${one}-1', '${after(900)}')`)
    const { lastAddressesOf, recentOf, withLastAddress } = sessionQueries(the.database)
    const recent = (await recentOf([one, other, third])).map(({ tokenHash }) => tokenHash)
    expect(recent.toSorted()).toStrictEqual([1, 4, 5, 6, 7].map((n) => `${one}-${n}`).concat(`${other}-1`))
    const page = { limit: 50, offset: 0 }
    expect(await withLastAddress('198.51.100.1', page)).toStrictEqual({ ids: [other, one], total: 2 })
    expect(await withLastAddress('198.51.100.1', { limit: 1, offset: 1 })).toStrictEqual({ ids: [one], total: 2 })
    await happens(at(one, 950, '198.51.100.2'))
    const addresses = new Map([
      [one, '198.51.100.2'],
      [other, '198.51.100.1'],
    ])
    expect(await lastAddressesOf([one, other, third])).toStrictEqual(addresses)
    expect(await withLastAddress('198.51.100.1', page)).toStrictEqual({ ids: [other], total: 1 })
    await happens({
      type: 'AccountErasureStarted',
      data: { accountId: other, username: 'User61', addressHash: null, identityHashes: [], startedAt: start },
    })
    expect(await withLastAddress('198.51.100.1', page)).toStrictEqual({ ids: [], total: 0 })
    expect(await recentOf([other])).toStrictEqual([])
  })

  it('keep the sessions that ended, the 1000 that ended last, until they are erased', async () => {
    const id = account(70)
    const hash = (number: number): string => `ended-${number.toString().padStart(4, '0')}`
    const started = (number: number): AccountEvent => ({
      type: 'SessionStarted',
      data: { accountId: id, tokenHash: hash(number), startedAt: after(number), ip: '192.0.2.7', userAgent: 'test' },
    })
    const ended = (number: number): AccountEvent => ({
      type: 'SessionEnded',
      data: { accountId: id, tokenHash: hash(number) },
    })
    const endedOf = () => sessionQueries(the.database).endedOf(id)
    await happens(registered(70), started(1), started(2))
    expect(await endedOf()).toStrictEqual([])
    const end = after(5000)
    await projector.reached(await the.happensWith({ at: end }, ended(1)))
    const first = { tokenHash: hash(1), startedAt: after(1), ip: '192.0.2.7', userAgent: 'test', endedAt: end }
    expect(await endedOf()).toStrictEqual([first])
    expect((await sessionQueries(the.database).ofAccount(id)).map(({ tokenHash }) => tokenHash)).toStrictEqual([
      hash(2),
    ])
    const more = Array.from({ length: 1000 }, (_, index) => index + 3)
    await happens(...more.map(started))
    await projector.reached(await the.happensWith({ at: after(6000) }, ...more.map(ended)))
    const found = (await endedOf()).map(({ tokenHash }) => tokenHash)
    expect(found).toStrictEqual(more.toReversed().map(hash))
    const kept = await the.rows(`select count(*)::int4 as count from accounts.session_log where account_id = ${id}`)
    expect(kept).toStrictEqual([{ count: 1001 }])
    expect(await queries().bySession(hash(5))).toBeUndefined()
    expect((await queries().bySession(hash(2)))?.id).toBe(id)
    const erasure = { accountId: id, username: 'User70', addressHash: null, identityHashes: [], startedAt: start }
    await happens({ type: 'AccountErasureStarted', data: erasure })
    expect(await endedOf()).toStrictEqual([])
  })

  it('are found by a session from its start to its end', async () => {
    await happens(registered(7), signedIn(7, 'hash-1'), signedIn(7, 'hash-2'))
    expect((await queries().bySession('hash-1'))?.id).toBe(account(7))
    await happens({ type: 'SessionEnded', data: { accountId: account(7), tokenHash: 'hash-1' } })
    expect(await queries().bySession('hash-1')).toBe(undefined)
    expect((await queries().bySession('hash-2'))?.id).toBe(account(7))
    expect(await queries().bySession('')).toBe(undefined)
  })

  it('show their names, profiles, passwords and terms as they were changed last', async () => {
    const accountId = account(8)
    await happens(
      registered(8, { email: null }),
      { type: 'TagChanged', data: { accountId, username: 'Countess', discriminator: 9 } },
      { type: 'ProfileChanged', data: { accountId, changes: { globalName: 'C', bio: 'Notes', mentionFlags: 2 } } },
      { type: 'ProfileChanged', data: { accountId, changes: { bio: null, premiumBadgeHidden: true } } },
      { type: 'PasswordChanged', data: { accountId, passwordHash: '$new', changedAt: after(5) } },
      { type: 'EmailAddressChanged', data: { accountId, email: 'c@example.org', verified: false, changedAt: start } },
      { type: 'EmailAddressVerified', data: { accountId } },
      { type: 'TermsAccepted', data: { accountId, acceptedAt: after(6) } },
      { type: 'UserSettingsChanged', data: { accountId, changes: { locale: 'de' } } },
      { type: 'UserSettingsChanged', data: { accountId, changes: { theme: 'dark' } } },
    )
    expect(await queries().find(accountId)).toMatchObject({
      username: 'Countess',
      discriminator: 9,
      profile: { ...newProfile('C'), mentionFlags: 2, premiumBadgeHidden: true },
      email: 'c@example.org',
      emailVerified: true,
      passwordChangedAt: after(5),
      termsAcceptedAt: after(6),
      locale: 'de',
    })
    expect((await queries().byTag('countess', 9))?.id).toBe(accountId)
  })

  it('show by flags what their holders did to them', async () => {
    const accountId = account(9)
    const flagsNow = async () => (await queries().find(accountId))?.flags
    await happens(registered(9), { type: 'AccountDisabled', data: { accountId } })
    expect(await flagsNow()).toBe(accountFlags.DISABLED.toString())
    await happens({ type: 'SelfDeletionScheduled', data: { accountId, dueAt: after(60) } })
    expect(await flagsNow()).toBe((accountFlags.DISABLED | accountFlags.SELF_DELETED).toString())
    await happens(
      { type: 'AccountEnabled', data: { accountId } },
      { type: 'SelfDeletionCancelled', data: { accountId } },
    )
    expect(await flagsNow()).toBe('0')
  })

  it('record whether their address bounces, until it is verified or replaced', async () => {
    const accountId = account(31)
    const bounced: AccountEvent = { type: 'EmailAddressBounced', data: { accountId, bouncedAt: after(1) } }
    const isBounced = async () => (await queries().find(accountId))?.emailBounced
    await happens(registered(31), bounced)
    expect(await isBounced()).toBe(true)
    await happens({ type: 'EmailAddressVerified', data: { accountId } })
    expect(await isBounced()).toBe(false)
    const email = 'new@example.org'
    await happens(bounced, {
      type: 'EmailAddressChanged',
      data: { accountId, email, verified: true, changedAt: start },
    })
    expect(await isBounced()).toBe(false)
  })

  it('show no personal data once erasing has begun, and are found by no tag or session', async () => {
    const accountId = account(32)
    await happens(
      registered(32, { globalName: 'Ada', username: 'Ada', discriminator: 32 }),
      { type: 'ProfileChanged', data: { accountId, changes: { bio: 'Notes', mentionFlags: 1, accentColor: 255 } } },
      { type: 'TotpEnabled', data: { accountId, secret: 'JBSW', enabledAt: start } },
      { type: 'SelfDeletionScheduled', data: { accountId, dueAt: after(60) } },
      signedIn(32, 'hash-32'),
      {
        type: 'AccountErasureStarted',
        data: { accountId, username: 'Ada', addressHash: 'hash', identityHashes: [], startedAt: after(60) },
      },
      { type: 'AccountErased', data: { accountId, erasedAt: after(61) } },
    )
    expect(await queries().find(accountId)).toMatchObject({
      username: 'DeletedUser',
      discriminator: 0,
      profile: newProfile('Deleted User'),
      email: null,
      emailVerified: false,
      hasPassword: false,
      dateOfBirth: null,
      secondFactors: { totp: false },
      flags: accountFlags.DELETED.toString(),
      isErased: true,
    })
    expect(await queries().byTag('Ada', 32)).toBe(undefined)
    expect(await queries().byTag('DeletedUser', 0)).toBe(undefined)
    expect(await queries().bySession('hash-32')).toBe(undefined)
  })

  it('show an anonymous account as a deleted one without flags', async () => {
    const accountId = account(33)
    await happens({ type: 'AnonymousAccountCreated', data: { accountId, createdAt: start } })
    expect(await queries().find(accountId)).toStrictEqual({
      ...deletedAccount(accountId),
      registeredAt: timestamp(snowflakeMs(accountId)),
    })
    expect(await queries().byTag('DeletedUser', 0)).toBe(undefined)
  })

  it('record whether an identity at a provider can sign in to them', async () => {
    const link = { accountId: account(30), issuer: 'https://id.example.com', identityHash: 'hash' }
    await happens(registered(30), { type: 'SingleSignOnLinked', data: { ...link, linkedAt: start } })
    expect(await queries().find(account(30))).toMatchObject({ hasSingleSignOn: true })
    for (const othersStay of [true, false]) {
      await happens({ type: 'SingleSignOnUnlinked', data: { ...link, unlinkedAt: start, othersStay } })
      expect(await queries().find(account(30))).toMatchObject({ hasSingleSignOn: othersStay })
    }
  })

  it('record which second factors they have, and none of their secrets', async () => {
    const accountId = account(10)
    const passkey = (credentialId: string): AccountEvent => ({
      type: 'WebAuthnCredentialRegistered',
      data: { accountId, credentialId, publicKey: 'c', counter: 0, transports: [], name: 'K', registeredAt: start },
    })
    await happens(
      registered(10),
      { type: 'TotpEnabled', data: { accountId, secret: 'JBSW', enabledAt: start } },
      passkey('k1'),
      passkey('k2'),
      { type: 'WebAuthnCredentialRemoved', data: { accountId, credentialId: 'k1' } },
      { type: 'PasskeysChosenAsSecondFactor', data: { accountId, chosen: true } },
    )
    const heldNow = async () => (await queries().find(accountId))?.secondFactors
    expect(await heldNow()).toStrictEqual({ totp: true, passkeys_count: 1, usesPasskeys: true })
    await happens({ type: 'TotpDisabled', data: { accountId } })
    expect(await heldNow()).toMatchObject({ totp: false })
  })
})
