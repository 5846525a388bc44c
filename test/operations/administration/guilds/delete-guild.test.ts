import { afterAll, describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { administrator } from '../../../support/administrators.ts'
import type { DryRunObject } from '../../../../application/wire-objects/administration/dry-run-object.ts'
import { bodyOf, expectRefusal, found } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { patchConfig } from '../../support/instance-config.ts'
import { newCode } from '../../support/custom-codes.ts'
import { setFeatures } from '../../support/guilds.ts'
import { openScene, openServer } from '../../support/scene.ts'
import { guildChangesOn, unknownGuild } from './support.ts'

const { guildhall, ada, brian, home } = await openScene()
const { root, change, lastEntry } = await guildChangesOn(guildhall)
const single = await openServer({ policy: { ...freshPolicy, setup: { configured: false } } })
const { connect, end } = connections()
afterAll(end)

const read = (id: string) => guildhall.request('GET', `/v1/guilds/${id}`, { token: ada.token })

describe('Delete Admin guild', () => {
  it('says what it would do in a dry run, and leaves the guild', async () => {
    const { events } = (await change('DELETE', `${home.id}?dry_run=true`)).body as DryRunObject
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['GuildDeleted', 'AdminActionRecorded']))
    expect((await read(home.id)).status).toBe(200)
  })
  it('deletes a guild whoever owns it, tells its members, frees its code, and keeps the reason', async () => {
    const code = newCode()
    bodyOf(await change('PUT', `${home.id}/vanity-url`, { code }))
    const { client } = await connect(guildhall, brian)
    const answer = await change('DELETE', home.id, undefined, { ...root, reason: 'a raid' })
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect((await client.dispatch('GUILD_DELETE')).d).toMatchObject({ id: home.id })
    expectRefusal(await read(home.id), 404, 'UNKNOWN_GUILD')
    expect(await lastEntry()).toMatchObject({
      action: 'delete_guild',
      targetType: 'guild',
      targetId: home.id,
      metadata: { name: 'Home', owner_user_id: ada.id },
      reason: 'a raid',
    })
    expectRefusal(await change('DELETE', home.id), 404, 'UNKNOWN_GUILD')
    const other = await found(guildhall, ada)
    await expect.poll(async () => (await change('PUT', `${other.id}/vanity-url`, { code })).status).toBe(200)
  })
  it('deletes a guild that is closed to its own owner', async () => {
    const { id } = await found(guildhall, ada)
    await setFeatures(guildhall, id, 'UNAVAILABLE_FOR_EVERYONE')
    expect((await change('DELETE', id)).status).toBe(204)
    expectRefusal(await read(id), 404, 'UNKNOWN_GUILD')
  })
  it('refuses unknown guilds, callers without the ACL, and the single community of the instance', async () => {
    expectRefusal(await change('DELETE', unknownGuild), 404, 'UNKNOWN_GUILD')
    const { id } = await found(guildhall, ada)
    const narrow = await administrator(guildhall, 'admin:authenticate', 'guild:update:settings')
    expectRefusal(await change('DELETE', id, undefined, narrow), 403, 'MISSING_ACL')
    const there = await guildChangesOn(single)
    const patch = patchConfig(single, there.root.token)
    const { policy } = bodyOf(await patch({ policy: { single_community_enabled: true } }))
    const { single_community_guild_id: community } = policy as { readonly single_community_guild_id: string }
    expectRefusal(await there.change('DELETE', community), 400, 'SINGLE_COMMUNITY_CANNOT_DELETE')
  })
})
