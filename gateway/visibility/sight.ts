import type { Channel } from '../../domain/guild/channel.ts'
import { isUnavailable, type Guild } from '../../domain/guild/state.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Session } from '../sessions/session.ts'
import { visibilityClassIn, type Link } from './room.ts'
import { visibleChannels } from './visible-channels.ts'
import type { Change } from './world.ts'

/** What an event changed in the channels that some sessions of a guild see. All of them see the same, before and after. */
export interface Sight {
  readonly sessions: readonly [Session, ...Session[]]
  readonly threadAccess: boolean
  /** As they are now. */
  readonly gained: readonly Channel[]
  /** As they are now. */
  readonly kept: readonly Channel[]
  /** As they were before. */
  readonly lost: readonly Channel[]
}

/**
 * The changes in who sees which channels, for sessions whose link does not include the event yet. Judged once for all with the
 * same rights before and after. Empty if the event changed nothing that sight depends on, and in an unavailable guild, which
 * dispatches no channels.
 */
export function sightsOf(change: Change, position: Position): readonly Sight[] {
  return touchedBy(change, position).map(sightOf)
}

/** Links with the same rights before and after an event, and the guild before and after. */
export interface Touched {
  readonly links: readonly [Link, ...Link[]]
  readonly was: Guild
  readonly now: Guild
  readonly memberships: Change['memberships']
}

/** The links whose sight an event may have changed, as `sightsOf` says, grouped by their rights. */
export function touchedBy({ room, was, memberships }: Change, position: Position): readonly Touched[] {
  if (!room || !was || isUnavailable(room.guild, false)) return []
  const now = room.guild
  const links = isSameTo(was, now) ? [...(memberships?.keys() ?? [])] : [...room.links]
  const classOf = classesOf(was, now, memberships)
  const groups = new Map<string, [Link, ...Link[]]>()
  for (const link of links) {
    if (link.since >= position) continue
    const key = classOf(link)
    const group = groups.get(key)
    if (group) group.push(link)
    else groups.set(key, [link])
  }
  return [...groups.values()].map((group) => ({ links: group, was, now, memberships }))
}

type Memberships = Change['memberships']

/** Whether everything that sight depends on is equal. */
function isSameTo(was: Guild, now: Guild): boolean {
  return was.channels === now.channels && was.ownerId === now.ownerId && permitTheSame(was.roles, now.roles)
}

/** Sight does not depend on names, colours and positions of roles. */
function permitTheSame(one: Guild['roles'], other: Guild['roles']): boolean {
  if (one === other) return true
  return (
    one.length === other.length &&
    one.every(({ id, permissions }, index) => id === other[index]?.id && permissions === other[index].permissions)
  )
}

/** Names the rights of a link before and after. */
function classesOf(was: Guild, now: Guild, memberships: Memberships): (link: Link) => string {
  return (link) => {
    const before = visibilityClassIn(was, memberships?.get(link) ?? link.member)
    const after = visibilityClassIn(now, link.member)
    return `${link.session.threadAccess ? 'threads' : ''}, ${before}, ${after}`
  }
}

function sightOf({ links, was, now, memberships }: Touched): Sight {
  const [link, ...others] = links
  const { threadAccess } = link.session
  const before = visibleChannels(was, memberships?.get(link) ?? link.member, { threadAccess })
  const after = visibleChannels(now, link.member, { threadAccess })
  const [idsBefore, idsAfter] = [idsOf(before), idsOf(after)]
  return {
    sessions: [link.session, ...others.map(({ session }) => session)],
    threadAccess,
    gained: after.filter(({ id }) => !idsBefore.has(id)),
    kept: after.filter(({ id }) => idsBefore.has(id)),
    lost: before.filter(({ id }) => !idsAfter.has(id)),
  }
}

function idsOf(channels: readonly Channel[]): ReadonlySet<Channel['id']> {
  return new Set(channels.map(({ id }) => id))
}
