import { isUnavailable } from '../../domain/guild/state.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { dispatchFrame, type Frame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import { alwaysActiveMembers_max, perVisibilityClass, type Link, type Room } from '../visibility/room.ts'
import { heardWhilePassive, heardWhileUnavailable } from '../protocol/dispatch-names.ts'
import type { Session } from '../sessions/session.ts'
import type { Audience, Dispatch, Mention } from './dispatch.ts'

type GuildAudience = Extract<Audience, { readonly kind: 'guild' }>
type NamedAudience = Extract<Audience, { readonly kind: 'sessions' }>

/**
 * Sends a dispatch to its audience. The gates are asked in this order: availability, permission, passive state, and the
 * session's own filters (rules/gateway#who-hears). A dispatch without an event has no position: it reaches every
 * session there. Gives the number of sessions that got it.
 */
export function deliver(dispatch: Dispatch, room: Room | undefined, position: Position | undefined): number {
  const { t, guildId, audience, body } = dispatch
  const frameFor = framesOf(t, body)
  const listening = audience.kind === 'sessions' ? named(audience) : listeners(dispatch.t, audience, room, position)
  let count = 0
  for (const { session, mention } of listening) {
    if (!isOnShard(session.shard, guildId) || (dispatch.threadAccessOnly && !session.threadAccess)) continue
    session.dispatch(t, frameFor(session), mention === 'directly')
    count += 1
  }
  return count
}

/** Encodes a body when the first session needs it, once for all that get the same. */
function framesOf(
  t: Dispatch['t'],
  body: Dispatch['body'],
): (viewer: Viewer & { readonly accountId: AccountId }) => Frame {
  let withThreads: Frame | undefined
  let withoutThreads: Frame | undefined
  return (viewer) => {
    const own = ownValue(body, viewer)
    if (own) return dispatchFrame(t, own)
    if (body.per !== 'viewer') return (withThreads ??= dispatchFrame(t, body.value))
    const encode = (): Frame => dispatchFrame(t, body.valueFor(viewer))
    return viewer.threadAccess ? (withThreads ??= encode()) : (withoutThreads ??= encode())
  }
}

/** What only the viewer's account gets; undefined if it gets the common value. */
function ownValue(body: Dispatch['body'], viewer: Viewer & { readonly accountId: AccountId }): object | undefined {
  if (body.per === 'event') return undefined
  return body.per === 'account' ? body.valueFor(viewer.accountId) : body.ownFor(viewer, viewer.accountId)
}

interface Listener {
  readonly session: Session
  readonly mention: Mention
}

function named({ sessions, mentions }: NamedAudience): readonly Listener[] {
  return sessions.map((session) => ({
    session,
    mention: mentions?.({ accountId: session.accountId, roles: [] }) ?? 'not',
  }))
}

/** The sessions of a guild that pass its gates. */
function* listeners(
  t: Dispatch['t'],
  audience: GuildAudience,
  room: Room | undefined,
  position: Position | undefined,
): Generator<Listener> {
  if (!room || (isUnavailable(room.guild, false) && !heardWhileUnavailable.has(t))) return
  const isLarge = room.memberCount > alwaysActiveMembers_max
  const { needs } = audience
  const permits = needs ? perVisibilityClass(({ member }) => needs(room.guild, member)) : () => true
  for (const link of room.links) {
    // The link's initial state already includes the event.
    if ((position !== undefined && link.since >= position) || link.session.accountId === audience.except) continue
    if (!permits(link) || audience.admits?.(link) === false) continue
    const mention = audience.mentions?.(link.member) ?? 'not'
    const isHeard = heardWhilePassive.has(t) || link.session.accountId === audience.about || mention !== 'not'
    if (!hearsAll(t, link, isLarge) && !isHeard) continue
    yield { session: link.session, mention }
  }
}

/** Whether a session hears of everything in the guild; of who is writing, as it has chosen (rules/gateway#who-hears). */
function hearsAll(t: Dispatch['t'], link: Link, isLarge: boolean): boolean {
  if (t === 'TYPING_START' && link.typing !== undefined) return link.typing
  return !isLarge || !isPassive(link)
}

/** Whether a session is sent less of its guild, if the guild is large. Bots never are. */
export function isPassive({ active, session }: Link): boolean {
  return !active && !session.account.bot
}
