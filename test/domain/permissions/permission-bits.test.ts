import { describe, expect, it } from 'vitest'
import {
  allPermissions,
  defaultEveryonePermissions,
  definedPermissions,
  elevatedPermissions,
  newGuildEveryonePermissions,
  permissionBits,
  threadPermissions,
} from '../../../domain/permissions/permission-bits.ts'
import { namesIn, permissionNames } from './names.ts'

describe('the permission bits', () => {
  it('are one bit each, and no bit twice', () => {
    for (const bit of Object.values(permissionBits)) expect(bit & (bit - 1n)).toBe(0n)
    expect(new Set(Object.values(permissionBits)).size).toBe(permissionNames.length)
  })

  it('leave 19, 31-33, 39, 41, 42, 44-50 and 55-63 undefined', () => {
    const all = Array.from({ length: 64 }, (_, position) => position)
    const undefinedBits = all.filter((position) => (definedPermissions & (1n << BigInt(position))) === 0n)
    const ends = [55, 56, 57, 58, 59, 60, 61, 62, 63]
    expect(undefinedBits).toStrictEqual([19, 31, 32, 33, 39, 41, 42, 44, 45, 46, 47, 48, 49, 50, ...ends])
  })

  it('give everyone the default set', () => {
    expect(defaultEveryonePermissions).toBe(8_933_636_165_185n + (1n << 54n))
    expect(namesIn(defaultEveryonePermissions)).toStrictEqual(
      words(`
        CREATE_INSTANT_INVITE ADD_REACTIONS STREAM VIEW_CHANNEL SEND_MESSAGES EMBED_LINKS ATTACH_FILES
        READ_MESSAGE_HISTORY USE_EXTERNAL_EMOJIS CONNECT SPEAK USE_VAD CHANGE_NICKNAME
        USE_EXTERNAL_STICKERS CREATE_EXPRESSIONS VIEW_CHANNEL_MEMBERS
      `),
    )
  })

  it('let everyone in a new guild create threads and send in them, besides', () => {
    const added = ['CREATE_PUBLIC_THREADS', 'CREATE_PRIVATE_THREADS', 'SEND_MESSAGES_IN_THREADS']
    expect(namesIn(newGuildEveryonePermissions & ~defaultEveryonePermissions)).toStrictEqual(added)
    expect(newGuildEveryonePermissions & defaultEveryonePermissions).toBe(defaultEveryonePermissions)
  })

  it('know the thread permissions and the elevated ones', () => {
    expect(threadPermissions).toBe((1n << 34n) | (1n << 35n) | (1n << 36n) | (1n << 38n))
    expect(namesIn(elevatedPermissions)).toStrictEqual(
      words(`
        KICK_MEMBERS BAN_MEMBERS ADMINISTRATOR MANAGE_CHANNELS MANAGE_GUILD MANAGE_MESSAGES
        MANAGE_ROLES MANAGE_WEBHOOKS MANAGE_THREADS MODERATE_MEMBERS
      `),
    )
  })

  it('are 64 in full', () => {
    expect(allPermissions.toString()).toBe('18446744073709551615')
  })
})

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
