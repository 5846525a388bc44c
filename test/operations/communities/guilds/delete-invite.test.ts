import { afterAll, describe, expect, it } from 'vitest'
import { backupCode, protect } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { expectRefusal, invite, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { setFeatures } from '../../support/custom-codes.ts'
import { placeOf } from '../../support/members.ts'
import { circle, openDirect, openGroup } from '../../conversations/private-channels/support.ts'
import { openServer } from '../../support/scene.ts'

const { connect, end } = connections()

const guildhall = await openServer()
const [ada, stranger] = [await guildhall.register(), await guildhall.register()]
afterAll(end)

const remove = ({ token }: TestAccount, code: string, headers = {}) =>
  guildhall.request('DELETE', `/v1/invites/${encodeURIComponent(code)}`, { token, headers })

describe('Delete invite', () => {
  it('is for the creator, and for holders of MANAGE_GUILD', async () => {
    const place = await placeOf(guildhall, ada)
    const member = await place.member()
    const manager = await place.holder('MANAGE_GUILD')
    const own = await invite(guildhall, member, place.channel)
    const adas = await invite(guildhall, ada, place.channel)
    expectRefusal(await remove(member, adas), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(stranger, adas), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guildhall.request('DELETE', `/v1/invites/${adas}`), 401, 'UNAUTHORIZED')
    expect(await remove(member, own)).toMatchObject({ status: 204, body: undefined })
    expect((await remove(manager, ` \u202e${adas}\f`)).status).toBe(204)
    for (const gone of [own, adas, 'nobodys1']) expectRefusal(await remove(ada, gone), 404, 'UNKNOWN_INVITE')
  })

  it('refuses a creator who is no longer a member', async () => {
    const place = await placeOf(guildhall, ada)
    const member = await place.member()
    const own = await invite(guildhall, member, place.channel)
    await guildhall.request('DELETE', `/v1/users/@me/guilds/${place.id}`, { token: member.token })
    expectRefusal(await remove(member, own), 403, 'MISSING_PERMISSIONS')
  })

  it('requires a second factor of all except the creator while the guild is ELEVATED', async () => {
    const owner = await protect(guildhall, await guildhall.register())
    const place = await placeOf(guildhall, owner)
    const manager = await place.holder('MANAGE_GUILD')
    const [own, owners] = [
      await invite(guildhall, manager, place.channel),
      await invite(guildhall, owner, place.channel),
    ]
    const proof = { mfa_method: 'totp', mfa_code: backupCode(owner, 0) }
    expect((await place.send(owner, 'PATCH', '', { mfa_level: 1, ...proof })).status).toBe(200)
    expectRefusal(await remove(manager, owners), 400, 'TWO_FACTOR_REQUIRED')
    expect((await remove(manager, own)).status).toBe(204)
    expect((await remove(owner, owners)).status).toBe(204)
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE')
  })

  it('refuses with MISSING_ACCESS in an unavailable guild', async () => {
    const place = await placeOf(guildhall, ada)
    const code = await invite(guildhall, ada, place.channel)
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await remove(ada, code), 403, 'MISSING_ACCESS')
  })

  it('records INVITE_DELETE with the removed record and the reason, and tells holders of MANAGE_CHANNELS', async () => {
    const place = await placeOf(guildhall, ada)
    const watcher = await place.holder('VIEW_AUDIT_LOG')
    const [{ client: adas }, { client: theirs }] = [await connect(guildhall, ada), await connect(guildhall, watcher)]
    const code = await invite(guildhall, ada, place.channel, { max_uses: 3, max_age: 60, temporary: true })
    await adas.dispatch('INVITE_CREATE')
    await theirs.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')
    await remove(ada, code, { 'X-Audit-Log-Reason': 'No more' })
    const gone = { code, channel_id: place.channel, guild_id: place.id }
    expect((await adas.dispatch('INVITE_DELETE')).d).toStrictEqual(gone)
    const options = { channel_id: place.channel, inviter_id: ada.id, max_age: 60, max_uses: 3, temporary: true }
    const entry = { action_type: 42, user_id: ada.id, target_id: code, reason: 'No more', options }
    expect((await theirs.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d).toMatchObject(entry)
    const [recorded] = await place.entries(42)
    expect(recorded).toMatchObject(entry)
    const removed: readonly unknown[] = [
      { key: 'code', old_value: code },
      { key: 'uses', old_value: 0 },
      { key: 'guild_id', old_value: place.id },
    ]
    for (const change of removed) expect(recorded?.['changes']).toContainEqual(expect.objectContaining(change))
  })
})

describe('Delete invite of a group', () => {
  it('is for its owner, and is announced to every recipient', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const group = await openGroup(guildhall, owner, one)
    const code = await invite(guildhall, one, group)
    const clients = [(await connect(guildhall, owner)).client, (await connect(guildhall, one)).client]
    expectRefusal(await remove(stranger, code), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await remove(one, code), 403, 'MISSING_PERMISSIONS')
    expect(await remove(owner, code)).toMatchObject({ status: 204, body: undefined })
    for (const client of clients)
      expect((await client.dispatch('INVITE_DELETE')).d).toStrictEqual({ code, channel_id: group })
    expectRefusal(await remove(owner, code), 404, 'UNKNOWN_INVITE')
    const list = await guildhall.request('GET', `/v1/channels/${group}/invites`, { token: owner.token })
    expect(listOf(list)).toStrictEqual([])
  })

  it('is for nobody in a direct message, which has no owner', async () => {
    const [owner, one] = await circle(guildhall, 1)
    const code = await invite(guildhall, owner, await openDirect(guildhall, owner, one))
    expectRefusal(await remove(owner, code), 403, 'MISSING_PERMISSIONS')
  })
})
