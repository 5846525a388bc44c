import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, found } from '../../support/answers.ts'
import { chess, directoryOf } from '../../support/discovery.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const other = undoer(guildhall, await administrator(guildhall, '*'))
const { acts, does, newest, undo, undoes } = undoer(guildhall, admin)
const directory = directoryOf(guildhall)
const base = '/v1/admin/discovery'

/** A guild that has applied; gives its id, and how its owner sees the application. */
async function applied() {
  const owner = await guildhall.register()
  const { id } = await found(guildhall, owner)
  expect(bodyOf(await directory.apply(owner, id, { ...chess, custom_tags: ['chess'] }))).toMatchObject({
    status: 'pending',
  })
  const status = async () =>
    bodyOf(await directory.status(owner, id))['application'] as Readonly<Record<string, unknown>>
  return { id, status }
}
async function listed() {
  const guild = await applied()
  await does('PATCH', `${base}/applications/${guild.id}`, { status: 'approved' })
  return guild
}

describe('to undo an act on the directory', () => {
  it('gives back what a listing said, member by member', async () => {
    const { id, status } = await listed()
    const before = await status()
    const edited = await acts('PATCH', `${base}/listings/${id}`, {
      description: 'Another description',
      custom_tags: ['go', 'shogi'],
      primary_language: 'de',
    })
    const moved = await acts('PATCH', `${base}/listings/${id}`, { category_type: 3 })
    await undoes(edited.entryId)
    expect(await status()).toEqual({ ...before, category_type: 3 })
    await undoes(moved.entryId)
    expect(await status()).toEqual(before)
    const again = await acts('PATCH', `${base}/listings/${id}`, { description: 'Once more edited' })
    const removed = await acts('DELETE', `${base}/listings/${id}`, { reason: 'Spam' })
    expect(await undo(again.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { audit_log_id: removed.entryId } },
    })
    await undoes(removed.entryId)
    await undoes(again.entryId)
    expect(await status()).toEqual(before)
  })

  it('lists a removed guild again, as it was, and removes it again for the same reason', async () => {
    const { id, status } = await listed()
    const before = await status()
    const removed = await acts('DELETE', `${base}/listings/${id}`, { reason: 'Spam' })
    expect((await undoes(removed.entryId)).body).toMatchObject({ operations: ['Restore discovery listing'] })
    expect(await status()).toEqual(before)
    const restored = await newest()
    expect(restored).toMatchObject({
      action: 'restore_discovery_listing',
      targetId: id,
      metadata: { undone_entry_id: removed.entryId },
    })
    await undoes(restored.entryId)
    expect(await status()).toMatchObject({ status: 'removed', removal_reason: 'Spam' })
  })

  it('moves each guild back to its own category', async () => {
    const guilds = [await listed(), await listed(), await applied()]
    const [first] = guilds
    await does('PATCH', `${base}/listings/${first?.id}`, { category_type: 5 })
    const states = () => Promise.all(guilds.map(async ({ status }) => status()))
    const before = await states()
    const { entryId } = await acts('PATCH', `${base}/listings`, {
      guild_ids: guilds.map(({ id }) => id),
      category_type: 8,
    })
    await does('PATCH', `${base}/listings/${first?.id}`, { category_type: 5 })
    await undoes(entryId)
    expect(await states()).toEqual(before)
    expect(await undo(entryId)).toMatchObject({ status: 409, body: { reason: 'changed_since' } })
  })

  it('cannot take back a decision, and says what can be done instead', async () => {
    const one = await applied()
    const approved = await acts('PATCH', `${base}/applications/${one.id}`, { status: 'approved' })
    expect(await undo(approved.entryId)).toMatchObject({
      status: 409,
      body: { why: expect.stringContaining('removed from the directory') as string },
    })
    const two = await applied()
    const rejected = await acts('PATCH', `${base}/applications/${two.id}`, { status: 'rejected', reason: 'No' })
    expect(await undo(rejected.entryId)).toMatchObject({
      status: 409,
      body: { why: expect.stringContaining('apply anew') as string },
    })
  })

  it('releases a claim of an application while it runs, for who made it', async () => {
    const { id } = await applied()
    const claimed = await acts('PUT', `${base}/applications/${id}/claim`)
    expect(await other.undo(claimed.entryId)).toMatchObject({ status: 409, body: { reason: 'no_opposite' } })
    await undoes(claimed.entryId)
    expect(await undo(claimed.entryId)).toMatchObject({ status: 409, body: { reason: 'nothing_to_undo' } })
    expect(bodyOf(await other.does('PUT', `${base}/applications/${id}/claim`))).toMatchObject({ is_own: true })
    const released = await other.acts('DELETE', `${base}/applications/${id}/claim`)
    expect(await other.undo(released.entryId)).toMatchObject({ status: 409, body: { reason: 'no_opposite' } })
  })
})
