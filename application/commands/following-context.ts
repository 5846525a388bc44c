import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { commandContext, type CommandContext } from './command-context.js'
import { deriveId } from './derive-id.js'

type Changes = Partial<
  Pick<CommandContext, 'commandId' | 'causationId' | 'actor' | 'reason' | 'mayRepeat' | 'adminAction'>
>

/** The same command under other metadata. What it writes, its ids and its randomness are those of the given context. */
export function contextWith(context: CommandContext, changes: Changes): CommandContext {
  return {
    commandId: context.commandId,
    correlationId: context.correlationId,
    causationId: context.causationId,
    actor: context.actor,
    reason: context.reason,
    adminAction: context.adminAction,
    now: context.now,
    mayRepeat: context.mayRepeat,
    isKeyed: context.isKeyed,
    ...changes,
    newId: () => context.newId(),
    randomBytes: (count) => context.randomBytes(count),
    noteSpent: context.noteSpent,
    get written() {
      return context.written
    },
    noteWritten: (position) => {
      context.noteWritten(position)
    },
    get settled() {
      return context.settled
    },
    noteSettled: (position) => {
      context.noteSettled(position)
    },
  }
}

/**
 * The context of the steps that an event leads to. Their ids follow from the event's, so that whoever takes them, the
 * request that goes on or the process manager that finishes, takes the same steps, and taking them twice does nothing.
 */
export function followingContext(context: CommandContext, eventId: string): CommandContext {
  // An entry of the admin audit log follows on the first event already.
  return contextWith(context, {
    commandId: followingCommandId(eventId),
    causationId: eventId,
    adminAction: undefined,
  })
}

/** An event whose following steps a process manager takes. */
interface Cause {
  readonly eventId: string
  readonly correlationId: string
}

/** The same, for a process manager: it acts as the system, may repeat what the request did, and makes up nothing new. */
export function finishingContext(cause: Cause, process: string, now: Timestamp): CommandContext {
  return commandContext({
    commandId: followingCommandId(cause.eventId),
    correlationId: cause.correlationId,
    causationId: cause.eventId,
    actor: { kind: 'system', name: process },
    reason: undefined,
    now,
    mayRepeat: true,
    isKeyed: false,
    newId: () => madeUp('id'),
    randomBytes: () => madeUp('randomness'),
  })
}

function followingCommandId(eventId: string): string {
  return deriveId(eventId, 'following steps')
}

function madeUp(what: string): never {
  throw new Error(`A process manager needs no new ${what}: its steps follow from what happened`)
}
