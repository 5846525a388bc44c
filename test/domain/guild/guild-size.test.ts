import { describe, expect, it } from 'vitest'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { guildBytes, guildBytes_max } from '../../../domain/guild/guild-size.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { channel, role } from '../../../domain/testing/people.ts'
import { change, create, created, founded, owner, second, text } from './channel-sentences.ts'

const topic = '語'.repeat(1024)
const channelWith = (number: number, more: object): GuildEvent =>
  created({ ...second, id: channel(100 + number), parentId: null, position: 100 + number, ...more })
const stateOf = (history: readonly GuildEvent[]) => {
  const state = fold(guild, history)
  if (state.status !== 'active') throw new Error('The guild is gone')
  return state
}
/** A guild with this many bytes left. */
function guildWith(left: number): readonly GuildEvent[] {
  const channels = Array.from({ length: 440 }, (_, index) => channelWith(index, { topic }))
  const rest = guildBytes_max - guildBytes(stateOf([...founded, ...channels, channelWith(440, { name: '' })]))
  return [...founded, ...channels, channelWith(440, { name: 'x'.repeat(rest - left) })]
}
const refusalOf = (history: readonly GuildEvent[], command: GuildCommand) => {
  const decision = guild.decide(stateOf(history), command)
  return decision.outcome === 'refused' ? decision.refusal : undefined
}
const tooLarge = {
  code: 'INVALID_FORM_BODY',
  fields: [field('root', 'TOO_LARGE')],
  details: { max_guild_bytes: guildBytes_max },
}
const newRole = {
  type: 'CreateRole',
  by: owner,
  roleId: role(9),
  name: 'r'.repeat(100),
  color: 0,
  permissions: null,
  roles_max: 250,
} as const

describe('the bytes of a guild', () => {
  it('are met exactly', () => {
    const here = guildWith(8)
    // Null takes four bytes, and this text as many more.
    expect(refusalOf(here, change(text.id, { topic: 'x'.repeat(10) }, owner))).toBeUndefined()
    expect(refusalOf(here, change(text.id, { topic: 'x'.repeat(11) }, owner))).toEqual(tooLarge)
    expect(refusalOf(here, change(text.id, { topic: '語'.repeat(4) }, owner))).toEqual(tooLarge)
  })

  it('bound channels and roles, and their overwrites', () => {
    const here = guildWith(40)
    expect(refusalOf(here, create({}, owner))).toEqual(tooLarge)
    expect(refusalOf(here, newRole)).toEqual(tooLarge)
    const overwrite = { id: role(1), type: 0, allow: 1024n, deny: 0n } as const
    const set = { type: 'SetOverwrite', by: owner, channelId: text.id, overwrite, undeclaredBits: 0n } as const
    expect(refusalOf(here, set)).toEqual(tooLarge)
  })

  it('let a guild from before the bound be changed so that it does not grow', () => {
    const older = [...guildWith(0), channelWith(441, { topic })]
    expect(refusalOf(older, change(channel(541), { topic: '文'.repeat(1024) }, owner))).toBeUndefined()
    expect(refusalOf(older, change(channel(541), { topic: null }, owner))).toBeUndefined()
    expect(refusalOf(older, { type: 'DeleteChannel', by: owner, channelId: channel(541) })).toBeUndefined()
    expect(refusalOf(older, change(text.id, { topic: 'longer' }, owner))).toEqual(tooLarge)
  })
})
