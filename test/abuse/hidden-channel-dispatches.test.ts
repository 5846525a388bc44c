import { afterAll, expect, it } from 'vitest'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { bodyOf, invite } from '../operations/support/answers.ts'
import { channelRequests, withThreads } from '../operations/support/channel-requests.ts'
import { connections } from '../operations/support/connected.ts'
import { openScene } from '../operations/support/scene.ts'

/** Only sessions that can view a channel are told of its changes, whatever other permissions they have. */

const scene = await openScene()
const { guildhall, ada, brian, home } = scene
const { allow, change, made, path, remove, send } = channelRequests(() => scene)
const { connect, end } = connections()
afterAll(end)

it('a member who manages channels and invites hears nothing of a channel that is hidden from them', async () => {
  await allow('MANAGE_CHANNELS', 'MANAGE_GUILD', 'MANAGE_ROLES', 'VIEW_AUDIT_LOG')
  const deny = permissionBits.VIEW_CHANNEL.toString()
  const permission_overwrites = [{ id: home.id, type: 0, deny }]
  const { client } = await connect(guildhall, brian, { capabilities: ['channel_threads'] })
  const category = await made({ name: 'secret', type: 4, permission_overwrites })
  const channel = await made({ name: 'plans', type: 0, parent_id: category, permission_overwrites })
  const code = await invite(guildhall, ada, channel)
  bodyOf(await change(ada, channel, { topic: 'Plans' }))
  await send(ada, 'PUT', `/v1/channels/${channel}/permissions/${ada.id}`, { type: 1, allow: '1' })
  await send(ada, 'PATCH', path(), [{ id: channel, parent_id: null }])
  bodyOf(await send(ada, 'POST', `/v1/channels/${channel}/messages`, { content: 'hello' }))
  const thread = { name: 'thread', type: 11 }
  bodyOf(await send(ada, 'POST', `/v1/channels/${channel}/threads`, thread, withThreads))
  await send(ada, 'DELETE', `/v1/invites/${code}`)
  await remove(ada, channel)
  await remove(ada, category)
  const { id } = bodyOf(await send(ada, 'POST', `/v1/channels/${home.channel}/messages`, { content: 'mark' }))
  const heard = await client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === id, 'the mark')
  const told = heard
    .filter(({ t }) => t !== 'GUILD_AUDIT_LOG_ENTRY_CREATE')
    .map(({ t, d }) => `${t} ${JSON.stringify(d)}`)
  for (const secret of [category, channel, code]) expect(told.filter((text) => text.includes(secret))).toStrictEqual([])
})

it('INVITE_CREATE goes to members who manage the channel and can view it', async () => {
  const { client } = await connect(guildhall, brian)
  const code = await invite(guildhall, ada, home.channel)
  const told = await client.dispatch('INVITE_CREATE')
  expect(told.d).toMatchObject({ code, channel: { id: home.channel } })
})
