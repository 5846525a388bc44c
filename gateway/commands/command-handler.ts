import type { Addresses } from '../connections/addresses.ts'
import type { Connection } from '../connections/connection.ts'
import { inSessionHandler, type InSessionSettings } from './in-session.ts'
import { resumeHandler, type ResumeSettings } from './resume.ts'
import { closings } from '../protocol/closings.ts'
import type { Command } from '../protocol/command.ts'
import { readIdentify } from '../protocol/identify.ts'
import { opcodes } from '../protocol/opcodes.ts'
import type { SessionStarts } from '../starts/session-starts.ts'

export interface CommandSettings extends InSessionSettings, ResumeSettings {
  readonly addresses: Addresses
  readonly starts: SessionStarts
}

/** Handles the commands of clients. Which fault comes first: rules/gateway#order-of-a-payload. */
export function commandHandler(settings: CommandSettings): (connection: Connection, command: Command) => void {
  const { addresses, ticker, starts } = settings
  const inSession = inSessionHandler(settings)
  const resume = resumeHandler(settings)

  function heartbeat(connection: Connection, d: unknown): void {
    const { session } = connection
    if (session && d !== null) {
      if (typeof d !== 'number' || !Number.isInteger(d)) {
        connection.close(closings.invalidSequence)
        return
      }
      session.acknowledge(d)
    }
    connection.heartbeat()
  }

  /** One Identify too many from an address is dropped silently. */
  function identify(connection: Connection, d: unknown): void {
    const read = readIdentify(d)
    if (!read.ok) {
      connection.close(read.closing)
      return
    }
    if (!addresses.takeIdentify(connection.address, ticker.now_ms)) return
    connection.stopExpecting()
    starts.begin(connection, read.value)
  }

  return (connection, command) => {
    const { op, d, hasData } = command
    const { session } = connection
    if (!hasData) {
      connection.close(op === opcodes.identify && session ? closings.alreadyAuthenticated : closings.unknownOpcode)
    } else if (op === opcodes.heartbeat) heartbeat(connection, d)
    else if (op === opcodes.resume) resume(connection, d)
    else if (op === opcodes.identify) {
      if (session || connection.start) connection.close(closings.alreadyAuthenticated)
      else identify(connection, d)
    } else if (session) inSession(connection, session, command)
    else connection.close(closings.notAuthenticated)
  }
}
