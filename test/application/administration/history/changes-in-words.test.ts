import { describe, expect, it } from 'vitest'
import { inWords } from '../../../../application/administration/history/changes-in-words.ts'
import type { Json } from '../../../../application/administration/history/differences.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { streamName } from '../../../../domain/streams.ts'

const guild = streamName('guild', '1')
const member = streamName('membership', '1-12')
const names = { roles: new Map([['7', 'Moderator']]), channels: new Map([['9', 'general']]) }
const mask = (...bits: readonly (keyof typeof permissionBits)[]) =>
  bits.reduce((all, bit) => all | permissionBits[bit], 0n).toString()

const said = (stream: typeof guild, path: string, before?: Json, after?: Json, leftOut = false) =>
  inWords(stream, { path, before, after, leftOut }, names)

describe('a change in words', () => {
  it.each([
    [said(guild, '/status', 'absent', 'active'), 'the guild was founded'],
    [said(guild, '/status', 'active', 'deleted'), 'the guild was deleted'],
    [said(guild, '/name', 'Engine', 'Lobby'), 'the guild was renamed from "Engine" to "Lobby"'],
    [said(guild, '/ownerId', '3', '4'), 'account 4 owns the guild instead of account 3'],
    [said(guild, '/features', ['A', 'B'], ['B', 'C']), 'the guild got C and lost A'],
    [said(guild, '/settings/afkTimeout', 300, 60), 'settings/afkTimeout changed from 300 to 60'],
    [said(guild, '/roles/7', undefined, { id: '7', name: 'Moderator' }), 'role Moderator was created'],
    [said(guild, '/roles/8', { id: '8', name: 'Guest' }, undefined), 'role Guest was deleted'],
    [
      said(guild, '/roles/7/permissions', mask('SEND_MESSAGES'), mask('SEND_MESSAGES', 'BAN_MEMBERS')),
      'role Moderator got BAN_MEMBERS',
    ],
    [
      said(guild, '/roles/7/permissions', mask('BAN_MEMBERS'), mask('KICK_MEMBERS')),
      'role Moderator got KICK_MEMBERS and lost BAN_MEMBERS',
    ],
    [said(guild, '/roles/7/color', 0, 255), 'role Moderator: color changed from 0 to 255'],
    [said(guild, '/roles/order', ['7', '8'], ['8', '7']), 'the order of roles changed'],
    [said(guild, '/channels/9/name', 'lounge', 'general'), 'channel general was renamed from "lounge" to "general"'],
    [
      said(guild, '/channels/9/overwrites/7/deny', '0', mask('VIEW_CHANNEL')),
      'channel general: for role Moderator it denies VIEW_CHANNEL',
    ],
    [
      said(guild, '/channels/9/overwrites/5', undefined, { id: '5', type: 1, allow: mask('SPEAK'), deny: '0' }),
      'channel general: an overwrite for account 5 was made, allowing SPEAK, denying nothing',
    ],
    [
      said(guild, '/channels/9/overwrites/7', { id: '7', type: 0, allow: '0', deny: '0' }, undefined),
      'channel general: the overwrite for role Moderator was deleted',
    ],
    [said(member, '/status', 'absent', 'member'), 'account 12 is a member'],
    [said(member, '/status', 'member', 'banned'), 'account 12 is banned'],
    [said(member, '/status', 'member', 'absent'), 'account 12 is no member'],
    [said(member, '/roles', [], ['7']), 'account 12 got the roles Moderator'],
    [said(member, '/nick', null, 'Countess'), 'account 12: nick changed from null to "Countess"'],
    [said(member, '/nick', null, null, true), 'account 12: nick changed (personal)'],
    [said(streamName('invite', 'AbC'), '/status', 'created', 'deleted'), 'invite AbC is deleted'],
    [said(streamName('invite', 'AbC'), '/status', 'absent', 'custom'), 'invite AbC is a custom code'],
    [said(streamName('invite', 'AbC'), '/uses', 1, 3), 'invite AbC was used 3 times instead of 1'],
    [said(streamName('invite', 'AbC'), '/redeemed', [], ['x']), 'invite AbC: the redemptions that stand changed'],
    [
      said(streamName('invite', 'AbC'), '/returned', [], ['x']),
      'invite AbC: the redemptions that were returned changed',
    ],
  ])('is: %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})
