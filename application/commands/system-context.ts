import { randomBytes } from 'node:crypto'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { commandContext, type CommandContext } from './command-context.ts'
import { uuid7 } from './derive-id.ts'

const uuidRandom_bytes = 10

/** The context of a command without a request or event behind it: a deadline passes, or something outside reports a fact. */
export function systemContext(
  name: string,
  now: Timestamp,
  newId: () => Snowflake = () => noIds(name),
): CommandContext {
  const commandId = uuid7(msOf(now), randomBytes(uuidRandom_bytes))
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

function noIds(name: string): never {
  throw new Error(`The command of ${name} must not make ids`)
}
