import { describe, expect, it } from 'vitest'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, adminKeyOf, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
const unknown = '1'
const closing = accountFlags.DISABLED | accountFlags.SELF_DELETED | accountFlags.DELETED

const flags = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PATCH', `/v1/admin/users/${id}/flags`, { token, body })
const system = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PUT', `/v1/admin/users/${id}/system-status`, { token, body })
const premium = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PATCH', `/v1/admin/users/${id}/premium-flags`, { token, body })
const traits = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PUT', `/v1/admin/users/${id}/traits`, { token, body })
const self = async (token: string) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const lastEntry = async () => (await auditEntries(guildhall)).at(-1)

/** Makes an account a bot, as an administrator could. */
async function madeBot(id: TestAccount['id'], to = true): Promise<void> {
  const context = testContext()
  await guildhall.ports.aggregates.account.execute(id, { type: 'SetBotStatus', bot: to }, context)
  await guildhall.readModels.reached(context.written)
}

describe('Update user flags', () => {
  it('adds before it removes, stores each of 64 bits as given, and answers with the user', async () => {
    const bob = await guildhall.register()
    const top = (2n ** 63n + 2n).toString()
    const { user } = bodyOf(await flags(bob.id, { add_flags: [top, '5'], remove_flags: ['4'] }))
    expect(user).toMatchObject({ id: bob.id, flags: (2n ** 63n + 3n).toString() })
    expect(await lastEntry()).toMatchObject({
      action: 'update_flags',
      targetType: 'user',
      targetId: bob.id,
      metadata: { add_flags: `${top},5`, remove_flags: '4', new_flags: (2n ** 63n + 3n).toString() },
    })
    expect(bodyOf(await flags(bob.id, {}))['user']).toMatchObject({ flags: (2n ** 63n + 3n).toString() })
    expect((await lastEntry())?.metadata).toStrictEqual({ new_flags: (2n ** 63n + 3n).toString() })
  })

  it('equal the fold of additions and removals, with 64 writers at once', async () => {
    const bob = await guildhall.register()
    const bits = Array.from({ length: 64 }, (_, bit) => 1n << BigInt(bit)).filter((bit) => (bit & closing) === 0n)
    // A busy server turns requests away that would wait for too long, and their clients repeat them.
    const add = async (bit: bigint): Promise<TestAnswer> => {
      const answer = await flags(bob.id, { add_flags: [bit.toString()] })
      return answer.status === 503 ? add(bit) : answer
    }
    for (const answer of await Promise.all(bits.map(add))) bodyOf(answer)
    const all = bits.reduce((word, bit) => word | bit, 0n)
    expect(bodyOf(await flags(bob.id, {}))['user']).toMatchObject({ flags: all.toString() })
  })

  it('ends the sessions of an account that it closes, which signing in opens again', async () => {
    const bob = await guildhall.register()
    bodyOf(await flags(bob.id, { add_flags: [accountFlags.DISABLED.toString()] }))
    expectRefusal(await guildhall.request('GET', '/v1/users/@me', { token: bob.token }), 401, 'UNAUTHORIZED')
    const { email, password } = bob
    bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    expect(bodyOf(await flags(bob.id, {}))['user']).toMatchObject({ flags: '0' })
    bodyOf(await flags(bob.id, { add_flags: [accountFlags.DELETED.toString()] }))
    const barred = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    expectRefusal(barred, 403, 'ACCOUNT_SUSPENDED_PERMANENTLY')
  })

  it('refuses what is no unsigned 64-bit text, and more than 64 of them, before it looks for the account', async () => {
    expectFields(await flags(unknown, { add_flags: ['-1'] }), field('add_flags.0', 'INVALID_INTEGER_FORMAT'))
    const beyond = (2n ** 64n).toString()
    expectFields(
      await flags(unknown, { remove_flags: [beyond] }),
      field('remove_flags.0', 'INTEGER_OUT_OF_INT64_RANGE'),
    )
    for (const flag of [1, null, '', '1.5', '0x1', ' 1'])
      expectRefusal(await flags(unknown, { add_flags: [flag] }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await flags(unknown, { add_flags: Array(65).fill('1') }), 400, 'INVALID_FORM_BODY')
  })

  it('is refused without the ACL, and for an account that is not there', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:traits')
    expectRefusal(await flags(unknown, {}, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await flags(unknown, {}), 404, 'UNKNOWN_USER')
  })
})

describe('Set user system status', () => {
  it('marks a bot, which everybody sees, until it is no bot', async () => {
    const bob = await guildhall.register()
    await madeBot(bob.id)
    expect(bodyOf(await system(bob.id, { system: true }))['user']).toMatchObject({ bot: true, system: true })
    expect(await lastEntry()).toMatchObject({
      action: 'set_system_status',
      targetId: bob.id,
      metadata: { system: 'true' },
    })
    expect(bodyOf(await guildhall.request('GET', `/v1/users/${bob.id}`, { token: root.token }))).toMatchObject({
      bot: true,
      system: true,
    })
    await madeBot(bob.id, false)
    expect(bodyOf(await system(bob.id, { system: false }))['user']).toMatchObject({ bot: false, system: false })
  })

  it('is not for a person, and not without the ACL or the account', async () => {
    const bob = await guildhall.register()
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:flags')
    expectFields(
      await system(bob.id, { system: true }),
      field('system', 'USER_MUST_BE_A_BOT_TO_BE_MARKED_AS_A_SYSTEM_USER'),
    )
    expectRefusal(await system(unknown, { system: true }, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await system(unknown, { system: true }), 404, 'UNKNOWN_USER')
    for (const body of [undefined, {}, { system: null }, { system: 'true' }])
      expectRefusal(await system(unknown, body), 400, 'INVALID_FORM_BODY')
  })
})

describe('Update user premium flags', () => {
  it('adds before it removes, takes each of 32 bits, and answers with the user', async () => {
    const bob = await guildhall.register()
    const { user } = bodyOf(await premium(bob.id, { add_flags: [2 ** 31, 64, 1], remove_flags: [1] }))
    expect(user).toMatchObject({ id: bob.id, premium_flags: 2 ** 31 + 64 })
    expect(await lastEntry()).toMatchObject({
      action: 'update_premium_flags',
      targetType: 'user',
      targetId: bob.id,
      metadata: { add_flags: '2147483648,64,1', remove_flags: '1', new_flags: '2147483712' },
    })
    expect(await self(bob.token)).toMatchObject({ premium_purchase_disabled: true, premium_perks_disabled: false })
  })

  it('changes the badge options that the holder chose, and shows what the holder chooses later', async () => {
    const bob = await guildhall.register()
    bodyOf(await premium(bob.id, { add_flags: [2] }))
    expect(await self(bob.token)).toMatchObject({ premium_badge_hidden: true })
    const { token } = bob
    const body = { premium_badge_hidden: false, premium_badge_masked: true }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token, body }))
    expect(bodyOf(await premium(bob.id, {}))['user']).toMatchObject({ premium_flags: 4 })
  })

  it('leaves empty lists out of the entry, and records a change of nothing', async () => {
    const bob = await guildhall.register()
    bodyOf(await premium(bob.id, { add_flags: null }))
    expect(await lastEntry()).toMatchObject({ action: 'update_premium_flags', metadata: { new_flags: '0' } })
    expect(Object.keys((await lastEntry())?.metadata ?? {})).toStrictEqual(['new_flags'])
  })

  it('refuses what is no 32-bit flag, and more than 64 of them, before it looks for the account', async () => {
    for (const flag of [-1, 2 ** 32, 1.5, '1', null])
      expectRefusal(await premium(unknown, { add_flags: [flag] }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await premium(unknown, { remove_flags: Array(65).fill(1) }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await premium('x', {}), 400, 'INVALID_FORM_BODY')
  })

  it('is refused without the ACL, and for an account that is not there; neither is recorded', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:traits')
    const key = await adminKeyOf(guildhall, root, 'user:lookup')
    const bob = await guildhall.register()
    const before = await auditEntries(guildhall)
    expectRefusal(await premium(bob.id, {}, bob.token), 403, 'MISSING_PERMISSIONS')
    for (const token of [lesser.token, key]) expectRefusal(await premium(bob.id, {}, token), 403, 'MISSING_ACL')
    expectRefusal(await premium(unknown, {}), 404, 'UNKNOWN_USER')
    expect(await auditEntries(guildhall)).toHaveLength(before.length)
  })
})

