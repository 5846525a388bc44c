import { describe, expect, it } from 'vitest'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, everyone, grace, home, role } from '../../../domain/testing/people.ts'
import {
  manager,
  owner,
  stranger,
  founded,
  strict,
  deleted,
  create,
  change,
  reorder,
  hoist,
  remove,
  made,
  changed,
  roleAt,
  all,
  KICK_MEMBERS,
  BAN_MEMBERS,
  VIEW_CHANNEL,
  MANAGE_THREADS,
} from './role-sentences.ts'

describe('every write of roles', () => {
  const writes = [create(stranger), change(role(3), {}, stranger), reorder([], stranger), hoist('none', stranger)]
  it.each([...writes, remove(role(3), stranger)])('needs MANAGE_ROLES: $type', (command) => {
    given(guild, founded).when(command).refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, deleted])
      .when(command)
      .refuses('UNKNOWN_GUILD')
  })

  it('needs the second factor if the guild demands it, after the permission itself; the owner needs none', () => {
    const events = [...founded, strict]
    given(guild, events)
      .when(remove(role(3)))
      .refuses('TWO_FACTOR_REQUIRED')
    given(guild, events)
      .when(remove(role(99)))
      .refuses('TWO_FACTOR_REQUIRED')
    given(guild, events)
      .when(remove(role(3), stranger))
      .refuses('MISSING_PERMISSIONS')
    given(guild, events)
      .when(change(role(1), { details: { name: 'Engine' } }, owner))
      .then(changed(role(1), {}, {}))
    given(guild, events)
      .when(create({ ...manager, hasAuthenticator: true }))
      .then(made(VIEW_CHANNEL))
  })
})

describe('creating a role', () => {
  it('puts it at position 1 with a copy of everyone’s permissions, and renumbers no other', () => {
    given(guild, founded).when(create()).then(made(VIEW_CHANNEL))
  })

  it('gives no bit that its maker lacks', () => {
    given(guild, founded)
      .when(create(manager, { wanted: KICK_MEMBERS, ...all }))
      .then(made(KICK_MEMBERS))
    given(guild, founded)
      .when(create(manager, { wanted: BAN_MEMBERS, ...all }))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(create(owner, { wanted: BAN_MEMBERS, ...all }))
      .then(made(BAN_MEMBERS))
  })

  it('clears the bits that the client does not declare to know', () => {
    const wish = { wanted: KICK_MEMBERS | MANAGE_THREADS, undeclared: MANAGE_THREADS }
    given(guild, founded).when(create(manager, wish)).then(made(KICK_MEMBERS))
  })

  it("stops at the limit, everyone's role counted, after what its maker may do", () => {
    expect(guild.decide(fold(guild, founded), create(manager, null, 4))).toStrictEqual({
      outcome: 'refused',
      refusal: { code: 'MAX_GUILD_ROLES', fields: [], details: { max_guild_roles: 4 } },
    })
    given(guild, founded)
      .when(create(manager, { wanted: BAN_MEMBERS, ...all }, 4))
      .refuses('MISSING_PERMISSIONS')
  })
})

describe("adding a bot's role", () => {
  const add = (number: number, roles_max = 250) => ({ type: 'AddBotRole', role: roleAt(number, 1), roles_max }) as const
  const added: GuildEvent = { type: 'RoleCreated', data: { guildId: home, role: roleAt(9, 1) } }

  it('records it once, however often it is repeated, and needs nobody’s permission', () => {
    given(guild, founded).when(add(9)).then(added)
    given(guild, [...founded, added])
      .when(add(9))
      .changesNothing()
    expect(fold(guild, [...founded, added])).toMatchObject({ roles: [{}, {}, {}, {}, roleAt(9, 1)] })
  })

  it("is refused beyond the limit, everyone's role counted", () => {
    expect(guild.decide(fold(guild, founded), add(9, 4))).toStrictEqual({
      outcome: 'refused',
      refusal: { code: 'MAX_GUILD_ROLES', fields: [], details: { max_guild_roles: 4 } },
    })
    for (const gone of [[], [...founded, deleted]]) given(guild, gone).when(add(9)).refuses('UNKNOWN_GUILD')
  })
})

describe('changing a role', () => {
  it('records the differences, before and after', () => {
    const details = { name: 'Crew', color: 0, hoist: true, hoistPosition: 2, mentionable: false }
    given(guild, founded)
      .when(change(role(3), { details }))
      .then(
        changed(
          role(3),
          { name: 'Engine', hoist: false, hoistPosition: null },
          { name: 'Crew', hoist: true, hoistPosition: 2 },
        ),
      )
  })

  it('is recorded even if nothing differs', () => {
    given(guild, founded)
      .when(change(role(3), {}))
      .then(changed(role(3), {}, {}))
  })

  it('is refused of a role at or above one’s own, and of one that is not there', () => {
    for (const id of [role(1), role(2)]) given(guild, founded).when(change(id, {})).refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(change(role(99), {}))
      .refuses('UNKNOWN_ROLE')
  })

  it('neither gives nor removes a bit that the caller lacks, and keeps an unchanged one', () => {
    const third = (wanted: bigint) => change(role(3), { permissions: { wanted, ...all } })
    given(guild, founded).when(third(0n)).refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(third(BAN_MEMBERS | MANAGE_THREADS))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(third(BAN_MEMBERS | KICK_MEMBERS))
      .then(changed(role(3), { permissions: '4' }, { permissions: '6' }))
  })

  it('keeps the bits that the client does not declare to know', () => {
    const wish = { permissions: { wanted: KICK_MEMBERS, undeclared: BAN_MEMBERS } }
    given(guild, founded)
      .when(change(role(3), wish))
      .then(changed(role(3), { permissions: '4' }, { permissions: '6' }))
  })

  it("takes of everyone's role the color and the permissions alone", () => {
    const details = { name: 'All', color: 9, hoist: true, hoistPosition: 1, mentionable: true }
    given(guild, founded)
      .when(change(everyone, { details, permissions: { wanted: 0n, ...all } }))
      .then(changed(everyone, { color: 0, permissions: VIEW_CHANNEL.toString() }, { color: 9, permissions: '0' }))
  })
})

describe('deleting a role', () => {
  it('records the role as it was', () => {
    const gone: GuildEvent = { type: 'RoleDeleted', data: { guildId: home, role: roleAt(3, 1, BAN_MEMBERS) } }
    given(guild, founded)
      .when(remove(role(3)))
      .then(gone)
  })

  it('is refused at or above one’s own, of everyone’s role, and of one that is not there', () => {
    for (const id of [role(1), role(2)]) given(guild, founded).when(remove(id)).refuses('MISSING_PERMISSIONS')
    for (const id of [everyone, role(99)]) given(guild, founded).when(remove(id, owner)).refuses('UNKNOWN_ROLE')
  })
})

describe('transferring a guild', () => {
  const transfer = (by = ada, to = grace) => ({ type: 'TransferOwnership', by, to }) as const

  it('is only for the owner, and nothing happens if the owner stays the same', () => {
    const transferred: GuildEvent = { type: 'OwnershipTransferred', data: { guildId: home, from: ada, to: grace } }
    given(guild, founded).when(transfer()).then(transferred)
    given(guild, founded).when(transfer(ada, ada)).changesNothing()
    given(guild, founded).when(transfer(grace)).refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, transferred])
      .when(transfer())
      .refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, deleted])
      .when(transfer())
      .refuses('UNKNOWN_GUILD')
  })
})
