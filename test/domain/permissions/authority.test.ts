import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareRanks,
  holdsAll,
  lackingOf,
  outranksMember,
  outranksRole,
  refusalOf,
  type AuthorityGuild,
} from '../../../domain/permissions/authority.ts'
import { heldRoles } from '../../../domain/permissions/held-roles.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { undeclaredBits, writtenMask } from '../../../domain/permissions/written-mask.ts'
import { property } from '../../support/property.ts'
import { oneOf, record } from '../../../domain/testing/drawing.ts'
import { ada, everyone, grace, home, linus, role } from '../../../domain/testing/people.ts'
import { actors, drawnPermissions, masks } from '../../../domain/testing/commands/role-arbitraries.ts'
import { answerTo, namesHeld, rolesAbove, rolesAboveMember } from './authority-model.ts'
import { maskOf } from './names.ts'

const ranked = (id: ReturnType<typeof role>, position: number, permissions = 0n) => ({
  id,
  position,
  permissions: permissions.toString(),
})

const guild: AuthorityGuild = {
  id: home,
  ownerId: ada,
  settings: { mfaLevel: 0 },
  roles: [ranked(everyone, 0), ranked(role(1), 2), ranked(role(2), 1), ranked(role(3), 1)],
}
const member = (accountId: typeof ada, ...roles: readonly ReturnType<typeof role>[]) => ({ accountId, roles })

describe('the rank of roles', () => {
  it('follows positions, and among equal ones the lower id stands above', () => {
    expect(guild.roles.toSorted(compareRanks).map(({ id }) => id)).toStrictEqual([role(1), role(2), role(3), everyone])
  })

  it('lets nobody but the owner touch a role at or above their own, nor one without roles any', () => {
    const [ofEveryone, first, second, third] = guild.roles
    if (!ofEveryone || !first || !second || !third) throw new Error('the guild has four roles')
    expect(outranksRole(guild, member(ada), first)).toBe(true)
    expect(outranksRole(guild, member(grace, role(1)), first)).toBe(false)
    expect(outranksRole(guild, member(grace, role(1)), second)).toBe(true)
    expect(outranksRole(guild, member(grace, role(2)), third)).toBe(true)
    expect(outranksRole(guild, member(grace, role(3)), second)).toBe(false)
    expect(outranksRole(guild, member(grace, role(3)), ofEveryone)).toBe(true)
    expect(outranksRole(guild, member(grace), ofEveryone)).toBe(false)
    expect(outranksRole(guild, member(grace, everyone), ofEveryone)).toBe(false)
  })

  it('puts the owner above every member, and nobody above the owner', () => {
    expect(outranksMember(guild, member(ada), member(grace, role(1)))).toBe(true)
    expect(outranksMember(guild, member(grace, role(1)), member(ada))).toBe(false)
    expect(outranksMember(guild, member(ada), member(ada))).toBe(false)
    expect(outranksMember(guild, member(grace, role(3)), member(linus))).toBe(true)
    expect(outranksMember(guild, member(grace), member(linus))).toBe(false)
  })
})

describe('the bits of a mask that a client does not declare to know', () => {
  const { MANAGE_THREADS, VIEW_CHANNEL_MEMBERS, KICK_MEMBERS } = permissionBits

  it('are those of threads, and VIEW_CHANNEL_MEMBERS', () => {
    expect(undeclaredBits({ threads: true, channelMembers: true })).toBe(0n)
    expect(undeclaredBits({ threads: true, channelMembers: false })).toBe(VIEW_CHANNEL_MEMBERS)
    expect(undeclaredBits({ threads: false, channelMembers: true }) & MANAGE_THREADS).toBe(MANAGE_THREADS)
  })

  it('are kept as they are stored, whether or not they are wanted', () => {
    const undeclared = undeclaredBits({ threads: false, channelMembers: false })
    expect(writtenMask(KICK_MEMBERS, MANAGE_THREADS, undeclared)).toBe(KICK_MEMBERS | MANAGE_THREADS)
    expect(writtenMask(KICK_MEMBERS | MANAGE_THREADS, 0n, undeclared)).toBe(KICK_MEMBERS)
  })
})

describe('the roles of a member', () => {
  it('are those that the guild has', () => {
    const held = member(grace, role(9), role(2))
    expect(heldRoles(guild, held)).toStrictEqual(member(grace, role(2)))
    expect(heldRoles(guild, member(grace, role(2)))).toStrictEqual(member(grace, role(2)))
  })
})

describe('authority in a guild', () => {
  const positions = fc.integer({ min: 1, max: 3 })
  const guilds: fc.Arbitrary<AuthorityGuild> = fc
    .tuple(masks, fc.array(fc.tuple(positions, masks), { maxLength: 4 }), oneOf(0, 1))
    .map(([ofEveryone, others, mfaLevel]) => ({
      ...guild,
      settings: { mfaLevel },
      roles: [
        ranked(everyone, 0, ofEveryone),
        ...others.map(([position, mask], index) => ranked(role(index + 1), position, mask)),
      ],
    }))
  const asked = record({ of: guilds, actor: actors, other: actors, name: oneOf(...drawnPermissions) })

  property('answers as one does who counts permissions by their names', asked, ({ of, actor, name }) => {
    const refusal = refusalOf(of, actor, name)
    expect(refusal?.code).toBe(answerTo(of, actor, name))
    if (refusal?.code === 'MISSING_PERMISSIONS') expect(refusal.details).toStrictEqual({ missing: [name] })
  })

  property('gives nobody a bit that they lack', asked, ({ of, actor, name }) => {
    expect(holdsAll(of, actor, maskOf([name]))).toBe(namesHeld(of, actor).has(name))
    const { missing } = lackingOf(of, actor, maskOf(drawnPermissions)).details
    expect(missing ?? []).toHaveLength(drawnPermissions.filter((each) => !namesHeld(of, actor).has(each)).length)
  })

  property('ranks as one does who counts the roles above', asked, ({ of, actor, other }) => {
    const mine = rolesAboveMember(of, actor)
    const isOwner = actor.accountId === of.ownerId
    for (const touched of of.roles) {
      expect(outranksRole(of, actor, touched)).toBe(isOwner || mine < rolesAbove(of, touched.id))
    }
    const theirs = rolesAboveMember(of, other)
    expect(outranksMember(of, actor, other)).toBe(other.accountId !== of.ownerId && (isOwner || mine < theirs))
  })
})
