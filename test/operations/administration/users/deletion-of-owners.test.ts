import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { whatErasureTakes } from '../../../../application/identity/erasure/what-erasure-takes.ts'
import { eraseAccount } from '../../../../application/processes/erase-account.ts'
import { msOf, secondsAfter, timestamp } from '../../../../domain/kernel/timestamp.ts'
import { administrator } from '../../../support/administrators.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, found, invite } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { everyEvent, everyRow } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { deletionsBy, idOf } from './support.ts'

/** What becomes of the guilds of an account whose deletion an administrator scheduled (decision 80). */

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })
const root = await administrator(guildhall, '*')
const { schedule } = deletionsBy(guildhall, root)
const { connect, end } = connections()
afterEach(end)

const join = async (guild: { readonly channel: string }, owner: TestAccount, member: TestAccount) =>
  bodyOf(await accept(guildhall, member, await invite(guildhall, owner, guild.channel)))
const guildOf = (id: string, { token }: TestAccount) => guildhall.request('GET', `/v1/guilds/${id}`, { token })

async function roleFor(guild: string, owner: TestAccount, member: TestAccount, permissions: bigint): Promise<void> {
  const body = { name: 'Role', permissions: permissions.toString() }
  const { token } = owner
  const { id } = bodyOf(await guildhall.request('POST', `/v1/guilds/${guild}/roles`, { token, body }))
  const given = await guildhall.request('PUT', `/v1/guilds/${guild}/members/${member.id}/roles/${String(id)}`, {
    token,
  })
  expect(given.status).toBe(204)
}

/** Schedules the deletion, and gives an instant at which it is due. */
async function dueInstant(account: TestAccount) {
  const { user } = bodyOf(await schedule(account, { reason_code: 1, days: 14, notify_user: false }))
  const { pending_deletion_at: dueAt } = user as { readonly pending_deletion_at: string }
  return timestamp(Date.parse(dueAt))
}

describe('the guilds of an account that an administrator deletes', () => {
  it('go to their highest-ranked human members, who hear of it, and are deleted where there is none', async () => {
    const [ada, brian, carol] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    const [home, alone] = [await found(guildhall, ada), await found(guildhall, ada)]
    for (const member of [brian, carol]) await join(home, ada, member)
    await roleFor(home.id, ada, carol, 1n << 5n)
    const { client } = await connect(guildhall, brian)
    const dueAt = await dueInstant(ada)
    const { erasures } = guildhall.ports.queries
    expect(await erasures.due(secondsAfter(dueAt, -1), 10)).not.toContain(ada.id)
    expect(await erasures.due(dueAt, 10)).toContain(ada.id)
    expect(await erasures.overdueOwners(dueAt)).toBe(0)
    const plan = await whatErasureTakes(guildhall.ports)(idOf(ada))
    expect(plan?.guilds.map(({ id, heir }) => [id, heir])).toEqual([
      [home.id, carol.id],
      [alone.id, null],
    ])
    expect(await eraseAccount(guildhall.ports)(idOf(ada), timestamp(msOf(dueAt) - 1))).toBe(false)
    expect(await eraseAccount(guildhall.ports)(idOf(ada), dueAt)).toBe(true)
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ id: home.id, owner_id: carol.id })
    expect((await client.dispatch('GUILD_MEMBER_REMOVE')).d).toMatchObject({ user: { id: ada.id } })
    expect(bodyOf(await guildOf(home.id, brian))).toMatchObject({ owner_id: carol.id, member_count: 2 })
    expectRefusal(await guildOf(alone.id, brian), 404, 'UNKNOWN_GUILD')
    const logs = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: carol.token }))
    expect(logs['audit_log_entries']).toContainEqual(
      expect.objectContaining({
        action_type: 1,
        user_id: null,
        changes: [{ key: 'owner_id', old_value: ada.id, new_value: carol.id }],
      }),
    )
  })

  it('stay with the account if the deletion is cancelled before', async () => {
    const ada = await guildhall.register()
    const { id } = await found(guildhall, ada)
    const dueAt = await dueInstant(ada)
    const { cancelAt } = deletionsBy(guildhall, root)
    bodyOf(await cancelAt(ada, dueAt))
    expect(await eraseAccount(guildhall.ports)(idOf(ada), dueAt)).toBe(false)
    const { email, password } = ada
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    expect(bodyOf(await guildOf(id, { ...ada, token: String(token) }))).toMatchObject({ owner_id: ada.id })
  })
})

describe('the erasure of an account that an administrator deletes', () => {
  it('leaves nothing of its reason, its mail and its address', async () => {
    const ada = await guildhall.register()
    const mark = randomBytes(6).toString('hex').toUpperCase()
    const body = { reason_code: 3, public_reason: `${mark} spam` }
    const { user } = bodyOf(await schedule(ada, body))
    const { pending_deletion_at: dueAt } = user as { readonly pending_deletion_at: string }
    const traces = async () => {
      const everything = [await everyRow(guildhall), await everyEvent(guildhall)].join('\n')
      return [mark, ada.email].filter((text) => everything.includes(text))
    }
    expect(await traces()).toEqual([mark, ada.email])
    expect(await eraseAccount(guildhall.ports)(idOf(ada), timestamp(Date.parse(dueAt)))).toBe(true)
    expect(await traces()).toEqual([])
  })

  it('may be that of a bot, whose application can still be deleted', async () => {
    const owner = await guildhall.register()
    const { id } = await newApplication(guildhall, owner)
    const bot = { ...owner, id }
    const dueAt = await dueInstant(bot)
    expect(await eraseAccount(guildhall.ports)(idOf(bot), dueAt)).toBe(true)
    const { token, password } = owner
    const gone = await guildhall.request('DELETE', `/v1/oauth2/applications/${id}`, { token, body: { password } })
    expect(gone.status).toBe(204)
  })
})
