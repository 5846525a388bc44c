import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Connection } from '../connections/connection.ts'
import { closings } from '../protocol/closings.ts'
import type { Command } from '../protocol/command.ts'
import { opcodes } from '../protocol/opcodes.ts'
import { readPresence } from '../protocol/presence-fields.ts'
import { isObject } from '../protocol/read.ts'
import type { Session } from '../sessions/session.ts'
import type { Ticker } from '../ticker.ts'
import type { World } from '../visibility/world.ts'
import type { BoundedRequests } from './bounded-requests.ts'
import type { GuildRequests } from './guild-requests.ts'
import type { MemberRequests } from './member-requests.ts'

export interface InSessionSettings {
  readonly ticker: Ticker
  readonly world: World
  readonly guildRequests: GuildRequests
  readonly memberRequests: MemberRequests
  readonly requests: BoundedRequests
  readonly now: () => Timestamp
}

/**
 * Handles the commands that need a session. Voice is not implemented: its requests are accepted and dropped.
 */
export function inSessionHandler(settings: InSessionSettings) {
  const { ticker, world, requests, now } = settings

  function updatePresence(connection: Connection, session: Session, d: unknown): void {
    const read = readPresence(d, now())
    if (!read.ok) {
      connection.close(read.closing)
      return
    }
    if (!connection.presenceUpdates.take(ticker.now_ms)) return
    const { fields, customStatus } = read.value
    session.presence = fields
    if (customStatus !== undefined) session.customStatus = customStatus
    world.recountOnline(session)
  }

  return (connection: Connection, session: Session, { op, d }: Command): void => {
    const request = requestOf(settings, op)
    if (request) {
      if (!requests.isFull(session)) request(session, d)
      return
    }
    switch (op) {
      case opcodes.presenceUpdate:
        updatePresence(connection, session, d)
        return
      case opcodes.requestForumUnreads:
        if (!session.threadAccess || !isObject(d)) connection.close(closings.unknownOpcode)
        return
      case opcodes.voiceStateUpdate:
      case opcodes.voiceSignal:
        return
      default:
        connection.close(closings.unknownOpcode)
    }
  }
}

/** The handler of requests that share one bound; undefined for all other opcodes. */
function requestOf({ guildRequests, memberRequests }: InSessionSettings, op: unknown) {
  switch (op) {
    case opcodes.requestGuildMembers:
      return memberRequests.answer
    case opcodes.lazyRequest:
      return guildRequests.subscribe
    case opcodes.requestGuildCounts:
      return guildRequests.sendGuildCounts
    case opcodes.requestChannelMemberCounts:
      return guildRequests.sendChannelCounts
    default:
      return undefined
  }
}
