import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { StreamName } from '../../domain/streams.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Actor, AdminAction, EventMetadata } from '../ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { deriveId } from './derive-id.ts'

/**
 * One command on its way: who sends it, its time, and the source of its new ids and randomness. A command sent again under the
 * same Idempotency-Key gets the same values for all of these. So it makes the same events, and the store recognises them.
 */
export interface CommandContext {
  /** UUIDv7. */
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string
  /** X-Request-ID, as the client of the request chose it; undefined where it chose none, and for the system. */
  readonly clientRequestId?: string | undefined
  /** The name of the operation that the request at the start of the chain asked for; undefined without one. */
  readonly operation?: string | undefined
  readonly actor: Actor
  readonly reason: string | undefined
  /** What to record about the command in the admin audit log; undefined for nothing. */
  readonly adminAction?: AdminAction | undefined
  /** The single time that the whole command uses. */
  readonly now: Timestamp
  /** Whether an earlier try of this command may have written events. */
  readonly mayRepeat: boolean
  /** Whether the command came with an Idempotency-Key, so that the same command may come again, even much later. */
  readonly isKeyed: boolean
  newId(): Snowflake
  randomBytes(count: number): Uint8Array
  /** The highest position that this command wrote; `beforeAll` until it writes. */
  readonly written: Position
  noteWritten(position: Position): void
  /**
   * The highest position that this command wrote, or at which it found its work already done by another command. The caller must
   * be able to read this position once it is answered. `beforeAll` until then.
   */
  readonly settled: Position
  noteSettled(position: Position): void
  /** Called with the event-loop time that deciding took, in milliseconds. Optional. */
  readonly noteSpent?: ((processor_ms: number) => void) | undefined
}

/** What work beside history keeps of its cause: the chain that it belongs to, and the command or the event that led to it. */
export type WorkCause = Pick<CommandContext, 'correlationId' | 'causationId' | 'operation'>

/** The cause of work that a command leads to. */
export function causeOf({ correlationId, causationId, operation }: WorkCause): WorkCause {
  return { correlationId, causationId, operation }
}

/** The parts of a context. The adapter supplies the source of ids and randomness. */
export type CommandSource = Omit<CommandContext, 'written' | 'noteWritten' | 'settled' | 'noteSettled'>

export function commandContext(source: CommandSource): CommandContext {
  // Without accessors and spreads: objects with their own accessors are slow everywhere, and every request has this one.
  const context = {
    commandId: source.commandId,
    correlationId: source.correlationId,
    causationId: source.causationId,
    clientRequestId: source.clientRequestId,
    operation: source.operation,
    actor: source.actor,
    reason: source.reason,
    adminAction: source.adminAction,
    now: source.now,
    mayRepeat: source.mayRepeat,
    isKeyed: source.isKeyed,
    newId: () => source.newId(),
    randomBytes: (count: number) => source.randomBytes(count),
    noteSpent: source.noteSpent,
    written: beforeAll,
    noteWritten: (position: Position) => {
      if (position > context.written) context.written = position
      context.noteSettled(position)
    },
    settled: beforeAll,
    noteSettled: (position: Position) => {
      if (position > context.settled) context.settled = position
    },
  }
  return context
}

/** The id of the `index`-th event that one step of a command appends to a stream. The step is named by its type. */
export function eventIdOf(context: CommandContext, stream: StreamName, step: string, index: number): string {
  return deriveId(context.commandId, `${stream}\n${step}\n${index}`)
}

/** The metadata of that event. */
export function metadataOf(context: CommandContext, stream: StreamName, step: string, index: number): EventMetadata {
  return {
    eventId: eventIdOf(context, stream, step, index),
    at: context.now,
    actor: context.actor,
    correlationId: context.correlationId,
    causationId: context.causationId,
    ...(context.clientRequestId === undefined ? {} : { clientRequestId: context.clientRequestId }),
    ...(context.operation === undefined ? {} : { operation: context.operation }),
    ...(context.reason === undefined ? {} : { reason: context.reason }),
    ...(context.adminAction === undefined ? {} : { adminAction: context.adminAction }),
  }
}
