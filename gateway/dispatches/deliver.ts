import { isUnavailable } from '../../domain/guild/state.js'
import type { Viewer } from '../../application/objects/guild-objects.js'
import type { Position } from '../../application/ports/event-store.js'
import { dispatchFrame, type Frame } from '../protocol/frame.js'
import { isOnShard } from '../protocol/identify.js'
import { alwaysActiveMembers_max, type Link, type Room } from '../visibility/room.js'
import { heardWhilePassive, heardWhileUnavailable } from './dispatch-names.js'
import type { Dispatch } from './dispatch.js'

type GuildAudience = Extract<Dispatch['audience'], { readonly kind: 'guild' }>

/**
 * Sends a dispatch to everybody who is to have it. The gates stand in the order of reference gateway 2.1: availability,
 * permission, passive state, and the session's own filters. Gives how many sessions got it.
 */
export function deliver(dispatch: Dispatch, room: Room | undefined, position: Position): number {
  const { t, guildId, audience, body } = dispatch
  const frameFor = framesOf(t, body)
  const sessions = audience.kind === 'sessions' ? audience.sessions : listeners(dispatch.t, audience, room, position)
  let count = 0
  for (const session of sessions) {
    if (!isOnShard(session.shard, guildId) || (dispatch.threadAccessOnly && !session.threadAccess)) continue
    session.dispatch(t, frameFor(session))
    count += 1
  }
  return count
}

/** Encodes a body when the first session needs it, once for all that get the same. */
export function framesOf(t: Dispatch['t'], body: Dispatch['body']): (viewer: Viewer) => Frame {
  let withThreads: Frame | undefined
  let withoutThreads: Frame | undefined
  return (viewer) => {
    if (body.per === 'event') return (withThreads ??= dispatchFrame(t, body.value))
    const encode = (): Frame => dispatchFrame(t, body.valueFor(viewer))
    return viewer.threadAccess ? (withThreads ??= encode()) : (withoutThreads ??= encode())
  }
}

/** The sessions of a guild that pass its gates. */
function* listeners(t: Dispatch['t'], audience: GuildAudience, room: Room | undefined, position: Position) {
  if (!room || (isUnavailable(room.guild, false) && !heardWhileUnavailable.has(t))) return
  const isLarge = room.memberCount > alwaysActiveMembers_max
  const permits = permissionGate(audience, room)
  for (const link of room.links) {
    // What the link began with holds the event already.
    if (link.since >= position || link.session.accountId === audience.except) continue
    if (!permits(link)) continue
    if (isLarge && isPassive(link) && !heardWhilePassive.has(t)) continue
    yield link.session
  }
}

function isPassive({ active, session }: Link): boolean {
  return !active && !session.account.bot
}

/** Judges each class of members with the same rights once. */
function permissionGate({ needs }: GuildAudience, room: Room): (link: Link) => boolean {
  if (!needs) return () => true
  const judged = new Map<string, boolean>()
  return (link) => {
    const visibility = room.visibilityClass(link)
    const known = judged.get(visibility)
    if (known !== undefined) return known
    const permitted = needs(room.guild, link.member)
    judged.set(visibility, permitted)
    return permitted
  }
}