describe('Set user traits', () => {
  it('replaces all traits, sorted, each once, and clears them', async () => {
    const bob = await guildhall.register()
    const { user } = bodyOf(await traits(bob.id, { traits: ['tester', 'early', 'tester'] }))
    expect(user).toMatchObject({ traits: ['early', 'tester'] })
    expect(bodyOf(await traits(bob.id, { traits: ['tester'] }))['user']).toMatchObject({ traits: ['tester'] })
    expect((await self(bob.token))['traits']).toStrictEqual(['tester'])
    expect(bodyOf(await traits(bob.id, { traits: [] }))['user']).toMatchObject({ traits: [] })
  })

  it('is recorded with the traits, sealed for the target, and without metadata where they are cleared', async () => {
    const bob = await guildhall.register()
    bodyOf(await traits(bob.id, { traits: ['b', 'a'] }))
    const listed = async () => {
      const page = bodyOf(await guildhall.request('GET', '/v1/admin/audit-logs?limit=1', { token: root.token }))
      return (page['logs'] as readonly object[])[0]
    }
    const entry = await lastEntry()
    expect(entry).toMatchObject({ action: 'set_traits', targetId: bob.id, metadata: {} })
    expect(entry).toMatchObject({ personalMetadata: { traits: 'a,b' } })
    expect(await listed()).toMatchObject({ action: 'set_traits', metadata: { traits: 'a,b' } })
    bodyOf(await traits(bob.id, { traits: [] }))
    expect(await listed()).toMatchObject({ action: 'set_traits', metadata: {} })
  })

  it('shows no `premium` that premium did not give', async () => {
    const bob = await guildhall.register()
    const { user } = bodyOf(await traits(bob.id, { traits: ['premium'] }))
    expect(user).toMatchObject({ traits: ['premium'], premium_type: 0 })
    expect((await self(bob.token))['traits']).toStrictEqual([])
  })

  it('takes 100 traits of 1-128 characters', async () => {
    const bob = await guildhall.register()
    const hundred = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(128, 't'))
    bodyOf(await traits(bob.id, { traits: hundred }))
    expectFields(await traits(unknown, { traits: [''] }), field('traits.0', 'STRING_LENGTH_INVALID'))
    expectFields(await traits(unknown, { traits: ['t'.repeat(129)] }), field('traits.0', 'STRING_LENGTH_INVALID'))
    for (const body of [undefined, {}, { traits: null }, { traits: [1] }, { traits: [...hundred, 'more'] }])
      expectRefusal(await traits(unknown, body), 400, 'INVALID_FORM_BODY')
  })

  it('is refused without the ACL, and for an account that is not there', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:flags')
    expectRefusal(await traits(unknown, { traits: [] }, lesser.token), 403, 'MISSING_ACL')
    expectRefusal(await traits(unknown, { traits: [] }), 404, 'UNKNOWN_USER')
  })

  it('shows redacted what the credential may not view', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:traits')
    const bob = await guildhall.register()
    const { user } = bodyOf(await traits(bob.id, { traits: [] }, lesser.token))
    expect(user).toMatchObject({ email: null, email_verified: false, date_of_birth: null, last_active_ip: null })
  })
})
