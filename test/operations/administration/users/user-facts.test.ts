import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.js'
import { administrator, adminKeyOf, auditEntries } from '../../../support/administrators.js'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.js'
import { openServer } from '../../support/scene.js'

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
const unknown = '1'

const premium = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PATCH', `/v1/admin/users/${id}/premium-flags`, { token, body })
const traits = (id: string, body: unknown, token = root.token) =>
  guildhall.request('PUT', `/v1/admin/users/${id}/traits`, { token, body })
const self = async (token: string) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))
const lastEntry = async () => (await auditEntries(guildhall)).at(-1)

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
