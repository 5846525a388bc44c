import { everyoneRoleId, type RoleId } from '../../ids/ids.ts'
import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import { otherThan, sameJson } from '../../kernel/same-json.ts'
import { msOf, type Timestamp } from '../../kernel/timestamp.ts'
import type { AddMemberRole, ChangeMember, RemoveMemberRole, RoleMoves } from '../commands.ts'
import type { MemberChanged, MemberFacts, MembershipEvent } from '../events.ts'
import {
  isTimedOut,
  memberFlags,
  year_ms,
  type MemberAttributes,
  type Membership,
  type MembershipState,
  type MemberTexts,
} from '../state.ts'

const textNames: ReadonlySet<string> = new Set<keyof MemberTexts>(['nick', 'bio', 'pronouns'])
const isFlags = (name: string): boolean => memberFlags.some((flags) => flags === name)

/**
 * Changes a member's attributes, its flags, and then its roles: one event for each part that differs. A member cannot
 * change its own nickname while timed out. A timeout must end in the future, within 365.25 days.
 */
export function change(state: MembershipState, command: ChangeMember): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  const { changes, roles, isOwn, timeoutReason, now } = command
  if (isOwn && changes.nick !== undefined && isTimedOut(state, now)) return refuse('COMMUNICATION_DISABLED')
  const until = changes.communicationDisabledUntil
  if (until !== undefined && until !== state.communicationDisabledUntil) {
    const fault = until === null ? undefined : timeoutFault(until, now)
    if (fault !== undefined) return refuse('INVALID_FORM_BODY', field('communication_disabled_until', fault))
  }
  return accept(
    ...changed(state, changes, timeoutReason),
    ...(roles === undefined ? [] : withRoles(state, moved(state, roles))),
  )
}

function timeoutFault(until: Timestamp, now: Timestamp) {
  const ahead_ms = msOf(until) - msOf(now)
  if (ahead_ms <= 0) return 'INVALID_TIMEOUT_VALUE' as const
  return ahead_ms > year_ms ? ('TIMEOUT_CANNOT_EXCEED_365_DAYS' as const) : undefined
}

function changed(
  member: Membership,
  changes: Partial<MemberAttributes>,
  timeoutReason: string | null,
): readonly MembershipEvent[] {
  const after = Object.entries(changes).filter(otherThan(member))
  const told = after.filter(([name]) => !isFlags(name))
  const flags = after.filter(([name]) => isFlags(name))
  return [...changedIn(member, told, timeoutReason), ...changedIn(member, flags, null)]
}

function changedIn(
  member: Membership,
  after: readonly (readonly [string, unknown])[],
  timeoutReason: string | null,
): readonly MembershipEvent[] {
  if (after.length === 0) return []
  const { guildId, accountId } = member
  const facts = after.filter(([name]) => !textNames.has(name))
  const before = Object.fromEntries(
    facts.map(([name]) => [name, Reflect.get(member, name)]),
  ) satisfies Partial<MemberFacts>
  const data = {
    guildId,
    accountId,
    before,
    after: Object.fromEntries(facts),
    ...textsIn(member, Object.fromEntries(after.filter(([name]) => textNames.has(name)))),
    timeoutReason,
  }
  return [{ type: 'MemberChanged', data }]
}

function textsIn(member: Membership, changes: Partial<MemberTexts>): Pick<MemberChanged, 'textsBefore' | 'textsAfter'> {
  const textsBefore = textsOf(member)
  const textsAfter = textsOf({ ...member, ...changes })
  return sameJson(textsBefore, textsAfter) ? { textsBefore: null, textsAfter: null } : { textsBefore, textsAfter }
}

function textsOf({ nick, bio, pronouns }: MemberTexts): MemberTexts {
  return { nick, bio, pronouns }
}

export function addRole(state: MembershipState, { roleId }: AddMemberRole): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  return accept(...withRoles(state, [...state.roles, roleId]))
}

export function removeRole(state: MembershipState, { roleId }: RemoveMemberRole): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  const roles = state.roles.filter((role) => role !== roleId)
  return accept(...withRoles(state, roles))
}

function moved({ roles }: Membership, { give, take }: RoleMoves): readonly RoleId[] {
  return [...roles.filter((role) => !take.includes(role)), ...give]
}

/** Roles are a set. Every member holds the everyone role, which is never listed. */
function withRoles(
  { guildId, accountId, roles: before }: Membership,
  roles: readonly RoleId[],
): readonly MembershipEvent[] {
  const wanted: ReadonlySet<RoleId> = new Set(roles.filter((role) => role !== everyoneRoleId(guildId)))
  if (wanted.size === before.length && before.every((role) => wanted.has(role))) return []
  return [{ type: 'MemberRolesChanged', data: { guildId, accountId, roles: [...wanted], before } }]
}
