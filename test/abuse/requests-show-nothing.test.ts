import fc from 'fast-check'
import { expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { channelRequests, withThreads } from '../operations/support/channel-requests.ts'
import { openScene } from '../operations/support/scene.ts'

/**
 * Brian manages channels and roles. Whatever he requests, afterwards he sees what he saw before, and what he created.
 */

const scene = await openScene()
const { ada, brian, home } = scene
const { allow, change, list, made, make, path, send } = channelRequests(() => scene)
await allow('MANAGE_CHANNELS', 'MANAGE_ROLES')
const permission_overwrites = [{ id: home.id, type: 0, deny: permissionBits.VIEW_CHANNEL.toString() }]
const secret = await made({ name: 'secret', type: 4, permission_overwrites })
const plans = await made({ name: 'plans', type: 0, parent_id: secret, permission_overwrites })
const open = await made({ name: 'open', type: 4 })
const talk = await made({ name: 'talk', type: 0, parent_id: open })
const root = await made({ name: 'root', type: 0 })

const ids = fc.constantFrom(secret, secret, plans, open, talk, root)
const placed = fc.option(fc.option(ids), { nil: undefined })
const shown = permissionBits.VIEW_CHANNEL.toString()
/** The requests, by the name of the operation. */
const requests = fc.oneof(
  fc
    .record({ parent_id: placed, type: fc.constantFrom(0, 2, 4, 15) })
    .map((body) => ({ name: 'Create channel', body, ask: () => make(brian, { name: 'made', ...body }, withThreads) })),
  fc
    .record({ id: ids, parent_id: placed })
    .map(({ id, ...body }) => ({ name: 'Modify channel', body, ask: () => change(brian, id, body, withThreads) })),
  fc
    .record({ id: ids, parent_id: placed, preceding_sibling_id: placed, lock_permissions: fc.boolean() })
    .map((body) => ({ name: 'Reorder channels', body, ask: () => send(brian, 'PATCH', path(), [body], withThreads) })),
  ids.map((id) => {
    const body = { type: 1, allow: shown }
    const target = `/v1/channels/${id}/permissions/${brian.id}`
    return { name: 'Set channel permission overwrite', body, ask: () => send(brian, 'PUT', target, body) }
  }),
)

it('no request makes anything visible to its sender that was hidden before', async () => {
  const seen = async (account = brian) => (await list(account, withThreads)).map(({ id }) => id)
  for (const { name, body, ask } of fc.sample(requests, { numRuns: 40, seed: 11 })) {
    const [there, before] = [new Set(await seen(ada)), await seen()]
    const { status } = await ask()
    const gained = (await seen()).filter((id) => there.has(id) && !before.includes(id))
    expect(gained, `${name} ${JSON.stringify(body)}: ${status}`).toStrictEqual([])
  }
})
