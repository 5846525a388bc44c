import { describe, expect, it } from 'vitest'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, found, invite } from '../../support/answers.ts'
import { directoryOf } from '../../support/discovery.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const { acts, does, undo, undoes } = undoer(guildhall, admin)

/** A guild, which brian is a member of, and how its aggregate has it. */
async function home() {
  const [ada, brian] = [await guildhall.register(), await guildhall.register()]
  const guild = await found(guildhall, ada)
  await accept(guildhall, brian, await invite(guildhall, ada, guild.channel))
  const state = async () =>
    bodyOf(await does('GET', `/v1/admin/history/streams/guild-${guild.id}`))['state'] as Readonly<
      Record<string, unknown>
    >
  return { ada, brian, id: guild.id, path: `/v1/admin/guilds/${guild.id}`, state }
}
async function isMember({ id }: { readonly id: string }, account: TestAccount): Promise<unknown> {
  const answer = await does('GET', `/v1/admin/history/streams/membership-${id}-${account.id}`)
  return (bodyOf(answer)['state'] as Readonly<Record<string, unknown>>)['status']
}

describe('to undo an act on a guild', () => {
  it('gives back its name and settings, and leaves what others changed', async () => {
    const { path, state } = await home()
    const before = await state()
    // One entry for the name, which takes back both, and one for the settings.
    const ofSettings = await acts('PATCH', path, { name: 'Other', verification_level: 2 })
    const ofName = (await auditEntries(guildhall)).findLast(({ action }) => action === 'update_name')
    const limited = await acts('PATCH', path, { disabled_operations: 16, default_message_notifications: 1 })
    const renamed = await acts('PATCH', path, { name: 'Third' })
    expect(await undo(ofName?.entryId ?? '')).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { audit_log_id: renamed.entryId } },
    })
    await undoes(renamed.entryId)
    expect(await undo(ofSettings.entryId)).toMatchObject({ status: 409, body: { reason: 'nothing_to_undo' } })
    await undoes(ofName?.entryId ?? '')
    expect(await state()).toMatchObject({
      name: before['name'],
      settings: { ...(before['settings'] as object), disabledOperations: 16, defaultMessageNotifications: 1 },
    })
    await undoes(limited.entryId)
    expect(await state()).toEqual(before)
  })

  it('gives back features, and names what came since', async () => {
    const { path, state } = await home()
    await does('PATCH', `${path}/features`, { add_features: ['VERIFIED'] })
    const before = await state()
    const changed = await acts('PATCH', `${path}/features`, {
      add_features: ['PARTNERED'],
      remove_features: ['VERIFIED'],
    })
    await does('PATCH', `${path}/features`, { add_features: ['VANITY_URL'] })
    await does('PATCH', `${path}/features`, { remove_features: ['VANITY_URL'] })
    const later = await acts('PATCH', `${path}/features`, { add_features: ['VERIFIED'] })
    expect(await undo(changed.entryId)).toMatchObject({
      status: 409,
      body: { changed_by: { audit_log_id: later.entryId } },
    })
    await undoes(later.entryId)
    await undoes(changed.entryId)
    expect((await state())['features']).toEqual(before['features'])
  })

  it('gives back what a bulk job did to one guild, by the entry of that guild', async () => {
    const { id, state } = await home()
    const before = await state()
    const queued = await acts('POST', '/v1/admin/bulk-jobs', {
      task: 'update_guild_features',
      guild_ids: [id],
      add_features: ['VERIFIED'],
    })
    const ofGuild = async () =>
      (await auditEntries(guildhall)).findLast(
        ({ action, targetId }) => action === 'update_features' && targetId === id,
      )
    await expect.poll(ofGuild).toBeDefined()
    expect(await undo(queued.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('has an entry of its own') as string },
    })
    await undoes((await ofGuild())?.entryId ?? '')
    expect((await state())['features']).toEqual(before['features'])
  })

  it('lists a guild again that lost its listing with the feature', async () => {
    const { ada, id, path } = await home()
    const directory = directoryOf(guildhall)
    bodyOf(await directory.apply(ada, id))
    const status = async () => bodyOf(await directory.status(ada, id))['application']
    const approved = await acts('PATCH', `${path}/features`, { add_features: ['DISCOVERABLE'] })
    const before = await status()
    const removed = await acts('PATCH', `${path}/features`, { remove_features: ['DISCOVERABLE'] })
    await undoes(removed.entryId)
    expect(await status()).toEqual(before)
    expect(await undo(approved.entryId)).toMatchObject({ status: 409, body: { reason: 'no_opposite' } })
  })

  it('gives the guild back to its owner, and its custom invite URL', async () => {
    const { brian, path, state } = await home()
    const before = await state()
    const owned = await acts('PUT', `${path}/owner`, { new_owner_id: brian.id })
    const first = await acts('PUT', `${path}/vanity-url`, { code: 'engine-room' })
    const second = await acts('PUT', `${path}/vanity-url`, { code: 'boiler-room' })
    const none = await acts('DELETE', `${path}/vanity-url`)
    const codeIn = async () => ((await state())['settings'] as Readonly<Record<string, unknown>>)['vanityCode']
    await undoes(none.entryId)
    expect(await codeIn()).toBe('boiler-room')
    await undoes(second.entryId)
    expect(await codeIn()).toBe('engine-room')
    await undoes(first.entryId)
    await undoes(owned.entryId)
    expect(await state()).toMatchObject({ ownerId: before['ownerId'], settings: before['settings'] })
  })

  it('takes back memberships and bans, as far as they can be', async () => {
    const guild = await home()
    const { brian, path } = guild
    const stranger = await guildhall.register()
    const added = await acts('PUT', `${path}/members/${stranger.id}`)
    await undoes(added.entryId)
    expect(await isMember(guild, stranger)).toBe('absent')
    const kicked = await acts('DELETE', `${path}/members/${brian.id}`)
    await undoes(kicked.entryId)
    expect(await isMember(guild, brian)).toBe('member')
    const banned = await acts('PUT', `${path}/bans/${stranger.id}`, {})
    await undoes(banned.entryId)
    expect(await isMember(guild, stranger)).toBe('absent')
    await does('PUT', `${path}/bans/${stranger.id}`, {})
    const unbanned = await acts('DELETE', `${path}/bans/${stranger.id}`)
    expect(await undo(unbanned.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('ban the account anew') as string },
    })
  })

  it('is refused for a deleted guild', async () => {
    const { path } = await home()
    const named = await acts('PATCH', path, { name: 'Soon gone' })
    const gone = await acts('DELETE', path)
    expect(await undo(gone.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: 'A deleted guild is gone for good.' },
    })
    expect(await undo(named.entryId)).toMatchObject({ status: 409 })
  })
})
