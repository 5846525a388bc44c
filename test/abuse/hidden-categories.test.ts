import { describe, expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { expectRefusal } from '../operations/support/answers.ts'
import { channelRequests, withThreads } from '../operations/support/channel-requests.ts'
import { openScene } from '../operations/support/scene.ts'

/**
 * A category is visible if any channel in it is. So a member who could put a channel below a hidden category would make
 * it visible to themselves. Brian manages channels and roles, and cannot see what Ada hides.
 */

const scene = await openScene()
const { ada, brian, home } = scene
const { allow, change, list, made, make, path, read, remove, send } = channelRequests(() => scene)
await allow('MANAGE_CHANNELS', 'MANAGE_ROLES')
const permission_overwrites = [{ id: home.id, type: 0, deny: permissionBits.VIEW_CHANNEL.toString() }]
const secret = await made({ name: 'secret', type: 4, permission_overwrites })
const plans = await made({ name: 'plans', type: 0, parent_id: secret, permission_overwrites })
const open = await made({ name: 'open', type: 4 })
const talk = await made({ name: 'talk', type: 0, parent_id: open })
const root = await made({ name: 'root', type: 0 })

const reorder = (moves: readonly object[]) => send(brian, 'PATCH', path(), moves, withThreads)
const everything = () => list(ada, withThreads)

/** Every way to put a channel of one's own below another member's category. */
const ways: readonly (readonly [string, () => ReturnType<typeof reorder>])[] = [
  ['Create channel', () => make(brian, { name: 'foot-in-the-door', type: 0, parent_id: secret })],
  [
    'Create channel, with overwrites',
    () => make(brian, { name: 'own', type: 0, parent_id: secret, permission_overwrites: [] }),
  ],
  ['Modify channel', () => change(brian, root, { parent_id: secret })],
  ['Modify channel, with a parent that is no category', () => change(brian, root, { parent_id: plans })],
  ['Reorder channels', () => reorder([{ id: root, parent_id: secret }])],
  ['Reorder channels, with a lock', () => reorder([{ id: root, parent_id: secret, lock_permissions: true }])],
  [
    'Reorder channels, behind another',
    () =>
      reorder([
        { id: talk, position: 0 },
        { id: root, parent_id: secret },
      ]),
  ],
  ['Reorder channels, behind a hidden one', () => reorder([{ id: root, preceding_sibling_id: secret }])],
  ['Reorder channels, moving a hidden one out', () => reorder([{ id: plans, parent_id: null }])],
  ['Reorder channels, moving a hidden one elsewhere', () => reorder([{ id: plans, parent_id: open }])],
  ['Reorder channels, moving the hidden category', () => reorder([{ id: secret, position: 0 }])],
]

describe('a category that is hidden from a member with MANAGE_CHANNELS', () => {
  it.each(ways)('is not shown by %s: 403 MISSING_PERMISSIONS, and nothing is changed', async (_, attempt) => {
    const before = await everything()
    expectRefusal(await attempt(), 403, 'MISSING_PERMISSIONS')
    expect(await everything()).toStrictEqual(before)
    for (const id of [secret, plans]) {
      expectRefusal(await read(brian, id, withThreads), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await change(brian, id, { name: 'mine' }), 403, 'MISSING_PERMISSIONS')
      expectRefusal(await remove(brian, id), 403, 'MISSING_PERMISSIONS')
    }
  })
  it('does not prevent the member from moving visible channels', async () => {
    expect(
      (
        await reorder([
          { id: root, parent_id: open },
          { id: root, parent_id: null },
        ])
      ).status,
    ).toBe(204)
    expect((await make(brian, { name: 'below', type: 0, parent_id: open })).status).toBe(200)
    expect((await change(brian, talk, { parent_id: open, name: 'talk' })).status).toBe(200)
  })
})
