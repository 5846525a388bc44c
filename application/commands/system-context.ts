import { randomBytes } from 'node:crypto'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { DueAct, RootAct } from './acts-of-system.ts'
import { commandContext, type CommandContext } from './command-context.ts'
import { uuid7 } from './derive-id.ts'
import type { Cause } from './following-context.ts'

const uuidRandom_bytes = 10

/**
 * The context of an act of the system that no event led to: it begins a chain of its own. `acts-of-system.ts` lists these acts. What is
 * due has `dueContext`, and what follows an event at once `followingContext` or `finishingContext`.
 */
export function systemContext(
  name: RootAct | DueAct,
  now: Timestamp,
  newId: () => Snowflake = () => noIds(name),
): CommandContext {
  const commandId = newCommandId(now)
  return commandContext({
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { kind: 'system', name },
    reason: undefined,
    now,
    mayRepeat: false,
    isKeyed: false,
    newId,
    randomBytes,
  })
}

/** The context of an act of the system that an event led to: a new command in the chain of that event. */
export function causedContext(
  { eventId, correlationId, operation }: Cause,
  name: string,
  now: Timestamp,
): CommandContext {
  return commandContext({
    commandId: newCommandId(now),
    correlationId,
    causationId: eventId,
    operation,
    actor: { kind: 'system', name },
    reason: undefined,
    now,
    mayRepeat: false,
    isKeyed: false,
    newId: () => noIds(name),
    randomBytes,
  })
}

const newCommandId = (now: Timestamp): string => uuid7(msOf(now), randomBytes(uuidRandom_bytes))

function noIds(name: string): never {
  throw new Error(`The command of ${name} must not make ids`)
}
