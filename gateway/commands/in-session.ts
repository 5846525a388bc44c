import type { Connection } from '../connections/connection.js'
import { closings } from '../protocol/closings.js'
import type { Command } from '../protocol/command.js'
import { opcodes } from '../protocol/opcodes.js'
import { readPresence } from '../protocol/presence-fields.js'
import type { Session } from '../sessions/session.js'
import type { Ticker } from '../time/ticker.js'
import type { World } from '../visibility/world.js'
import type { GuildRequests } from './guild-requests.js'

export interface InSessionSettings {
  readonly ticker: Ticker
  readonly world: World
  readonly guildRequests: GuildRequests
}

/**
 * Makes what carries out the commands that need a session. Voice is not built, and neither are member lists: what asks for
 * those is taken and dropped.
 */
export function inSessionHandler(settings: InSessionSettings) {
  const { ticker, world, guildRequests } = settings

  function updatePresence(connection: Connection, session: Session, d: unknown): void {
    const read = readPresence(d)
    if (!read.ok) {
      connection.close(read.closing)
      return
    }
    if (!connection.presenceUpdates.take(ticker.now_ms)) return
    session.presence = read.value
    world.recountOnline(session)
  }

  return (connection: Connection, session: Session, { op, d }: Command): void => {
    switch (op) {
      case opcodes.presenceUpdate:
        updatePresence(connection, session, d)
        return
      case opcodes.lazyRequest:
        guildRequests.subscribe(session, d)
        return
      case opcodes.requestGuildCounts:
        guildRequests.sendGuildCounts(session, d)
        return
      case opcodes.requestChannelMemberCounts:
        guildRequests.sendChannelCounts(session, d)
        return
      case opcodes.voiceStateUpdate:
      case opcodes.requestGuildMembers:
        return
      default:
        connection.close(closings.unknownOpcode)
    }
  }
}
