import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import {
  defaultEveryonePermissions,
  permissionBits,
  threadPermissions,
} from '../../../../domain/permissions/permission-bits.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { threadsHeader } from '../../support/threads.ts'
import { openServer } from '../../support/scene.ts'

/** The template of Create guild: the type of each member, and the role of everyone. */

const guildhall = await openServer()
const ada = await guildhall.register()

const create = (template: object) =>
  guildhall.request('POST', '/v1/guilds', {
    token: ada.token,
    body: { name: 'Home', template: { name: 'Template', roles: [], channels: [], ...template } },
  })
type Members = Readonly<Record<string, unknown>>
/** Creates a guild, and reads it as a client that declares to know threads. */
const made = async (template: object) => {
  const { id } = bodyOf(await create(template))
  const answer = await guildhall.request('GET', `/v1/guilds/${String(id)}`, {
    token: ada.token,
    headers: threadsHeader,
  })
  const body = bodyOf(answer)
  const [roles, channels] = [body['roles'] as readonly Members[], body['channels'] as readonly Members[]]
  return { id, systemChannel: body['system_channel_id'], roles, channels }
}
const role = (more: object) => ({ roles: [{ id: 1, name: 'Crew', ...more }] })
const channel = (more: object) => ({ channels: [{ id: 1, type: 0, name: 'here', position: 0, ...more }] })
const overwrite = (more: object) =>
  channel({ permission_overwrites: [{ id: 0, type: 'role', allow: '0', deny: '0', ...more }] })

describe('a member of a template', () => {
  it('may be null if its type allows it, and then has its default', async () => {
    const voice = { id: 2, type: 2, name: null, position: 1, bitrate: null, user_limit: null }
    const guild = await made({
      description: null,
      system_channel_id: null,
      roles: [{ id: 1, name: null, unicode_emoji: null }],
      channels: [
        { id: 1, type: 0, name: null, position: 0, topic: null, parent_id: null },
        { ...voice, voice_connection_limit: null },
      ],
    })
    expect(guild.roles.find(({ id }) => id !== guild.id)).toMatchObject({ name: '', unicode_emoji: null })
    const [text, spoken] = guild.channels
    expect(text).toMatchObject({ name: '', topic: null, parent_id: null })
    expect(spoken).toMatchObject({ name: '', bitrate: 64_000, user_limit: 0, voice_connection_limit: 5 })
    expect(guild.systemChannel).toBe(text?.['id'])
  })

  it.each<readonly [string, object]>([
    ['name', { name: null }],
    ['roles', { roles: null }],
    ['channels', { channels: null }],
    ['verification_level', { verification_level: null }],
    ['verification_level', { verification_level: 'HIGH' }],
    ['default_message_notifications', { default_message_notifications: null }],
    ['default_message_notifications', { default_message_notifications: true }],
    ['explicit_content_filter', { explicit_content_filter: null }],
    ['explicit_content_filter', { explicit_content_filter: [] }],
    ['afk_timeout', { afk_timeout: null }],
    ['system_channel_flags', { system_channel_flags: null }],
    ['roles.0.id', role({ id: null })],
    ['roles.0.id', role({ id: 1.5 })],
    ['roles.0.permissions', role({ permissions: null })],
    ['roles.0.permissions_new', role({ permissions_new: null })],
    ['roles.0.color', role({ color: null })],
    ['roles.0.hoist', role({ hoist: null })],
    ['roles.0.mentionable', role({ mentionable: null })],
    ['channels.0.type', channel({ type: '0' })],
    ['channels.0.position', channel({ position: null })],
    ['channels.0.nsfw', channel({ nsfw: null })],
    ['channels.0.rate_limit_per_user', channel({ rate_limit_per_user: null })],
    ['channels.0.permission_overwrites', channel({ permission_overwrites: null })],
    ['channels.0.permission_overwrites.0.id', overwrite({ id: null })],
    ['channels.0.permission_overwrites.0.type', overwrite({ type: null })],
    ['channels.0.permission_overwrites.0.allow', overwrite({ allow: undefined })],
    ['channels.0.permission_overwrites.0.deny', overwrite({ deny: null })],
  ])('is refused if it has another type: %s in %j', async (path, template) => {
    expectFields(await create(template), field(`template.${path}`, 'INVALID_FORMAT'))
  })

  it.each<readonly [string, object]>([
    ['below 0', role({ permissions: -1 })],
    ['empty', role({ permissions: '' })],
    ['hexadecimal', role({ permissions_new: '0x8' })],
    ['of an entry that is not applied', overwrite({ id: 77, type: 'member', allow: 'all' })],
    ['of a channel that is skipped', { channels: [{ ...overwrite({ deny: 'all' }).channels[0], type: 15 }] }],
  ])('is a mask that rejects the template: %s', async (_, template) => {
    expectRefusal(await create(template), 400, 'GUILD_TEMPLATE_INVALID')
  })

  it('keeps an empty text as it was sent, not as null', async () => {
    const { channels } = await made(channel({ topic: '' }))
    expect(channels).toMatchObject([{ name: 'here', topic: '' }])
  })
})

describe('everyone’s role', () => {
  const { SEND_MESSAGES, VIEW_CHANNEL, MANAGE_THREADS, CREATE_PUBLIC_THREADS } = permissionBits
  const gained = threadPermissions & ~MANAGE_THREADS
  const mask = async (permissions: bigint) => {
    const { id, roles } = await made({ roles: [{ id: 0, permissions: permissions.toString() }] })
    return BigInt(String(roles.find((one) => one['id'] === id)?.['permissions']))
  }

  it('gains the thread bits if it may send messages and mentions no thread bits', async () => {
    expect(await mask(SEND_MESSAGES)).toBe(SEND_MESSAGES | gained)
    expect(await mask(0n)).toBe(defaultEveryonePermissions | gained)
    const untouched = [VIEW_CHANNEL, SEND_MESSAGES | CREATE_PUBLIC_THREADS, SEND_MESSAGES | MANAGE_THREADS]
    for (const sent of untouched) expect(await mask(sent)).toBe(sent)
  })

  it('has the defined bits of the role named @everyone, and nothing else of it', async () => {
    const named = { name: '@everyone', permissions: (VIEW_CHANNEL | (1n << 70n)).toString(), unicode_emoji: '🌱' }
    const { id, roles } = await made({
      roles: [
        { id: 0, name: 'Zero', permissions: 8 },
        { id: 5, hoist: true, ...named },
      ],
    })
    expect(roles.find((one) => one['id'] === id)).toMatchObject({
      name: '@everyone',
      permissions: VIEW_CHANNEL.toString(),
      unicode_emoji: null,
      position: 0,
    })
    expect(roles.find(({ name }) => name === 'Zero')).toMatchObject({ position: 1, permissions: '8' })
  })
})
