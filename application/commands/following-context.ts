import { accountOfTarget } from '../../domain/admin-audit/account-of-target.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { commandContext, type CommandContext } from './command-context.ts'
import { deriveId } from './derive-id.ts'

type Changes = Partial<
  Pick<
    CommandContext,
    'commandId' | 'correlationId' | 'causationId' | 'operation' | 'actor' | 'reason' | 'mayRepeat' | 'adminAction'
  >
>

/** The same command with some metadata changed. What it writes, its ids and its randomness stay those of the given context. */
export function contextWith(context: CommandContext, changes: Changes): CommandContext {
  return {
    commandId: context.commandId,
    correlationId: context.correlationId,
    causationId: context.causationId,
    clientRequestId: context.clientRequestId,
    operation: context.operation,
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
 * The context of one of several tries, counted from 0. A further try is another command: an earlier one may have claimed and
 * released something already.
 */
export function contextOfTry(context: CommandContext, tries: number): CommandContext {
  return tries === 0 ? context : contextOfPart(context, `try ${tries}`)
}

/** The context of a part of a command that may send what another part has sent to the same stream. */
export function contextOfPart(context: CommandContext, part: string): CommandContext {
  return contextWith(context, { commandId: deriveId(context.commandId, part) })
}

/**
 * The context of the steps that follow an event. Their ids derive from the event's id. So the request that continues and the
 * process manager that finishes take the same steps, and taking them twice does nothing.
 */
export function followingContext(context: CommandContext, eventId: string): CommandContext {
  const { adminAction, reason } = context
  return contextWith(context, {
    commandId: followingCommandId(eventId),
    causationId: eventId,
    // The first event already leads to an entry in the admin audit log.
    adminAction: undefined,
    // Without the action, nobody could tell that the reason is about an account.
    reason: adminAction && accountOfTarget(adminAction.target) ? undefined : reason,
  })
}

/** An event that leads to an act of the system, as far as that act names it: the metadata of the event, for instance. */
export interface Cause {
  readonly eventId: string
  readonly correlationId: string
  readonly operation?: string | undefined
}

/** The same for a process manager. It acts as the system, may repeat what the request did, and makes no new ids or randomness. */
export function finishingContext(cause: Cause, process: string, now: Timestamp): CommandContext {
  return commandContext({
    commandId: followingCommandId(cause.eventId),
    correlationId: cause.correlationId,
    causationId: cause.eventId,
    operation: cause.operation,
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
  throw new Error(`A process manager must not make a new ${what}: its steps derive from what happened`)
}
