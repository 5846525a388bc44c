import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, type TestGuild } from './answers.ts'
import { stillImage } from './pictures.ts'

type Kind = 'emojis' | 'stickers'

/** The operations on emojis or stickers of guilds. */
export function expressionsOf({ request }: Pick<TestGuildhall, 'request'>, kind: Kind) {
  const path = (guild: string, more = ''): string => `/v1/guilds/${guild}/${kind}${more}`
  return {
    list: ({ token }: TestAccount, guild: string): Promise<TestAnswer> => request('GET', path(guild), { token }),
    create: ({ token }: TestAccount, guild: string, body: unknown): Promise<TestAnswer> =>
      request('POST', path(guild), { token, body }),
    several: ({ token }: TestAccount, guild: string, wanted: readonly unknown[]): Promise<TestAnswer> =>
      request('POST', path(guild, '/bulk'), { token, body: { [kind]: wanted } }),
    clone: ({ token }: TestAccount, guild: string, body: unknown): Promise<TestAnswer> =>
      request('POST', path(guild, '/clone'), { token, body }),
    change: ({ token }: TestAccount, guild: string, id: string, body: unknown, headers = {}): Promise<TestAnswer> =>
      request('PATCH', path(guild, `/${id}`), { token, body, headers }),
    remove: ({ token }: TestAccount, guild: string, id: string, query = ''): Promise<TestAnswer> =>
      request('DELETE', path(guild, `/${id}${query}`), { token }),
    metadata: ({ token }: TestAccount, id: string): Promise<TestAnswer> =>
      request('GET', `/v1/${kind}/${id}/metadata`, { token }),
  }
}

/** Makes an emoji and gives its id. */
export async function madeEmoji(
  guildhall: TestGuildhall,
  account: TestAccount,
  guild: string,
  body: object = {},
): Promise<string> {
  const wanted = { name: 'wave', image: await stillImage(), ...body }
  return String(bodyOf(await expressionsOf(guildhall, 'emojis').create(account, guild, wanted))['id'])
}

/** Makes a sticker and gives its id. */
export async function madeSticker(
  guildhall: TestGuildhall,
  account: TestAccount,
  guild: string,
  body: object = {},
): Promise<string> {
  const wanted = { name: 'Tower', image: await stillImage(), ...body }
  return String(bodyOf(await expressionsOf(guildhall, 'stickers').create(account, guild, wanted))['id'])
}

/** Gives everyone in a guild exactly these permissions besides those to see and write. */
export async function everyoneMay(
  { request }: TestGuildhall,
  { token }: TestAccount,
  { id }: Pick<TestGuild, 'id'>,
  ...names: readonly PermissionName[]
): Promise<void> {
  const held = [...names, 'VIEW_CHANNEL', 'SEND_MESSAGES', 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS'] as const
  const permissions = held.reduce((bits, name) => bits | permissionBits[name], 0n).toString()
  const { status } = await request('PATCH', `/v1/guilds/${id}/roles/${id}`, { token, body: { permissions } })
  if (status !== 200) throw new Error(`The role was answered with ${status}`)
}
