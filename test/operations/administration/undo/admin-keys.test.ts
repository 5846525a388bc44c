import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const { acts, does, newest, undo, undoes } = undoer(guildhall, admin)

const path = '/v1/admin/api-keys'
const keys = async () =>
  ((await does('GET', path)).body as readonly Readonly<Record<string, unknown>>[]).map(
    ({ last_used_at: _, ...key }) => key,
  )
async function makes(): Promise<{ readonly id: string; readonly entry: string }> {
  const made = await does('POST', path, { name: 'Key', acls: ['admin:authenticate', 'user:lookup'] })
  return { id: String(bodyOf(made)['key_id']), entry: (await newest()).entryId }
}

describe('to undo an act on an Admin key', () => {
  it('deletes a key that was made, which does not come back', async () => {
    const before = await keys()
    const { entry } = await makes()
    expect((await undoes(entry)).body).toMatchObject({ operations: ['Delete Admin key'] })
    expect(await keys()).toEqual(before)
    const { entryId: deletion } = await newest()
    expect(await undo(deletion)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('never comes back') as string },
    })
    expect(await undo(entry)).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { audit_log_id: deletion } },
    })
  })

  it('changes back the name or the ACLs, and leaves the other', async () => {
    const { id } = await makes()
    const before = await keys()
    const named = await acts('PATCH', `${path}/${id}`, { name: 'Other' })
    const limited = await acts('PATCH', `${path}/${id}`, { acls: ['admin:authenticate'] })
    await undoes(named.entryId)
    expect((await keys()).find((key) => key['key_id'] === id)).toMatchObject({
      name: 'Key',
      acls: ['admin:authenticate'],
    })
    await undoes(limited.entryId)
    expect(await keys()).toEqual(before)
    const both = await acts('PATCH', `${path}/${id}`, { name: 'Both', acls: ['admin:authenticate', 'audit_log:view'] })
    const later = await acts('PATCH', `${path}/${id}`, { name: 'Later' })
    expect(await undo(both.entryId)).toMatchObject({
      status: 409,
      body: { changed_by: { audit_log_id: later.entryId } },
    })
    await undoes(later.entryId)
    await undoes(both.entryId)
    expect(await keys()).toEqual(before)
  })

  it('is for the account that made the key', async () => {
    const { entry } = await makes()
    const other = undoer(guildhall, await administrator(guildhall, '*'))
    expect(await other.undo(entry)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('Only the account that made the key') as string },
    })
  })
})
