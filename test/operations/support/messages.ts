import type { GuildSettings } from '../../../domain/guild/state.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, type TestGuild } from './answers.ts'

interface Author {
  readonly token: string
}

export const messagesPath = (channel: string, message?: string): string =>
  `/v1/channels/${channel}/messages${message === undefined ? '' : `/${message}`}`

/** Sends a text, or a whole body. */
export function send(
  { request }: TestGuildhall,
  { token }: Author,
  channel: string,
  message: string | object,
): Promise<TestAnswer> {
  return request('POST', messagesPath(channel), {
    token,
    body: typeof message === 'string' ? { content: message } : message,
  })
}

/** The same, but returns the message's id. */
export async function sent(
  guildhall: TestGuildhall,
  author: Author,
  channel: string,
  message: string | object,
): Promise<string> {
  return String(bodyOf(await send(guildhall, author, channel, message))['id'])
}

/** Changes settings of a guild, bypassing requests. */
export async function settle(
  { ports }: TestGuildhall,
  { id }: Pick<TestGuild, 'id'>,
  settings: Partial<GuildSettings>,
): Promise<void> {
  const context = testContext()
  await ports.aggregates.guild.execute(guildId(snowflake(id)), { type: 'ChangeSettings', settings }, context)
  await ports.readModels.reached(context.written)
}

export const mask = (...names: readonly PermissionName[]): string =>
  names.reduce((bits, name) => bits | permissionBits[name], 0n).toString()

/** Allows and denies everyone permissions in a channel of a guild. */
export async function letEveryone(
  { request }: TestGuildhall,
  { token }: Author,
  { id }: Pick<TestGuild, 'id'>,
  channel: string,
  { allow = [], deny = [] }: { readonly allow?: readonly PermissionName[]; readonly deny?: readonly PermissionName[] },
): Promise<void> {
  const body = { type: 0, allow: mask(...allow), deny: mask(...deny) }
  const { status } = await request('PUT', `/v1/channels/${channel}/permissions/${id}`, { token, body })
  if (status >= 300) throw new Error(`The overwrite was answered with ${status}`)
}
