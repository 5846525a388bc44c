import { beforeAll, describe, it } from 'vitest'
import { channelTypes } from '../../domain/guild/channel.ts'
import { permissionBits } from '../../domain/permissions/permission-bits.ts'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { openScene } from '../operations/support/scene.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** An invite to a channel that the caller cannot view, to a thread, to a forum. */

const channels = new Map<string, string>()
const declaring = { 'x-service-features': 'channel_threads' }

const send = ({ token }: TestAccount, method: string, path: string, body: unknown, headers = {}) =>
  scene.guildhall.request(method, path, { token, headers, body })

const scene = await openScene()
beforeAll(async () => {
  const { ada, home } = scene
  const deny = permissionBits.VIEW_CHANNEL.toString()
  const make = async (name: string, type: number, hidden = false) => {
    const overwrites = hidden ? { permission_overwrites: [{ id: home.id, type: 0, deny }] } : {}
    const path = `/v1/guilds/${home.id}/channels`
    channels.set(name, String(bodyOf(await send(ada, 'POST', path, { name, type, ...overwrites }, declaring))['id']))
  }
  await make('text', channelTypes.text)
  await make('hidden', channelTypes.text, true)
  await make('forum', channelTypes.forum)
  await make('media', channelTypes.media)
  await make('hidden forum', channelTypes.forum, true)
  await make('adults', channelTypes.text)
  await send(ada, 'PATCH', `/v1/channels/${channels.get('adults') ?? ''}`, { nsfw: true })
  const thread = async (name: string, parent: string, type: number) => {
    const path = `/v1/channels/${channels.get(parent) ?? ''}/threads`
    channels.set(name, String(bodyOf(await send(ada, 'POST', path, { name, type }, declaring))['id']))
  }
  await thread('thread', 'text', 11)
  await thread('hidden thread', 'hidden', 11)
  await thread('private thread', 'text', 12)
  channels.set('nowhere', '1')
})

type Expected = readonly [channel: string, who: 'brian' | 'carol', declares: boolean, status: number, code: string]

const expected: readonly Expected[] = [
  ['nowhere', 'brian', true, 404, 'UNKNOWN_CHANNEL'],
  ['text', 'carol', true, 403, 'MISSING_PERMISSIONS'],
  ['hidden', 'carol', true, 403, 'MISSING_PERMISSIONS'],
  ['hidden', 'brian', true, 403, 'MISSING_ACCESS'],
  ['forum', 'brian', true, 400, 'INVALID_CHANNEL_TYPE'],
  ['media', 'brian', true, 400, 'INVALID_CHANNEL_TYPE'],
  ['forum', 'brian', false, 404, 'UNKNOWN_CHANNEL'],
  ['hidden forum', 'brian', true, 403, 'MISSING_ACCESS'],
  ['hidden forum', 'brian', false, 404, 'UNKNOWN_CHANNEL'],
  ['thread', 'brian', true, 400, 'INVALID_CHANNEL_TYPE'],
  ['thread', 'brian', false, 404, 'UNKNOWN_CHANNEL'],
  ['hidden thread', 'brian', true, 403, 'MISSING_ACCESS'],
  ['hidden thread', 'brian', false, 404, 'UNKNOWN_CHANNEL'],
  ['private thread', 'brian', true, 403, 'MISSING_ACCESS'],
]

describe('Create channel invite', () => {
  it.each(expected)(
    'to %s by %s, declaring threads: %s, is refused with %i %s',
    async (name, who, declares, status, code) => {
      const path = `/v1/channels/${channels.get(name) ?? ''}/invites`
      expectRefusal(await send(scene[who], 'POST', path, {}, declares ? declaring : {}), status, code)
    },
  )
})
