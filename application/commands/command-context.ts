import type { Snowflake } from '../../domain/ids/snowflake.js'
import type { StreamName } from '../../domain/streams.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { beforeAll, type Actor, type AdminAction, type EventMetadata, type Position } from '../ports/event-store.js'
import { deriveId } from './derive-id.js'

/**
 * One command on its way: who sends it, its time, and where its new ids and randomness come from. A command that is sent
 * again under the same Idempotency-Key gets the same of all of these, so it makes the same events, which the store knows.
 */
export interface CommandContext {
  /** UUIDv7. */
  readonly commandId: string
  readonly correlationId: string
  readonly causationId: string
  readonly actor: Actor
  readonly reason: string | undefined
  /** What the admin audit log is to tell of the command; undefined where that is nothing. */
  readonly adminAction?: AdminAction | undefined
  /** The one time of the whole command. */
  readonly now: Timestamp
  /** Whether an earlier try of this command may have written events. */
  readonly mayRepeat: boolean
  /** Whether it came with an Idempotency-Key, so that the same command may come again, and much later. */
  readonly isKeyed: boolean
  newId(): Snowflake
  randomBytes(count: number): Uint8Array
  /** The highest position that this command wrote; `beforeAll` while it wrote none. */
  readonly written: Position
  noteWritten(position: Position): void
  /**
   * The highest position that this command wrote, or found done already by another one: what its caller must be able to read
   * once it is answered. `beforeAll` while it is neither.
   */
  readonly settled: Position
  noteSettled(position: Position): void
  /** Told of time of the event loop that deciding took, in milliseconds; nobody is where it is left out. */
  readonly noteSpent?: ((processor_ms: number) => void) | undefined
}

/** What a context is made of; the source of ids and randomness is the adapter's. */
export type CommandSource = Omit<CommandContext, 'written' | 'noteWritten' | 'settled' | 'noteSettled'>

/** Makes the context of one command. */
export function commandContext(source: CommandSource): CommandContext {
  // Without accessors and spreads: an object with an accessor of its own is slow wherever it goes, and every request has one.
  const context = {
    commandId: source.commandId,
    correlationId: source.correlationId,
    causationId: source.causationId,
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

/** The id of the `index`-th event that one step of a command, named by its type, appends to a stream. */
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
    ...(context.reason === undefined ? {} : { reason: context.reason }),
    ...(context.adminAction === undefined ? {} : { adminAction: context.adminAction }),
  }
}
